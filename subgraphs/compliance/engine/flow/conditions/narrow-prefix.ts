/** Tests of how a text begins: a path with its base folder, a URL with its host. */
import { holds } from '../../match/constraints.js'
import { nodesOf } from '../../match/nodes.js'
import { type Subject, writtenName } from '../../match/subject.js'
import type { Ir, Lambda } from '../../syntax/ir.js'
import type { CallSite } from '../calls/call-site.js'
import { clean, cleanAddress, cleanAllBut } from './narrow-clean.js'
import type { Flow, Frame } from '../state.js'
import { pathKinds } from '../values/harmless-types.js'
import { elementsOf } from '../values/parts.js'
import { deepOrigins, isSameSource, type Origin } from '../values/value.js'

/** A path that begins with its base folder, a URL that begins with its host. */
export function narrowPrefix(flow: Flow, frame: Frame, site: CallSite, truth: boolean): void {
  const isMethod = isOfText(flow, site)
  const value = isMethod ? site.receiver : site.args[0]?.subject
  const prefix = isMethod ? site.args[0]?.subject : site.args[1]?.subject
  if (!truth && prefix?.value.constant === '-' && value?.ir != null) return clean(flow, frame, value.ir, ['argument'])
  if (!truth) return narrowOutside(flow, frame, value, site)
  if (value?.ir == null || prefix === undefined) return
  const { constant } = prefix.value
  // A folder from the environment is the operator's choice.
  const base = deepOrigins(prefix.value).filter(({ label }) => label !== 'local')
  if (base.length > 0) return narrowInside(flow, frame, value, base)
  if (typeof constant === 'string' && constant.length < 2) return
  const isHost = typeof constant === 'string' && /^https?:\/\/[^/]+\/$/.test(constant)
  const isLocal = typeof constant === 'string' && /^\/[^/\\]/.test(constant)
  const kinds =
    constant === undefined || !/^https?:/.test(String(constant)) ? [...pathKinds, ...(isLocal ? ['redirect'] : [])] : []
  const isWhole = isHost || isNormalized(flow, frame, value)
  const file = isWhole ? fileOf(flow, value.ir) : null
  if (file !== null) clean(flow, frame, file, pathKinds, true)
  clean(
    flow,
    frame,
    value.ir,
    isHost ? ['ssrf', 'redirect'] : isWhole ? kinds : kinds.filter((kind) => kind === 'redirect'),
    true,
  )
}

/** `text.startsWith(base)`, also with how to compare or where to begin: `text.StartsWith(base, StringComparison.Ordinal)`, `(base, 0)`. */
function isOfText({ text }: Flow, { receiver, args }: CallSite): boolean {
  const how = args[1]?.subject
  if (receiver === null || args.length > 2) return false
  if (how === undefined) return args.length === 1
  const { constant } = how.value
  if (typeof constant === 'number' || typeof constant === 'boolean') return true
  return how.ir !== null && /\bStringComparison\b|ignoreCase/i.test(text.slice(how.ir.start, how.ir.end))
}

/** The file whose whole path a member is: `file.path.startsWith(base)`. */
const fileOf = ({ book }: Flow, ir: Ir): Ir | null =>
  ir.op === 'member' && book.words.whole_paths.has(ir.property) ? ir.object : null

const isNormalizing =
  ({ book }: Flow) =>
  (ir: Ir): boolean =>
    (ir.op === 'call' || ir.op === 'member') &&
    book.words.normalizes.has(writtenName(ir.op === 'call' ? ir.callee : ir)?.segment ?? '')

const asked = new WeakMap<Lambda, boolean>()

