/** Functions and classes of lowering tables. */
import { type Ir, type Lambda, plainFunction } from '../ir.js'
import type { LoweringState } from './lowering-state.js'
import type { ShapeOf } from './shapes.js'

export function lowerFunction(state: LoweringState, node: number, shape: ShapeOf<'function'>): Lambda {
  const nameNode = shape.name === undefined ? undefined : state.first(node, shape.name)
  const name = nameNode === undefined ? '' : state.text(nameNode).replaceAll(/^[#`]|`$/g, '')
  const lists = shape.params === undefined ? [] : state.all(node, shape.params)
  const flat = lists.flatMap((list) => (isParameterList(state, list) ? state.children(list) : [list]))
  const bodyNodes = state.all(node, shape.body)
  const body = bodyNodes.length === 0 ? state.make.block(node, []) : state.lowerAll(bodyNodes, bodyNodes[0] ?? node)
  const receiver = shape.receiver === undefined ? undefined : state.parameters(state.all(node, shape.receiver))[0]
  return {
    op: 'function',
    name,
    declares: (shape.declares ?? true) && name !== '',
    parameters: state.parameters(flat).filter((parameter, at) => at > 0 || parameter.name !== 'this'),
    body,
    decorators: state.list(node, shape.decorators),
    modifiers: shape.modifiers === undefined ? [] : state.all(node, shape.modifiers).map((at) => state.text(at)),
    returnType: state.typeName(shape.type === undefined ? undefined : state.first(node, shape.type)),
    isExpressionBody: body.op !== 'block' || (state.table.lastIsResult ?? false),
    owner: receiver?.type?.replace(/^.*\./, ''),
    receiver,
    isConstructor: shape.isConstructor ?? state.table.constructors.includes(name),
    start: state.startOf(node),
    end: state.endOf(node),
  }
}

const isParameterList = (state: LoweringState, node: number): boolean => state.shapeOf(node) === 'args'

export function lowerClass(state: LoweringState, node: number, shape: ShapeOf<'class'>): Ir {
  const span = { start: state.startOf(node), end: state.endOf(node) }
  const nameNode = shape.name === undefined ? undefined : state.first(node, shape.name)
  const parameters = shape.params === undefined ? [] : state.parameters(state.all(node, shape.params))
  const fields = parameters.map((parameter): Ir => {
    const target: Ir = { op: 'name', name: parameter.name, start: parameter.start, end: parameter.end }
    return {
      op: 'assign',
      target,
      value: parameter.fallback ?? null,
      operator: '=',
      declares: true,
      type: parameter.type,
      ...span,
    }
  })
  const bodies = state.all(node, shape.body)
  const members = bodies.flatMap((body) => {
    const lowered = state.lower(body)
    return lowered.op === 'block' ? lowered.body : lowered.op === 'opaque' ? lowered.parts : [lowered]
  })
  return {
    op: 'class',
    name: nameNode === undefined ? '' : (state.typeName(nameNode) ?? ''),
    bases: shape.bases === undefined ? [] : state.all(node, shape.bases).map((at) => state.typeName(at) ?? ''),
    decorators: state.list(node, shape.decorators),
    members: [...fields, ...members, ...fieldReaders(state, members)],
    ...span,
  }
}

function fieldReaders(state: LoweringState, members: readonly Ir[]): readonly Ir[] {
  const { fieldReaders: names } = state.table
  if (names === undefined) return []
  const written = new Set(members.map((member) => (member.op === 'function' ? member.name : '')))
  return members.flatMap((member) =>
    member.op !== 'call' || member.callee.op !== 'name' || !names.includes(member.callee.name)
      ? []
      : member.args.flatMap(({ value }) =>
          value.op !== 'literal' || typeof value.value !== 'string' || written.has(value.value)
            ? []
            : [fieldReader(value.value, value)],
        ),
  )
}

function fieldReader(name: string, { start, end }: Ir): Lambda {
  const object: Ir = { op: 'name', name: 'this', start, end }
  const body: Ir = { op: 'member', object, property: name, start, end }
  return plainFunction({ name, declares: true, parameters: [], body, isExpressionBody: true, start, end })
}
