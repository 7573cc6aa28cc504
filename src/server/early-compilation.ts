/**
 * When V8 makes its best code of a function: by default after 3,000 calls, which is a great deal where a request goes through
 * hundreds of functions once each. Earlier, the first thousands of requests cost less, and later ones the same (docs/decisions/0010).
 */
import { setFlagsFromString } from 'node:v8'

/** Called when the start is over: what only that calls often is not worth it. */
export function compileEarly(): void {
  setFlagsFromString('--invocation-count-for-turbofan=500')
}
