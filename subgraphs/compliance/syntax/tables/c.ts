/** C, and the declarators that C++ shares. */
import type { Ir, Parameter } from '../ir.js'
import type { Custom, LanguageTable, Lowering, Shape } from '../shapes.js'
import { parseNumber, unquote } from '../strings.js'

export interface Declarator {
  readonly name: string
  readonly node: number
  readonly size?: number
  readonly isPointer: boolean
  readonly parameters?: number
  readonly owner?: string
}

/** Unwraps `*(*name)[10](int)` to the name, with the array size and the parameter list on the way. */
export function readDeclarator(lowering: Lowering, node: number): Declarator {
  let at = node
  let size: number | undefined
  let parameters: number | undefined
  let isPointer = false
  for (;;) {
    const type = lowering.typeOf(at)
    if (type === 'array_declarator') size = lowering.first(at, 'size') ?? size
    if (type === 'pointer_declarator' || type === 'reference_declarator') isPointer = true
    if (type === 'function_declarator') parameters = lowering.first(at, 'parameters') ?? parameters
    const isWrapper = type.endsWith('_declarator') || type === 'attributed_declarator'
    const inner = isWrapper ? lowering.first(at, 'declarator,#0') : undefined
    if (inner === undefined) break
    at = inner
  }
  const text = lowering.text(at)
  const parts = text.split('::')
  const owner = parts.length > 1 ? parts.at(-2)?.replace(/<.*$/, '') : undefined
  return { name: (parts.at(-1) ?? text).replaceAll('~', 'destroy_'), node: at, size, isPointer, parameters, owner }
}

