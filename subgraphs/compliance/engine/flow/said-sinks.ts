/** Sinks that are calls whose names say what they do: the last resort, where no pack has a model of the call. */
import { holds } from '../match/constraints.js'
import { conditionsHold, placeHolds } from '../match/conditions.js'
import { wordsOf } from '../rulebook/data-names.js'
import type { Role } from '../rulebook/compile.js'
import { type CallSite, selectArguments, type SiteArgument } from './calls/call-site.js'
import { methodOf } from './calls/classes.js'
import { checkArrival } from './roles.js'
import type { Flow } from './state.js'
import { elementsOf } from './values/parts.js'
import { deepOrigins, type Value } from './values/value.js'

/** Most calls carry no data and have names that say nothing. */
export function checkSaid(flow: Flow, site: CallSite, roles: readonly Role[]): void {
  const entries = flow.book.saidNames.ofCall(site.method)
  if (entries.length === 0) return
  const carrying = site.args.filter(({ subject }) => deepOrigins(subject.value).length > 0)
  if (carrying.length === 0) return
  const said = entries.filter(({ sink }) => !roles.some((role) => isModelled(flow, site, role, sink.kind)))
  if (said.length === 0 || isOfFile(flow, site) || isTag(flow, site) || isKept(flow, site)) return
  for (const { sink, only, of, takes } of said) {
    if (of !== null && !receiverWords(site).some((word) => of.has(word))) continue
    const selected = new Set([sink.argument].flat().flatMap((selector) => selectArguments(site, selector)))
    const given = carrying.filter(
      (argument) =>
        [...selected].some(({ ir, value }) => ir === argument.subject.ir && value === argument.subject.value) &&
        (sink.which === undefined || holds(flow, sink.which, argument.subject)) &&
        (takes === null || argumentWords(flow, argument).some((word) => takes.has(word))),
    )
    if (given.length === 0 || !conditionsHold(flow, sink, site)) continue
    for (const { subject } of given) checkArrival(flow, site.frame, sink, only, subject, site)
  }
}

/** A pack of what the file uses knows the call: as such a sink, under whatever conditions, as one of another kind, or as what makes data harmless there. */
const isModelled = (flow: Flow, site: CallSite, role: Role, kind: string): boolean =>
  role.role === 'sink'
    ? (role.conditions.kind === kind && placeHolds(flow, { file_has: role.conditions.file_has }, site.frame)) ||
      (!isNote(role.conditions.kind) && conditionsHold(flow, role.conditions, site))
    : role.role === 'sanitizer' && (role.conditions.kinds === 'all' || role.conditions.kinds.includes(kind))

/** Whatever else a call does, what it is given may be written down or measured as well. */
const notes: ReadonlySet<string> = new Set(
  'header format log record print response row-response address exception-text unguessable size index integer'.split(' '),
)

export const isNote = (kind: string): boolean => notes.has(kind) || kind.startsWith('personal-')

/** `sql.append(text)`: a list that was made in sight keeps its texts, whatever is done with them later. */
const isKept = ({ book }: Flow, { receiver, method }: CallSite): boolean =>
  receiver !== null && (book.words.adds.has(method) || book.words.appends_text.has(method)) && isPlainList(receiver.value)

const isPlainList = (value: Value): boolean =>
  elementsOf(value) !== null && value.type === undefined && value.written === undefined && value.isConcat !== true

/** JavaScript: the tag of a template gets its values apart from its text. */
const isTag = ({ text }: Flow, { args: [first], ir }: CallSite): boolean => {
  const start = first?.subject.ir?.start
  return ir.op === 'call' && start !== undefined && text[start] === '`' && !text.slice(ir.callee.end, start).includes('(')
}

/** What the file declares itself is followed. */
const isOfFile = (flow: Flow, site: CallSite): boolean =>
  flow.classes.has(site.method) || (site.receiver === null ? isOwnMethod(flow, site) : methodOf(flow, site, site.method) !== null)

/** `copyFile(in, out)` in the class that has it. */
const isOwnMethod = (flow: Flow, { frame: { className }, method }: CallSite): boolean =>
  className !== null && flow.classes.get(className)?.methods.has(method) === true

/** The last word, and the last two as one, of what the call is made on, as it is written, resolved and typed. */
function receiverWords({ names, receiver }: CallSite): string[] {
  const written = names.map(({ parent }) => parent?.segment)
  return [...written, receiver?.value.type].flatMap((name) => {
    const words = name === undefined ? [] : wordsOf(name).slice(-2)
    return words.length === 2 ? [...words.slice(1), words.join('')] : words
  })
}

const maxArgumentLength = 120

/** The last words of all names in an argument: `URI.create(item.pictureUrl)` speaks of an address. */
function argumentWords({ text }: Flow, { name, subject: { ir } }: SiteArgument): string[] {
  const written = ir === null ? '' : text.slice(ir.start, Math.min(ir.end, ir.start + maxArgumentLength))
  // The parts of an object have names of their own.
  const names = (/^(?:[^{]|\$\{)*/.exec(written)?.[0] ?? '').match(/[A-Za-z_]\w{0,60}/g) ?? []
  return [...names, ...(name === undefined ? [] : [name])].flatMap((one) => wordsOf(one).slice(-1))
}
