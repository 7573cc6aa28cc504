/** Calls into other files that go on only with good values, by how programs name them: `guard.checkUrlAllowed(url)`. */
import { conditionsHold } from '../../match/conditions.js'
import { matchesText } from '../../match/constraints.js'
import { writtenName } from '../../match/subject.js'
import { kindsOf } from '../../rulebook/compile.js'
import { updatePlace } from '../assign.js'
import { type CallSite, entriesAbout, testedSite } from '../calls/call-site.js'
import { methodOf } from '../calls/classes.js'
import type { Ir } from '../../syntax/ir.js'
import type { Flow, Frame } from '../state.js'
import { cleaned, type Value } from '../values/value.js'
import { clean } from './narrow-clean.js'

/** What is asked of the value is part of the name. */
const enforcing =
  '(?i)^(?:check|validate|verify|ensure|assert|require|enforce)_?(?:is_?)?(?:\\w{0,20}_?)?(?:valid|safe|allow|permit|trusted|public|white|url|uri|host|origin|address|path|scheme|domain|file_?name|identifier|name|format)\\w{0,20}$'
/** `guard.check(url)`: there the object says it. */
const verbs = '(?i)^(?:check|validate|verify|ensure|assert|enforce|inspect)$'
const enforcers = '(?i)(?:validator|guard|polic(?:y|ies)|checker|(?:allow|white)_?list|sanitizer|whitelist)$'
/** `validateUrlIsNotEmpty`, `requireNonNull` ask for nothing that an attacker could not give. */
const formalities = '(?i)empty|null|blank|length|exists?|present|same|unique|duplicate'

/** What only lets through addresses that the program trusts. */
const addressChecks =
  '(?i)^_{0,2}(?:check|validate|verify|ensure|assert|require|guard|sanitize|clean|safe|trusted|allowed|get_?(?:safe|trusted|allowed|valid(?:ated)?))_?(?:\\w{0,30}_)?(?:[a-z]{0,20}(?:ur[il]|redirect|return|host|origin|destination|location))'
const addressKinds = ['redirect', 'ssrf']

/** What the variables hold came with a request that somebody vouches for. */
export function vouch({ env }: Frame, kinds: readonly string[]): void {
  for (const [name, value] of env.variables) if (value.origins.length > 0) env.variables.set(name, cleaned(value, kinds))
}

/** Where nobody takes the answer it would be thrown away, so the check throws. */
export function enforce(flow: Flow, site: CallSite): void {
  const { method, receiver, args, frame } = site
  for (const { role } of entriesAbout(flow, flow.book.guards, site)) {
    if (role.role !== 'guard' || !role.conditions.everything || !role.conditions.ends) continue
    if (conditionsHold(flow, role.conditions, site)) vouch(frame, kindsOf(role.conditions.kinds))
  }
  if (!flow.book.words.enforces.has(method) || args.length === 0 || !flow.unusedCalls.has(site.ir)) return
  if (matchesText(formalities, method) || isOfFile(flow, site)) return
  if (!matchesText(enforcing, method) && !(isEnforcer(receiver) && matchesText(verbs, method))) return
  for (const { subject } of args) if (subject.ir !== null) clean(flow, frame, subject.ir, ['*'], true)
}

/** `if err := validatePath(p); err == nil`: it found nothing to refuse. */
export function passRefusal(flow: Flow, frame: Frame, answer: Ir): void {
  const call =
    answer.op === 'name' && /err|problem|issue|violation/i.test(answer.name) ? flow.evaluate(frame, answer).test : answer
  if (call?.op !== 'call') return
  const method = writtenName(call.callee)?.segment ?? ''
  if (!matchesText(enforcing, method) || matchesText(formalities, method)) return
  const site = testedSite(flow, frame, call)
  if (!isOfFile(flow, site))
    for (const { subject } of site.args) if (subject.ir !== null) clean(flow, frame, subject.ir, ['*'], true)
}

/** `checkUrlAllowed(url)` answers with the address, or throws: what such a call answers, and what it was given where it stands alone. */
export function checkedAddress(flow: Flow, site: CallSite, result: Value): Value {
  if (!matchesText(addressChecks, site.method) || matchesText(formalities, site.method)) return result
  if (flow.unusedCalls.has(site.ir))
    for (const { subject } of site.args) updatePlace(flow, site.frame, subject.ir, (old) => cleaned(old, addressKinds))
  return result.origins.length === 0 ? result : cleaned(result, addressKinds)
}

/** `allowList.permits(host)` */
export const isPermission = ({ method, receiver }: CallSite): boolean =>
  matchesText('(?i)^(?:permits?|allows?|accepts?|trusts?|is_?allowed)$', method) && isEnforcer(receiver)

function isEnforcer(receiver: CallSite['receiver']): boolean {
  const written = receiver?.ir == null ? null : writtenName(receiver.ir)
  return [written?.segment, receiver?.value.type].some((name) => typeof name === 'string' && matchesText(enforcers, name))
}

/** What the file declares itself is followed, and known better. */
const isOfFile = (flow: Flow, site: CallSite): boolean =>
  (flow.methodsByName.get(site.method)?.length ?? 0) > 0 ||
  flow.globals.variables.get(site.method)?.func !== undefined ||
  (site.receiver !== null && methodOf(flow, site, site.method) !== null)
