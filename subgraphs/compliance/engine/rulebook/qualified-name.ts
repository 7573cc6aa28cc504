/**
 * Qualified names and the patterns that rules write for them.
 *
 * A name is a linked list from its last segment to its root, so that `a.b.c` shares `a.b` and patterns are matched right to left.
 * Calls leave no trace in a name: `conn.cursor().execute` and `conn.cursor.execute` are the same.
 */

export interface QualifiedName {
  readonly segment: string
  readonly parent: QualifiedName | null
  readonly depth: number
}

const maxDepth = 12

export const nameOf = (segment: string, parent: QualifiedName | null = null): QualifiedName => {
  if (parent !== null && parent.depth >= maxDepth) return { segment, parent: null, depth: 1 }
  return { segment, parent, depth: parent === null ? 1 : parent.depth + 1 }
}

/** `a.b.c` as a name. */
export const parseName = (text: string): QualifiedName | null =>
  text.split('.').reduce<QualifiedName | null>((parent, segment) => nameOf(segment, parent), null)

type Segment =
  | { readonly kind: 'any' }
  | { readonly kind: 'many' }
  | { readonly kind: 'one-of'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'glob'; readonly expression: RegExp }

export interface NamePattern {
  readonly text: string
  /** Root first. */
  readonly segments: readonly Segment[]
  /** The receiver's declared or inferred type: `<Statement>.execute`. */
  readonly types: ReadonlySet<string> | null
  /** Names that the last segment can have, for the index; `null` when it is a wildcard. */
  readonly lastNames: readonly string[] | null
  /** A free function: `exec` is not `this.exec`. */
  readonly isFree?: boolean
}

/**
 * Compiles `a.{b,c}.*`, `**.exec`, `<Type>.method`, `$_GET`, `on*`.
 *
 * `*` is one segment (as the first segment: one or more), `**` any number including none.
 */
export function compileNamePattern(text: string, ignoreCase = false): NamePattern {
  const source = (ignoreCase ? text.toLowerCase() : text).replaceAll('()', '').trim()
  const typed = /^<([^>]+)>\.?/.exec(source)
  const rest = typed === null ? source : source.slice(typed[0].length)
  const parts = rest === '' ? [] : splitSegments(rest)
  const segments = parts.map((part, at) => compileSegment(part, at === 0 && typed === null && parts.length > 1))
  const last = segments.at(-1)
  const types = typed === null ? null : new Set((typed[1] ?? '').split(/[|,]/).map((type) => type.trim()))
  return { text, segments, types, lastNames: last?.kind === 'one-of' ? [...last.names] : null }
}

function splitSegments(text: string): string[] {
  const parts: string[] = []
  let current = ''
  let depth = 0
  for (const character of text) {
    if (character === '{') depth++
    if (character === '}') depth--
    if (character === '.' && depth === 0) {
      parts.push(current)
      current = ''
    } else current += character
  }
  return [...parts, current]
}

function compileSegment(part: string, isFirstOfMany: boolean): Segment {
  if (part === '**') return { kind: 'many' }
  if (part === '*') return isFirstOfMany ? { kind: 'glob', expression: /^[^]/ } : { kind: 'any' }
  const names = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1).split(',') : [part]
  const trimmed = names.map((name) => name.trim())
  if (!trimmed.some((name) => name.includes('*'))) return { kind: 'one-of', names: new Set(trimmed) }
  const alternatives = trimmed.map((name) => name.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'))
  return { kind: 'glob', expression: new RegExp(`^(?:${alternatives.join('|')})$`, 's') }
}

/** Whether the whole of `name` matches. A leading `this` may be missing in the pattern. */
export function matchesName(pattern: NamePattern, name: QualifiedName | null, ignoreCase = false): boolean {
  if (pattern.isFree === true && name?.parent?.segment === 'this') return false
  return matchFrom(pattern.segments, pattern.segments.length - 1, name, ignoreCase)
}

function matchFrom(segments: readonly Segment[], at: number, name: QualifiedName | null, ignoreCase: boolean): boolean {
  const segment = segments[at]
  if (segment === undefined) return name === null || (name.parent === null && name.segment === 'this')
  if (segment.kind === 'many') {
    for (let rest: QualifiedName | null = name; ; rest = rest.parent) {
      if (matchFrom(segments, at - 1, rest, ignoreCase)) return true
      if (rest === null) return false
    }
  }
  if (name === null) return false
  if (!matchesSegment(segment, ignoreCase ? name.segment.toLowerCase() : name.segment)) return false
  if (at === 0 && segments.length > 1 && segment.kind === 'glob' && segment.expression.source === '^[^]') return true
  return matchFrom(segments, at - 1, name.parent, ignoreCase)
}

/** Whether a name with that last segment can match. */
export function canEndIn({ segments }: NamePattern, last: string): boolean {
  const segment = segments.at(-1)
  return segment === undefined || matchesSegment(segment, last)
}

function matchesSegment(segment: Segment, text: string): boolean {
  if (segment.kind === 'one-of') return segment.names.has(text)
  if (segment.kind === 'glob') return segment.expression.test(text)
  return true
}

/** Typed patterns match the segments after the type against what follows the typed value, usually one method name. */
export function matchesTyped(pattern: NamePattern, type: string, members: QualifiedName, ignoreCase = false): boolean {
  if (pattern.types === null) return false
  const known = ignoreCase ? type.toLowerCase() : type
  if (!pattern.types.has(known) && !pattern.types.has('*')) return false
  return matchFrom(pattern.segments, pattern.segments.length - 1, members, ignoreCase)
}
