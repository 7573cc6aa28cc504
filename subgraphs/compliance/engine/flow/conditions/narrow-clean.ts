/** What a passed test makes clean: the tested expression, what it was made of, and what stems from the same source. */
import { writtenName } from '../../match/subject.js'
import type { Call, Ir } from '../../syntax/ir.js'
import { assignTo, isPlace } from '../assign.js'
import { lookup, testedCalls } from '../environment.js'
import type { Flow, Frame } from '../state.js'
import { boundedKinds, byTest } from '../values/harmless-types.js'
import { cleaned, deepOrigins, type Origin, partKeys, piecesOf, unknown, type Value } from '../values/value.js'
import { notePieces } from './tested-pieces.js'

/** How programs call the host of an address; libraries add their own names. */
const hostNames = /^\$?(?:get_?)?(?:host|host_?name|netloc|authority|domain|origin)$/i

/** How they call its scheme: what is no script runs none when somebody follows it. */
const schemeNames = /^(?:get_?)?(?:scheme|protocol)$/i

const addressKinds = ['redirect', 'ssrf', 'cors', 'openurl', 'webaddress', 'webview', 'link', 'open-external']

/** Kinds that a known scheme makes harmless: the host may still be any. */
const schemeKinds = addressKinds.filter((kind) => !['ssrf', 'redirect', 'cors'].includes(kind))

/** `url.scheme ?? ''`, `url.protocol.toLowerCase()` */
function isScheme(flow: Flow, ir: Ir): boolean {
  if (ir.op === 'binary') return ['??', '?:', '||'].includes(ir.operator) && isScheme(flow, ir.left)
  if (ir.op === 'call' && ir.callee.op === 'member' && flow.book.words.same_text.has(ir.callee.property))
    return isScheme(flow, ir.callee.object)
  return schemeNames.test(writtenName(ir)?.segment ?? '')
}

export const isHost = ({ book }: Flow, ir: Ir, value: Value): boolean =>
  [writtenName(ir)?.segment ?? '', value.path?.segment ?? ''].some((name) => hostNames.test(name) || book.words.hosts.has(name))

/** How programs call the ending of a file's name. */
const endingNames = /(?:^|[._$]|file|split|get)_?(?:ext|extension|suffix)(?:name)?$/i

/** `extname(name).toLowerCase()`, `splitext(name)[1]`: whatever stands in front of it may be any folder. */
function isEnding(flow: Flow, ir: Ir): boolean {
  if (ir.op === 'index') return isEnding(flow, ir.object) || endingNames.test(writtenName(ir)?.segment ?? '')
  if (ir.op === 'call' && ir.callee.op === 'member' && flow.book.words.same_text.has(ir.callee.property))
    return isEnding(flow, ir.callee.object)
  return endingNames.test(writtenName(ir)?.segment ?? '')
}

/** A URL whose host was compared is as harmless as its host. */
export function cleanAddress(flow: Flow, frame: Frame, ir: Ir): void {
  const value = flow.evaluate(frame, ir)
  if (isHost(flow, ir, value)) {
    cleanDerived(frame, deepOrigins(value), addressKinds, true)
    notePieces(flow, frame, deepOrigins(value), addressKinds, (name) => hostNames.test(name))
  } else if (isScheme(flow, ir)) cleanDerived(frame, deepOrigins(value), ['link', 'open-external'], true)
}

/** `target.origin === request.nextUrl.origin`: hosts that are compared with each other. */
export const areHosts = (flow: Flow, frame: Frame, left: Ir, right: Ir): boolean =>
  isHost(flow, left, flow.evaluate(frame, left)) && isHost(flow, right, flow.evaluate(frame, right))