export const functionDefinition: Custom = (lowering, node) => {
  const declaratorNode = lowering.first(node, 'declarator')
  const bodyNode = lowering.first(node, 'body')
  if (declaratorNode === undefined)
    return lowering.make.opaque(
      node,
      lowering.children(node).map((child) => lowering.lower(child)),
    )
  const declarator = readDeclarator(lowering, declaratorNode)
  const initializers = lowering.all(node, '%field_initializer_list/*').map((at) => lowering.lower(at))
  const body = bodyNode === undefined ? lowering.make.block(node, []) : lowering.lower(bodyNode)
  return {
    op: 'function',
    name: declarator.name,
    declares: true,
    parameters: declarator.parameters === undefined ? [] : parametersOf(lowering, declarator.parameters),
    body: initializers.length === 0 ? body : lowering.make.block(node, [...initializers, body]),
    decorators: [],
    modifiers: lowering.all(node, '%storage_class_specifier*').map((at) => lowering.text(at)),
    returnType: lowering.typeName(lowering.first(node, 'type')),
    isExpressionBody: false,
    owner: declarator.owner,
    isConstructor: lowering.first(node, 'type') === undefined,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

export function parametersOf(lowering: Lowering, list: number): Parameter[] {
  const kinds = ['parameter_declaration', 'optional_parameter_declaration', 'variadic_parameter_declaration']
  return lowering
    .children(list)
    .filter((child) => kinds.includes(lowering.typeOf(child)))
    .map((child) => {
      const declaratorNode = lowering.first(child, 'declarator')
      const declarator = declaratorNode === undefined ? undefined : readDeclarator(lowering, declaratorNode)
      const type = lowering.typeName(lowering.first(child, 'type'))
      const isPointer = declarator !== undefined && (declarator.isPointer || declarator.size !== undefined)
      return {
        name: declarator?.name ?? '',
        type: isPointer ? `${type ?? ''}*` : type,
        decorators: [],
        rest: false,
        start: lowering.startOf(child),
        end: lowering.endOf(child),
      }
    })
}

/** One assignment per declared name; function prototypes declare nothing. */
export const declaration: Custom = (lowering, node) => {
  const type = lowering.typeName(lowering.first(node, 'type'))
  const body = lowering.all(node, 'declarator*').flatMap((item): Ir[] => {
    const isInit = lowering.typeOf(item) === 'init_declarator'
    const declarator = readDeclarator(lowering, isInit ? (lowering.first(item, 'declarator') ?? item) : item)
    const span = { start: lowering.startOf(item), end: lowering.endOf(item) }
    if (declarator.parameters !== undefined && !isInit) return constructed(lowering, item, declarator, type)
    const valueNode = isInit ? lowering.first(item, 'value') : undefined
    let value: Ir | null = valueNode === undefined ? null : lowering.lower(valueNode)
    const isBraced =
      valueNode !== undefined &&
      lowering.typeOf(valueNode) === 'initializer_list' &&
      !lowering.source.slice(lowering.endOf(declarator.node), lowering.startOf(valueNode)).includes('=')
    if (valueNode !== undefined && (lowering.typeOf(valueNode) === 'argument_list' || isBraced)) {
      const args = lowering.children(valueNode).map((child) => ({ value: lowering.lower(child) }))
      value = { op: 'call', callee: lowering.make.name(item, type ?? ''), args, isNew: true, at: span.start, ...span }
    }
    return [
      {
        op: 'assign',
        target: lowering.make.name(declarator.node, declarator.name),
        value,
        operator: '=',
        declares: true,
        type: declarator.isPointer ? `${type ?? ''}*` : type,
        ...(declarator.size === undefined ? {} : { size: lowering.lower(declarator.size) }),
        ...span,
      },
    ]
  })
  const [only] = body
  return body.length === 1 && only !== undefined ? only : lowering.make.block(node, body)
}

/** `Box box(source());` reads like a function declaration to the grammar; a call among its parameters gives it away. */
function constructed(lowering: Lowering, item: number, declarator: Declarator, type: string | undefined): Ir[] {
  const list = declarator.parameters
  const calls =
    list === undefined
      ? []
      : lowering.children(list).filter((child) => lowering.first(child, '%abstract_function_declarator') !== undefined)
  if (calls.length === 0) return []
  const span = { start: lowering.startOf(item), end: lowering.endOf(item) }
  const args = calls.map((child) =>
    lowering.make.call(child, lowering.make.name(child, lowering.text(lowering.first(child, 'type') ?? child)), []),
  )
  const value: Ir = {
    op: 'call',
    callee: lowering.make.name(item, type ?? ''),
    args: args.map((one) => ({ value: one })),
    isNew: true,
    at: span.start,
    ...span,
  }
  return [
    {
      op: 'assign',
      target: lowering.make.name(declarator.node, declarator.name),
      value,
      operator: '=',
      declares: true,
      type,
      ...span,
    },
  ]
}

/** Preprocessor branches are a condition that nobody knows. */
export const preprocessorBranch: Custom = (lowering, node) => {
  const alternative = lowering.first(node, 'alternative')
  const skipped = new Set([
    ...lowering.all(node, 'name'),
    ...lowering.all(node, 'condition'),
    ...(alternative === undefined ? [] : [alternative]),
  ])
  const body = lowering.children(node).filter((child) => !skipped.has(child))
  const then = lowering.make.block(
    node,
    body.map((child) => lowering.lower(child)),
  )
  if (alternative === undefined) return then
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'if', test: lowering.make.opaque(node, []), then, otherwise: lowering.lower(alternative), ...span }
}

/** `#define N 10` is a constant. */
export const definition: Custom = (lowering, node) => {
  const name = lowering.first(node, 'name')
  const valueNode = lowering.first(node, 'value')
  if (name === undefined || valueNode === undefined) return lowering.make.block(node, [])
  const text = lowering
    .text(valueNode)
    .replace(/\/\/.*|\/\*.*$/, '')
    .trim()
    .replace(/^\((.*)\)$/, '$1')
  const number = /^[\d.]/.test(text) ? parseNumber(text) : null
  const isText = /^L?"[^"]*"$/.test(text)
  if (number === null && !isText) return lowering.make.block(node, [])
  const value = lowering.make.literal(valueNode, number ?? unquote(text))
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'assign', target: lowering.make.name(name, lowering.text(name)), value, operator: '=', declares: true, ...span }
}

/** Sizes of the plain types on 64-bit systems, so that `10 * sizeof(int)` is a number. */
const typeSizes: Record<string, number> = {
  char: 1,
  int8_t: 1,
  uint8_t: 1,
  bool: 1,
  short: 2,
  int16_t: 2,
  uint16_t: 2,
  int: 4,
  float: 4,
  wchar_t: 4,
  int32_t: 4,
  uint32_t: 4,
  long: 8,
  double: 8,
  int64_t: 8,
  uint64_t: 8,
  size_t: 8,
}

