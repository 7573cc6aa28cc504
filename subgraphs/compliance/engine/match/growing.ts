/**
 * Collections that outlive the functions which add to them, and from which nothing in the file ever takes: a variable of the file or a field of
 * a class that begins empty. Whoever asks for its size, hands it on or gives it a new value may bound it.
 */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { Assign, Ir } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'
import { rootOf } from './outer-changes.js'

const answers = new WeakMap<Flow, Map<string, boolean>>()

export function isGrowing(flow: Flow, ir: Ir): boolean {
  const name = rootOf(ir)
  if (name === null || !/^[\w$@]+$/.test(name)) return false
  const known = answers.get(flow) ?? new Map<string, boolean>()
  answers.set(flow, known)
  const answer = known.get(name) ?? (isKept(flow, name) && !isBounded(flow.text, name))
  known.set(name, answer)
  return answer
}

/** Types that bound themselves, or whose entries go by themselves. */
const careful = /lru|ttl|cache|weak|maxlen|max_?size|limit|bounded|ring|queue|expir/i

/** Types of C++ that hold nothing until somebody adds to them. */
const empty =
  /^(?:std::)?(?:deque|vector|list|forward_list|queue|map|multimap|set|unordered_map|unordered_set|Q(?:List|Vector|Queue|Hash|Map|Set|StringList|ByteArray))$/

/** Made once, empty: at the top of the file, or as a field. */
function isKept(flow: Flow, name: string): boolean {
  const top = flow.root.op === 'block' ? flow.root.body : partsOf(flow.root)
  const members = [...flow.classes.values()].flatMap(({ ir }) => ir.members)
  const made = [
    ...[...top, ...members].flatMap((ir) => (ir.op === 'block' ? ir.body : [ir])),
    ...members.flatMap((ir) => (ir.op === 'function' && ir.isConstructor ? nodesOf(ir.body) : [])),
  ].filter((ir): ir is Assign => ir.op === 'assign' && rootOf(ir.target) === name)
  const [only] = made
  if (only === undefined || made.length > 1) return false
  const text = flow.text.slice(only.start, only.end)
  if (only.value === null) return empty.test(only.type ?? '') && !careful.test(text)
  return !careful.test(text) && isEmptyCollection(flow, only.value)
}

const isEmptyCollection = ({ text }: Flow, ir: Ir): boolean =>
  (ir.op === 'collection' && ir.entries.length === 0) ||
  (ir.op === 'call' &&
    /^(?:new )?(?:collections\.)?(?:Map|Set|Array|dict|set|list|deque|defaultdict|OrderedDict|Counter|(?:Concurrent|Linked)?Hash(?:Map|Set)|ArrayList)\b[^()]{0,60}\((?:list|set|dict|int)?\)/.test(
      text.slice(ir.start, ir.end),
    ))

function isBounded(text: string, name: string): boolean {
  const own = name.replaceAll('$', String.raw`\$`)
  const all = [
    String.raw`\b${own}\b(?:\[[^\]\n]{0,60}\]|\.get\([^()\n]{0,60}\))?\??\.(?:pop\w*|remove\w*|discard|delete|clear|shift|splice|poll\w*|evict\w*|invalidate\w*|retain\w*|trim\w*|erase\w*|dequeue|take\w*|swap|assign|resize|prune\w*|expire\w*|drain\w*|length|size|count)\b`,
    String.raw`\bdel(?:ete)?\s+[\w.]{0,20}\b${own}\b`,
    String.raw`\blen\(\s{0,4}[\w.]{0,20}\b${own}\b`,
    String.raw`[(,]\s{0,4}(?:self\.|this\.)?${own}\s{0,4}[,)]`,
  ]
  if (all.some((one) => new RegExp(one).test(text))) return true
  // A new value, after the first one.
  return [...text.matchAll(new RegExp(String.raw`\b${own}(?::\s?[\w<>[\], |]{1,60})?\s?=(?![=>])`, 'g'))].length > 1
}
