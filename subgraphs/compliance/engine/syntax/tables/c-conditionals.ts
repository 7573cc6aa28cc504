/**
 * `#if` in the middle of a statement: around a part of an expression, around the head of an `if`, between a branch and its `else`.
 *
 * The grammars know conditional pieces only where whole statements stand. So the parser reads the others as the preprocessor would:
 * one branch, with blanks in the place of the rest. Pieces of whole statements stay, and are ways that the program may take, unless
 * they stand behind `#if 0`.
 */

interface Branch {
  readonly condition: string
  readonly from: number
  to: number
}

interface Group {
  readonly branches: Branch[]
  /** How many braces are open where it begins. */
  readonly depth: number
  /** It stands in what nobody compiles, which is dropped as a whole. */
  readonly isDropped: boolean
}

const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)$/
/** A branch that is longer holds definitions, and the line above it was a macro without a semicolon. */
const maxPiece = 30
const rarelySet = /win|dos|vms|os2|cplusplus|borland|^no_|_no_|disable|without|debug|test/i
const openHead = /(?:^|[^\w])(?:if|while|for|switch)\s*\([^;{}]{0,400}\)\s*$|\belse\s*$/

export function withoutSplitStatements(text: string): string {
  if (!/^[ \t]*#[ \t]*if/m.test(text)) return text
  const lines = text.split('\n')
  const code = codeOf(text).split('\n')
  const groups: Group[] = []
  const decided: Decided = new Map()
  let depth = 0
  for (let at = 0; at < lines.length; at++) {
    const found = directive.exec(code[at] ?? '')
    const [, word = '', rest = ''] = found ?? []
    if (found === null) {
      if (/^[ \t]*#/.test(code[at] ?? '')) at = endOfDirective(code, at)
      else depth += sum(code[at] ?? '', /[{}]/g)
      if (depth === 0) decided.clear()
      continue
    }
    if (word.startsWith('if')) {
      const around = groups.at(-1)
      const isDropped = around !== undefined && (around.isDropped || isNever(around.branches, around.branches.length - 1))
      groups.push({ branches: [{ condition: `${word} ${rest}`, from: at, to: at }], depth, isDropped })
    }
    const group = groups.at(-1)
    const branch = group?.branches.at(-1)
    if (group === undefined || branch === undefined) continue
    const last = endOfDirective(code, at)
    if (!word.startsWith('if')) branch.to = at
    if (word === 'endif') {
      groups.pop()
      if (isSplit(code, group, last)) {
        noteDecided(code, group, decided)
        keepOne(lines, code, group, last)
      } else if (isDecided(code, group, decided)) keepOne(lines, code, group, last)
      else if (!group.isDropped) dropNever(lines, code, group)
    } else if (word.startsWith('el')) {
      depth = group.depth
      group.branches.push({ condition: word === 'else' ? '' : rest, from: at, to: at })
    }
    at = last
  }
  return lines.join('\n')
}

function endOfDirective(code: readonly string[], from: number): number {
  let at = from
  while (/\\\s*$/.test(code[at] ?? '') && at + 1 < code.length) at++
  return at
}

function sum(line: string, brackets: RegExp): number {
  let count = 0
  for (const [one] of line.matchAll(brackets)) count += /[{([]/.test(one) ? 1 : -1
  return count
}

function isSplit(code: readonly string[], group: Group, last: number): boolean {
  const pieces = group.branches.map(({ from, to }) => pieceOf(code, from, to))
  if (pieces.some((piece) => !isBalanced(piece))) return true
  if (group.branches.some(({ from, to }) => to - from > maxPiece)) return false
  if (group.depth > 0 && declareTheSame(pieces)) return true
  const before = lineAbove(code, group.branches[0]?.from ?? 0)
  const after = lineBelow(code, last)
  if (/^(?:else\b|&&|[)\],;?.|/=<>])/.test(after)) return true
  if (before !== '' && !/[;{}:]$/.test(before) && !(group.depth === 0 && before.endsWith(')'))) return true
  return pieces.some((piece) => piece !== '' && (openHead.test(piece) || endsOpen(piece, after)))
}

const declaration =
  /^[ \t]*(?!(?:return|goto|else|case|typedef|delete|throw|using)\b)(?:[A-Za-z_]\w*[ \t]+){0,4}[A-Za-z_]\w*(?:[ \t]+|[ \t]*\*[ \t*]*)([A-Za-z_]\w*)[ \t]*(?:\[[^\]\n]{0,80}\][ \t]*)*(?:=(?!=)|;)/

/** What a function asked where it declared the same variables in both branches, with these. */
type Decided = Map<string, ReadonlySet<string>>

const oneName = /^(?:ifn?def\s+|if\s+!?\s*(?:defined\b)?\s*\(?\s*)([A-Za-z_]\w*)\s*\)?\s*$/

function noteDecided(code: readonly string[], { branches, depth }: Group, decided: Decided): void {
  const name = oneName.exec(branches[0]?.condition ?? '')?.[1]
  if (name === undefined || depth === 0 || branches.length > 2) return
  const [first = new Set<string>(), second = new Set<string>()] = branches.map(({ from, to }) =>
    declaredIn(pieceOf(code, from, to)),
  )
  const both = [...first].filter((one) => second.has(one))
  if (both.length > 0) decided.set(name, new Set([...(decided.get(name) ?? []), ...both]))
}

/** `#if !USE_STACK free(copy); #endif` behind the branches that declared it: a part for the variable of the other branch. */
function isDecided(code: readonly string[], { branches, isDropped }: Group, decided: Decided): boolean {
  const names = decided.get(oneName.exec(branches[0]?.condition ?? '')?.[1] ?? '')
  if (names === undefined || isDropped || branches.length > 2) return false
  const words = new Set(branches.flatMap(({ from, to }) => pieceOf(code, from, to).match(/\b[A-Za-z_]\w*/g) ?? []))
  return [...names].some((name) => words.has(name))
}

/** `int dir = open(...);` or `char dir[4096];`: one variable, of which each branch knows only its own. */
function declareTheSame(pieces: readonly string[]): boolean {
  const [first = new Set<string>(), ...others] = pieces.map(declaredIn)
  return others.some((names) => [...names].some((name) => first.has(name)))
}

function declaredIn(piece: string): ReadonlySet<string> {
  const names = new Set<string>()
  let depth = 0
  for (const line of piece.split('\n')) {
    const name = depth === 0 ? declaration.exec(line)?.[1] : undefined
    if (name !== undefined) names.add(name)
    depth += sum(line, /[{}]/g)
  }
  return names
}

function endsOpen(piece: string, after: string): boolean {
  if (/[;}:]$/.test(piece)) return false
  return !piece.endsWith(')') || after.startsWith('{')
}

function isBalanced(piece: string): boolean {
  let open = 0
  for (const [one] of piece.matchAll(/[{}()[\]]/g)) {
    open += /[{([]/.test(one) ? 1 : -1
    if (open < 0) return false
  }
  return open === 0
}

/** The code of a branch, without its own directives. */
function pieceOf(code: readonly string[], from: number, to: number): string {
  const kept: string[] = []
  for (let at = endOfDirective(code, from) + 1; at < to; at++)
    if (/^[ \t]*#/.test(code[at] ?? '')) at = endOfDirective(code, at)
    else kept.push(code[at] ?? '')
  return kept.join('\n').trim()
}

function lineAbove(code: readonly string[], from: number): string {
  for (let at = from - 1; at >= 0 && at > from - 50; at--) {
    const line = (code[at] ?? '').trim()
    if (line.startsWith('#')) return ''
    if (line !== '') return line
  }
  return ''
}

function lineBelow(code: readonly string[], last: number): string {
  for (let at = last + 1; at < last + 50; at++) {
    const line = (code[at] ?? '').trim()
    if (line !== '' && !line.startsWith('#')) return line
  }
  return ''
}

function keepOne(lines: string[], code: string[], { branches }: Group, last: number): void {
  const kept = branches.find(({ condition }) => holds(condition))
  for (const branch of branches) {
    const end = branch === kept ? endOfDirective(code, branch.from) + 1 : branch.to
    for (let at = branch.from; at < end; at++) erase(lines, code, at)
  }
  for (let at = branches.at(-1)?.to ?? last; at <= last; at++) erase(lines, code, at)
}

/** What nobody compiles: behind `#if 0`, and behind the `#else` of `#if 1`. */
const isNever = (branches: readonly Branch[], at: number): boolean =>
  constantOf(branches[at]) === '0' || (at > 0 && constantOf(branches[0]) === '1')

const constantOf = (branch: Branch | undefined): string | undefined =>
  /^(?:if)?\s+\(?\s*([01])\s*\)?\s*$/.exec(branch?.condition ?? '')?.[1]

function dropNever(lines: string[], code: string[], { branches }: Group): void {
  for (const [index, { from, to }] of branches.entries())
    if (isNever(branches, index)) for (let at = endOfDirective(code, from) + 1; at < to; at++) erase(lines, code, at)
}

function erase(lines: string[], code: string[], at: number): void {
  lines[at] = (lines[at] ?? '').replaceAll(/[^\r]/g, ' ')
  code[at] = lines[at] ?? ''
}

/** What is asked for is there, unless its name says that it is the exception; the same name has the same answer everywhere. */
function holds(condition: string): boolean {
  const [, word = '', rest = condition] = /^(if|ifdef|ifndef)\s(.*)$/.exec(condition) ?? []
  const asked = rest.trim()
  if (asked === '') return true
  if (/^\(?\s*[01]\s*\)?$/.test(asked)) return asked.includes('1')
  const name = /(?!defined\b)[A-Za-z_]\w*/.exec(asked)?.[0] ?? ''
  const isNegated = word === 'ifndef' || /^\(?\s*!/.test(asked)
  return rarelySet.test(name) === isNegated
}

/** The text with blanks for comments and for what stands in quotes; line ends stay. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.){1,12}'/gs, (found) =>
    found.replaceAll(/[^\n\r]/g, found.startsWith('/') ? ' ' : '_'),
  )
}