export const sizeOf: Custom = (lowering, node) => {
  const typeNode = lowering.first(node, 'type')
  const valueNode = lowering.first(node, 'value')
  if (typeNode !== undefined) {
    const text = lowering.text(typeNode)
    const size = text.includes('*') ? 8 : typeSizes[lowering.typeName(typeNode) ?? '']
    if (size !== undefined) return lowering.make.literal(node, size)
  }
  const operand = valueNode ?? typeNode
  return lowering.make.call(node, lowering.make.name(node, 'sizeof'), operand === undefined ? [] : [lowering.lower(operand)])
}

const list: Shape = { is: 'list', items: '*' }

export const sharedNodes: LanguageTable['nodes'] = {
  translation_unit: 'block',
  compound_statement: 'block',
  preproc_include: (lowering, node) => ({
    op: 'import',
    module: lowering.text(lowering.first(node, 'path') ?? node).replaceAll(/[<>"]/g, ''),
    bindings: [],
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }),
  preproc_def: definition,
  preproc_function_def: 'skip',
  preproc_call: 'skip',
  preproc_ifdef: preprocessorBranch,
  preproc_if: preprocessorBranch,
  preproc_else: preprocessorBranch,
  preproc_elif: preprocessorBranch,
  linkage_specification: { is: 'through', of: 'body' },
  type_definition: 'skip',
  struct_specifier: 'skip',
  union_specifier: 'skip',
  enum_specifier: 'skip',
  storage_class_specifier: 'skip',
  type_qualifier: 'skip',
  identifier: 'name',
  field_identifier: 'name',
  type_identifier: 'name',
  primitive_type: 'name',
  statement_identifier: 'skip',
  null: 'null',
  true: 'true',
  false: 'false',
  number_literal: 'number',
  char_literal: 'char',
  string_literal: 'string',
  concatenated_string: (lowering, node) => ({
    op: 'concat',
    parts: lowering.children(node).map((child) => lowering.lower(child)),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }),
  argument_list: 'args',
  call_expression: { is: 'call', callee: 'function', args: 'arguments' },
  field_expression: { is: 'member', object: 'argument', property: 'field' },
  subscript_expression: (lowering, node) => {
    const object = lowering.first(node, 'argument,#0')
    const index = lowering.first(node, 'index,indices/#0,#1')
    const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
    if (object === undefined || index === undefined) return lowering.make.opaque(node, [])
    return { op: 'index', object: lowering.lower(object), index: lowering.lower(index), ...span }
  },
  pointer_expression: { is: 'unary', operand: 'argument' },
  binary_expression: { is: 'binary', left: 'left', right: 'right' },
  unary_expression: { is: 'unary', operand: 'argument' },
  update_expression: { is: 'unary', operand: 'argument' },
  cast_expression: { is: 'cast', value: 'value', type: 'type' },
  sizeof_expression: sizeOf,
  assignment_expression: { is: 'assign', target: 'left', value: 'right' },
  declaration,
  conditional_expression: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
  if_statement: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
  else_clause: 'through',
  switch_statement: { is: 'switch', subject: 'condition', cases: 'body/%case_statement*', fallsThrough: true },
  case_statement: { is: 'case', tests: 'value', body: '*' },
  for_statement: { is: 'loop', init: 'initializer', test: 'condition', update: 'update', body: 'body' },
  while_statement: { is: 'loop', test: 'condition', body: 'body' },
  do_statement: { is: 'loop', test: 'condition', body: 'body', bodyFirst: true },
  return_statement: { is: 'jump', kind: 'return' },
  break_statement: 'break',
  continue_statement: 'continue',
  goto_statement: 'skip',
  labeled_statement: { is: 'through', of: '#1' },
  initializer_list: list,
  initializer_pair: { is: 'pair', key: 'designator/#0', value: 'value' },
  comma_expression: 'block',
  function_definition: functionDefinition,
  gnu_asm_expression: 'skip',
}

export const c: LanguageTable = {
  self: [],
  constructors: [],
  strings: { content: ['string_content'], escape: ['escape_sequence'] },
  nodes: sharedNodes,
}
