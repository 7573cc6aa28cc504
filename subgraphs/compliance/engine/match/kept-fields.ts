/**
 * What one method of an object leaves in a field for another, where one object serves all requests: a request goes on with what another
 * one has left. Fields that are filled once, lazily or at the start, are no such.
 */
import type { Flow } from '../flow/state.js'
import type { Assign, ClassIr, Ir, Lambda } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { safeTypes } from './declared-types.js'
import { careful, ownNames, rootOf } from './outer-changes.js'

export interface KeptFields {
  /** Methods that run before the requests. */
  readonly alone: string
  /** Types that are made once and for all. */
  readonly tools: string
}

export function keptFields(flow: Flow, { members }: ClassIr, { alone, tools }: KeptFields): readonly Ir[] {
  const methods = members.filter((ir): ir is Lambda => ir.op === 'function' && !ir.isConstructor)
  const serving = methods.filter(
    ({ name, modifiers }) => !matchesText(alone, name) && !modifiers.some((one) => careful.test(one)),
  )
  return fieldsOf(flow, members).flatMap(({ target, type }) => {
    if (target.op !== 'name' || matchesText(tools, type ?? '')) return []
    const first = serving.flatMap((method) => fillsOf(flow, method, target.name))[0]
    const isRead = methods.some((method) => readsField(method, target.name))
    return first === undefined || !isRead ? [] : [first]
  })
}

/** Fields that may change. */
const fieldsOf = ({ text }: Flow, members: readonly Ir[]): Assign[] =>
  members.filter((ir): ir is Assign => {
    if (ir.op !== 'assign' || (ir.decorators ?? []).length > 0) return false
    const written = text.slice(text.lastIndexOf('\n', ir.start) + 1, ir.end)
    return !/\b(?:final|val|const|readonly|static|lateinit)\b|@/.test(written) && written.search(safeTypes) === -1
  })

/** Where a method fills a field with what it has found out. */
function fillsOf({ text }: Flow, method: Lambda, field: string): Ir[] {
  const own = ownNames(method)
  const body = text.slice(method.start, method.end)
  if (careful.test(body) || new RegExp(`\\b${field}\\b\\s?[!=]==?\\s?null|isInitiali[sz]ed`).test(body)) return []
  return nodesOf(method.body).filter(
    (ir) =>
      ir.op === 'assign' &&
      !ir.declares &&
      ir.operator === '=' &&
      ir.value !== null &&
      ir.value.op !== 'literal' &&
      ir.value.op !== 'function' &&
      rootOf(ir.target) === field &&
      ir.target.op !== 'index' &&
      (ir.target.op === 'member' || !own.has(field)),
  )
}

/** Whether a method that has not filled it reads it. */
function readsField(method: Lambda, field: string): boolean {
  const nodes = nodesOf(method.body, true)
  const own = ownNames(method)
  const targets = new Set(nodes.flatMap((ir) => (ir.op === 'assign' && rootOf(ir.target) === field ? [ir.target] : [])))
  if (targets.size > 0) return false
  return nodes.some((ir) =>
    ir.op === 'name'
      ? ir.name === field && !own.has(field)
      : ir.op === 'member' && rootOf(ir) === field && ir.object.op === 'name',
  )
}
