/** Checks of addresses that other files hold: `checkUrlAllowed(url)` answers with the address, or throws. */
import { updatePlace } from '../assign.js'
import type { Flow } from '../state.js'
import { cleaned, type Value } from '../values/value.js'
import type { CallSite } from './call-site.js'

/** How programs call what only lets through addresses that they trust. */
const checks =
  /^_{0,2}(?:check|validate|verify|ensure|assert|require|guard|sanitize|clean|safe|trusted|allowed|get_?(?:safe|trusted|allowed|valid(?:ated)?))_?(?:\w{0,30}_)?(?:[a-z]{0,20}(?:ur[il]|redirect|return|host|origin|destination|location))/i

const kinds = ['redirect', 'ssrf']

/** What such a call answers, and what it was given where nobody takes its answer. */
export function checkedAddress(flow: Flow, site: CallSite, result: Value): Value {
  if (!checks.test(site.method)) return result
  if (flow.unusedCalls.has(site.ir))
    for (const { subject } of site.args) updatePlace(flow, site.frame, subject.ir, (old) => cleaned(old, kinds))
  return result.origins.length === 0 ? result : cleaned(result, kinds)
}
