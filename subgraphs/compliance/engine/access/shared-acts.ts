/**
 * The same act twice: one handler asks for a role before it opens a door, and another opens the same door for whoever is signed in.
 *
 * What counts as the same is a call of the same method on the same name, or a statement that changes the same table.
 */
import type { AccessWords } from '../rulebook/access-words.js'
import { nodesOf } from '../match/nodes.js'
import type { Place } from '../flow/sink-hits.js'
import type { Call, Ir } from '../syntax/ir.js'
import type { Guard } from './guards.js'
import type { Handler } from './handler.js'
import { lastName, methodWords, stringOf } from './names.js'
import type { Walk } from './state.js'

interface Read {
  readonly handler: Handler
  readonly walk: Walk
  readonly guard: Guard
}

/** First words of what only some may do, beside those that say it everywhere. */
const strong = /^(?:open|unlock|lock|start|stop|close|publish|release|approve|reject|dispatch|trigger|run|enable|disable|reboot)$/
/** Anybody's own things are kept and thrown away so, too. */
const plain = /^(?:save|set|update|edit|change|modify|execute|exec|remove|delete|move|mark|patch|upsert|replace|share|del)$/
/** What answers, tells, or is the program's own. */
const helpers =
  /^(?:this|self|w|rw|rs|res|resp|response|reply|rsp|answer|out|c|ctx|context|call|log|logger|console|session|conn|connection|file|stream|socket|tx|cursor|scanner|reader|writer|timer|thread|lock|mutex|process|os|fs|http|window|document|span|metrics|cache)$/i
const changed = /^\s*(?:update\s+|delete\s+from\s+)["`[]?(?:\w{1,40}["`\]]?\.["`[]?)?(\w{3,60})/i

interface Act extends Place {
  readonly key: string
  /** What it is done to. */
  readonly of: string
}

const actsOf = (words: AccessWords, { bodies }: Handler): readonly Act[] =>
  bodies.flatMap((body) =>
    nodesOf(body, true).flatMap((ir) => (ir.op === 'call' ? (callAct(words, ir) ?? []) : (tableAct(ir) ?? []))),
  )

function callAct(words: AccessWords, call: Call): Act | null {
  if (call.callee.op !== 'member') return null
  const said = methodWords(words, call)
  const of = lastName(call.callee.object)
  const [first = ''] = said
  const isStrong =
    strong.test(first) ||
    (words.changes.begins(said) && (said.length > 1 ? !/^(?:set|exec\w*)$/.test(first) : !plain.test(first)))
  if (!isStrong || of === '' || helpers.test(of)) return null
  return {
    key: `${of}.${call.callee.property}`,
    of,
    start: call.at,
    end: call.end,
  }
}

function tableAct(ir: Ir): Act | null {
  const table = ir.op === 'literal' ? changed.exec(stringOf(ir) ?? '')?.[1] : undefined
  return table === undefined ? null : { key: `table ${table}`, of: table, start: ir.start, end: ir.end }
}

const changing = new Set(['', 'post', 'put', 'patch', 'delete'])

/** What handlers do without a question, while another one asks for a role before it does the same. */
export function shared<T extends Read>(words: AccessWords, reads: readonly T[]): ReadonlyMap<T, Place> {
  const asking = reads.filter(({ walk, guard }) => walk.asksRole || (guard.level === 2 && guard.isUnknown !== true))
  const found = new Map<T, Place>()
  if (asking.length === 0 || asking.length === reads.length) return found
  const behind = new Set(asking.flatMap(({ handler }) => actsOf(words, handler).map(({ key }) => key)))
  if (behind.size === 0) return found
  for (const read of reads.filter((one) => isFree(one))) {
    const act = actsOf(words, read.handler).find(({ key, of }) => behind.has(key) && !read.walk.scoped.has(of))
    if (act !== undefined) found.set(read, act)
  }
  return found
}

const isFree = ({ walk, guard, handler }: Read): boolean =>
  guard.level < 2 &&
  walk.checks.length === 0 &&
  !walk.asksRole &&
  !walk.provesSecret &&
  !walk.givesToCaller &&
  changing.has(handler.verb)