/** Makes a tested expression clean; with `derived`, everything that stems from the same source. */
export function clean(flow: Flow, frame: Frame, ir: Ir, given: readonly string[], derived = false): void {
  const kinds = ['*', 'text', 'path', 'ssrf'].some((kind) => given.includes(kind)) ? [...given, byTest] : given
  const value = flow.evaluate(frame, ir)
  const origins = deepOrigins(value)
  if (origins.length === 0) return
  if (kinds.includes('*')) cleanAddress(flow, frame, ir)
  if (isPlace(ir)) assignTo(flow, frame, ir, cleaned(value, kinds))
  else if (ir.op === 'cast') clean(flow, frame, ir.value, kinds)
  else if (ir.op === 'binary' && ['+', '-'].includes(ir.operator) && kinds.every((kind) => boundedKinds.includes(kind))) {
    // `offset + n` is below a limit only where `n` is.
    clean(flow, frame, ir.left, kinds)
    if (ir.operator === '+') clean(flow, frame, ir.right, kinds)
  } else if (ir.op === 'binary' && ['??', '?:', '||'].includes(ir.operator)) {
    if (flow.evaluate(frame, ir.right).constant !== undefined) clean(flow, frame, ir.left, kinds)
  } else if (ir.op === 'call') {
    noteTested(flow, frame, ir, kinds)
    const inner = ir.callee.op === 'member' ? ir.callee.object : ir.args[0]?.value
    // `x.trim() == "a"` says everything about `x`, `cookie.getName() == "a"` does not.
    const { same_text: sameText, endings, sums } = flow.book.words
    const isPiece = endings.has(writtenName(ir.callee)?.segment ?? '')
    const isSum = sums.has(writtenName(ir.callee)?.segment ?? '') && kinds.every((kind) => boundedKinds.includes(kind))
    const isWhole = ir.callee.op === 'member' && ((sameText.has(ir.callee.property) && ir.args.length === 0) || isSum)
    const isSame = ir.callee.op !== 'member' || isWhole || hostNames.test(ir.callee.property)
    if (inner !== undefined && isSame && !isPiece) clean(flow, frame, inner, kinds)
    if (isSum) for (const { value: part } of ir.args) clean(flow, frame, part, kinds)
  } else if (ir.op === 'assign') clean(flow, frame, ir.target, kinds)
  else if (ir.op === 'concat' || ir.op === 'collection') {
    const parts = ir.op === 'concat' ? ir.parts : ir.entries.map((entry) => entry.value)
    for (const part of parts) clean(flow, frame, part, kinds)
  }
  if (derived && isScheme(flow, ir)) cleanDerived(frame, origins, schemeKinds, true)
  else if (derived && isEnding(flow, ir)) cleanDerived(frame, origins, ['upload'], true)
  else if (derived || (ir.op !== 'name' && isPlace(ir)))
    cleanDerived(frame, origins, derived ? kinds : kinds.filter((kind) => kind === 'path'))
}

/** Makes a variable clean of every source but those that `stays` names. */
export function cleanAllBut(
  flow: Flow,
  frame: Frame,
  ir: Ir,
  kinds: readonly string[],
  stays: (origin: Origin) => boolean,
): void {
  // `path.to_s.start_with?(base)`
  if (ir.op === 'call' && ir.callee.op === 'member' && flow.book.words.same_text.has(ir.callee.property))
    return cleanAllBut(flow, frame, ir.callee.object, kinds, stays)
  if (!isPlace(ir)) return
  const value = flow.evaluate(frame, ir)
  const made = cleaned(value, kinds)
  assignTo(flow, frame, ir, {
    ...made,
    origins: made.origins.map((origin, at) => (stays(origin) ? value.origins[at]! : origin)),
  })
}

/** The same call is asked once more behind the test: its text is what tells. */
export function noteTested(flow: Flow, frame: Frame, call: Call, kinds: readonly string[]): void {
  flow.hasCleanCalls = true
  const text = flow.text.slice(call.start, call.end)
  const before = lookup(frame.env, testedCalls)?.marks ?? []
  frame.env.variables.set(testedCalls, { ...unknown, marks: new Set([...before, ...kinds.map((kind) => `${kind} ${text}`)]) })
}

/** Of an address the host was a part, and stands for all of it; other parts say nothing of their neighbours. */
function cleanDerived(frame: Frame, origins: readonly Origin[], kinds: readonly string[], isAddress = false): void {
  if (kinds.length === 0) return
  const addresses = origins.map((origin) => ({
    origin,
    address: partKeys(origin).slice(0, -1),
    pieces: piecesOf(origin).slice(0, isAddress ? -1 : undefined),
  }))
  const isOfAddress = (one: Origin): boolean =>
    addresses.some(
      ({ origin, address, pieces }) =>
        origin.at === one.at &&
        pieces.every((key, at) => piecesOf(one)[at] === key) &&
        origin.parameter?.index === one.parameter?.index &&
        address.every((key, at) => partKeys(one)[at] === key),
    )
  for (const [name, value] of frame.env.variables) {
    if (value.origins.some(isOfAddress)) {
      frame.env.variables.set(name, cleaned(value, kinds))
    }
  }
}