/** In a text or a path; `0..n` and `...rest` are none. */
const parentFolder = /\.\.['"`\\/]|['"`\\/]\.\./

/** A call that normalizes paths, or a word of `..`, anywhere in the function. */
function takesOutParents(flow: Flow, lambda: Lambda): boolean {
  let answer = asked.get(lambda)
  if (answer === undefined) {
    answer = parentFolder.test(flow.text.slice(lambda.start, lambda.end)) || nodesOf(lambda.body, true).some(isNormalizing(flow))
    asked.set(lambda, answer)
  }
  return answer
}

/** `base/../secret` begins with its base as well. What came from elsewhere may have been normalized there. */
function isNormalized(flow: Flow, { lambda }: Frame, { value }: Subject): boolean {
  if (lambda === null) return true
  const isOwn = deepOrigins(value).some(({ parameter, at }) => parameter === null && at >= lambda.start && at < lambda.end)
  return !isOwn || takesOutParents(flow, lambda)
}

/** A path that was built from its base and still begins with it is as trusted as the base. */
function narrowInside(flow: Flow, frame: Frame, value: Subject, base: readonly Origin[]): void {
  const isOfBase = (origin: Origin) => base.some((one) => isSameSource(one, origin))
  const { origins } = value.value
  if (value.ir === null || !base.every((one) => origins.some((origin) => isSameSource(one, origin)))) return
  cleanAllBut(flow, frame, value.ir, pathKinds, isOfBase)
}

/** `host.endsWith('.example.org')`: a domain and what belongs to it. Without the dot it could be any that ends alike. */
export function narrowSuffix(flow: Flow, frame: Frame, site: CallSite, truth: boolean): void {
  // `strings.HasSuffix(host, ".example.com")`: a function of a library.
  const isMethod = isOfText(flow, site)
  const [value, suffix] = !isMethod ? [site.args[0]?.subject, site.args[1]?.subject] : [site.receiver, site.args[0]?.subject]
  if (!truth || value?.ir == null || suffix === undefined) return
  const suffixes = elementsOf(suffix.value)?.map((one): Subject => ({ value: one, ir: null })) ?? [suffix]
  if (suffixes.length > 0 && suffixes.every((one) => holds(flow, { starts: String.raw`^\.\w` }, one)))
    cleanAddress(flow, frame, value.ir)
}

/** `path.relative(base, p)` that does not begin with `..` stays inside of the base. */
function narrowOutside(flow: Flow, frame: Frame, value: Subject | null | undefined, site: CallSite): void {
  const isUp = site.args.some(({ subject }) => subject.value.constant === '..' || subject.value.constant === '../../')
  if (value?.ir == null || !isUp || !flow.book.words.relates.has(value.value.path?.segment ?? '')) return
  clean(flow, frame, value.ir, pathKinds, true)
}

/** `p == base` beside `p.startsWith(base + '/')`: the folder that the other test asks about, so no more than that one leaves. */
export function isFolderOf(flow: Flow, test: Ir, other: Ir, truth: boolean): boolean {
  if (test.op !== 'binary' || !(truth ? ['==', '==='] : ['!=', '!==']).includes(test.operator)) return false
  const begins = truth ? other : other.op === 'unary' && other.operator === '!' ? other.operand : null
  if (begins?.op !== 'call' || !flow.book.words.begins.has(writtenName(begins.callee)?.segment.toLowerCase() ?? '')) return false
  const isMethod = begins.callee.op === 'member' && begins.args.length === 1
  const [path, folder] =
    isMethod && begins.callee.op === 'member'
      ? [begins.callee.object, begins.args[0]?.value]
      : begins.args.map(({ value }) => value)
  if (path === undefined || folder === undefined) return false
  const textOf = (ir: Ir): string => flow.text.slice(ir.start, ir.end)
  const [left, right] = [textOf(test.left), textOf(test.right)]
  const base = left === textOf(path) ? right : right === textOf(path) ? left : null
  return base !== null && textOf(folder).startsWith(base)
}

/** `file.parentFile == folder`: the file stands in the folder itself. */
export function narrowParent(flow: Flow, frame: Frame, ir: Ir, folder: Ir): boolean {
  const name = writtenName(ir.op === 'call' ? ir.callee : ir)?.segment ?? ''
  if (!flow.book.words.parents.has(name) || deepOrigins(flow.evaluate(frame, folder)).some(({ label }) => label === 'remote'))
    return false
  const callee = ir.op === 'call' ? ir.callee : ir
  const file = (ir.op === 'call' ? ir.args[0]?.value : undefined) ?? (callee.op === 'member' ? callee.object : undefined)
  if (file === undefined) return false
  clean(flow, frame, file, pathKinds, true)
  return true
}
