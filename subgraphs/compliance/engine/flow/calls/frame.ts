/** What one function under evaluation knows, and how deep calls go. */
import type { Lambda } from '../../syntax/ir.js'
import type { Environment } from '../environment.js'
import type { Frame } from '../state.js'

export const maxDepth = 10

export function createFrame(lambda: Lambda | null, className: string | null, env: Environment, from?: Partial<Frame>): Frame {
  return {
    lambda,
    className,
    env,
    result: null,
    breaks: [],
    continues: [],
    hits: new Map(),
    exits: [],
    left: new Map(),
    parameterCalls: [],
    symbolic: lambda,
    questions: new Map(),
    loopDepth: 0,
    loop: null,
    callbackOf: null,
    closure: null,
    calledAt: null,
    outermost: null,
    inCatch: false,
    tests: [],
    globals: new Set(),
    ...from,
  }
}
