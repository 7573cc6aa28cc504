/** The element behind the last one: a bound that is one too far, which `<=` and a length without room for the zero come to. */
import type { FactKind } from '../../rulebook/fact-kinds.js'
import { isConstant } from '../numbers/linear.js'
import type { Linear } from '../numbers/linear.js'

/** `over`: how many bytes behind the end the access reaches; `element`: how many an element has, null for a run of bytes. */
export function kindOfOver(access: 'read' | 'write', over: Linear, element: Linear | null): FactKind {
  const isByOne =
    element !== null && isConstant(element) && isConstant(over) && element.constant > 0 && over.constant === element.constant
  if (access === 'write') return isByOne ? 'overflow-by-one' : 'overflow'
  return isByOne ? 'overread-by-one' : 'overread'
}
