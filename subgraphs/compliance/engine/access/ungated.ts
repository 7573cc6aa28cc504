/**
 * Handlers of plain functions, where each asks for itself who the caller is: `if (!signedIn(request)) return refused();`.
 *
 * Most of them do, and one does the same work as they do without asking.
 */
import { rootOf } from '../match/outer-changes.js'
import { nodesOf } from '../match/nodes.js'
import { writtenName } from '../match/subject.js'
import type { Guard } from './guards.js'
import type { Handler } from './handler.js'
import type { Walk } from './state.js'

interface Read {
  readonly handler: Handler
  readonly walk: Walk
  readonly guard: Guard
}

const LEAST_ASKING = 3

/** First words of calls that change something for others. */
const changes =
  /^(?:write|save|store|update|insert|delete|remove|unlink|erase|exec|execute|publish|toggle|unlock|enable|disable|reboot|restart|shutdown|transfer|withdraw|refund|pay|revoke|grant|drop|truncate)(?![a-z])/
/** What is written to the client. */
const answers = /^(?:w|rw|res|resp|response|reply|rsp|out|writer|stdout|stderr|body|log|logger|console|headers?|ctx|c)$/i
/** For everybody, or asked in another way. */
const open =
  /hook|callback|health|ping|ready|alive|metric|track|event|collect|contact|feedback|subscri|confirm|public|guest|cart|login|log-?in|sign|auth|token|register|session|password|reset|verify|oauth/i

/** Of what a handler calls, all that changes something. */
function changesOf({ bodies }: Handler): ReadonlySet<string> {
  const names = bodies.flatMap((body) =>
    nodesOf(body, true).flatMap((ir) => {
      if (ir.op !== 'call') return []
      const name = writtenName(ir.callee)?.segment ?? ''
      const of = ir.callee.op === 'member' ? (rootOf(ir.callee.object) ?? '') : ''
      return changes.test(name.replaceAll('_', '-')) && !answers.test(of) ? [name] : []
    }),
  )
  return new Set(names)
}

const isAsking = ({ walk, guard }: Read): boolean => walk.hasCaller || walk.checks.length > 0 || guard.level > 0

/** The handlers that act as others do behind a question, and ask nobody. */
export function ungated<T extends Read>(all: readonly T[]): ReadonlySet<T> {
  // Those of classes have filters that stand elsewhere.
  const reads = all.filter(({ handler }) => handler.className === null)
  const asking = reads.filter((read) => isAsking(read) && read.walk.hasCaller)
  if (asking.length < LEAST_ASKING || 2 * asking.length <= reads.length) return new Set()
  const behind = new Set(asking.flatMap(({ handler }) => [...changesOf(handler)]))
  return new Set(
    reads.filter(
      (read) =>
        !isAsking(read) &&
        read.guard.isUnknown !== true &&
        !open.test(`${read.handler.path} ${read.handler.name}`) &&
        [...changesOf(read.handler)].some((name) => behind.has(name)),
    ),
  )
}
