/** Java. */
import type { Custom, LanguageTable, Shape } from '../lowering/shapes.js'
import { memberOrClass } from './packages.js'

/** Classes are known by their simple names; a static import binds the member to its class. */
const importDeclaration: Custom = (lowering, node) => {
  const text = lowering
    .text(node)
    .replace(/^import\s+/, '')
    .replace(/;\s*$/, '')
  const isStatic = text.startsWith('static ')
  const parts = text
    .replace(/^static\s+/, '')
    .split('.')
    .map((part) => part.trim())
  const last = parts.at(-1) ?? ''
  const path = isStatic ? parts.slice(-2).join('.') : last
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'import', module: parts.join('.'), bindings: last === '*' ? [] : [{ local: last, path }], ...span }
}

const typeName: Custom = (lowering, node) => lowering.make.name(node, lowering.text(node))

/** `new T[] { a, b }` is its elements; `new byte[16]` is a construction of `byte[]` with the size as argument. */
const arrayCreation: Custom = (lowering, node) => {
  const elements = lowering.first(node, 'value')
  if (elements !== undefined) return lowering.lower(elements)
  const type = lowering.typeName(lowering.first(node, 'type')) ?? ''
  const args = lowering.all(node, '%dimensions_expr/*').map((size) => ({ value: lowering.lower(size) }))
  const at = lowering.startOf(node)
  return {
    op: 'call',
    callee: lowering.make.name(node, `${type}[]`),
    args,
    isNew: true,
    at,
    start: at,
    end: lowering.endOf(node),
  }
}

const annotations = '%modifiers/%annotation|marker_annotation*'
const functionShape: Shape = {
  is: 'function',
  name: 'name',
  params: 'parameters',
  body: 'body',
  type: 'type',
  decorators: annotations,
  modifiers: '%modifiers',
}
const declaration: Shape = {
  is: 'declarations',
  items: 'declarator*',
  type: 'type',
  target: 'name',
  value: 'value',
  decorators: annotations,
  modifiers: '%modifiers',
}
const classShape: Shape = {
  is: 'class',
  name: 'name',
  bases: 'superclass/*,interfaces/%type_list/*,%extends_interfaces/%type_list/*',
  body: 'body',
  params: 'parameters/*',
  decorators: annotations,
}
const list: Shape = { is: 'list', items: '*' }

export const java: LanguageTable = {
  self: ['this'],
  constructors: [],
  implicitThis: true,
  strings: { content: ['string_fragment', 'multiline_string_fragment'], escape: ['escape_sequence'] },
  nodes: {
    import_declaration: importDeclaration,
    package_declaration: 'skip',
    program: 'block',
    block: 'block',
    constructor_body: 'block',
    class_body: 'block',
    interface_body: 'block',
    enum_body: 'block',
    enum_body_declarations: 'block',
    annotation_type_declaration: 'skip',
    modifiers: 'skip',
    throws: 'skip',
    dimensions: 'skip',
    type_parameters: 'skip',
    type_arguments: 'skip',
    identifier: 'name',
    type_identifier: 'name',
    scoped_type_identifier: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    generic_type: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    scoped_identifier: memberOrClass('scope', 'name'),
    this: 'self',
    super: 'name',
    null_literal: 'null',
    true: 'true',
    false: 'false',
    decimal_integer_literal: 'number',
    hex_integer_literal: 'number',
    octal_integer_literal: 'number',
    binary_integer_literal: 'number',
    decimal_floating_point_literal: 'number',
    character_literal: 'char',
    string_literal: 'string',
    argument_list: 'args',
    formal_parameters: 'args',
    inferred_parameters: 'args',
    annotation_argument_list: 'args',
    element_value_pair: { is: 'argument', name: 'key', value: 'value' },
    element_value_array_initializer: list,
    marker_annotation: { is: 'call', callee: 'name' },
    annotation: { is: 'call', callee: 'name', args: 'arguments' },
    formal_parameter: { is: 'param', name: 'name', type: 'type', decorators: annotations },
    spread_parameter: { is: 'param', name: '%variable_declarator/name', type: '#0', rest: true },
    receiver_parameter: 'skip',
    method_invocation: { is: 'call', object: 'object', method: 'name', args: 'arguments' },
    object_creation_expression: { is: 'call', callee: 'type', args: 'arguments', isNew: true, body: '%class_body' },
    explicit_constructor_invocation: { is: 'call', callee: 'constructor', args: 'arguments' },
    field_access: memberOrClass('object', 'field'),
    array_access: { is: 'index', object: 'array', index: 'index' },
    method_reference: { is: 'member', object: '#0', property: '#1' },
    class_literal: { is: 'member', object: '#0', property: '.' },
    binary_expression: { is: 'binary', left: 'left', right: 'right' },
    unary_expression: { is: 'unary', operand: 'operand' },
    update_expression: { is: 'unary', operand: '#0' },
    cast_expression: { is: 'cast', value: 'value', type: 'type' },
    instanceof_expression: (lowering, node) => {
      const value = lowering.first(node, 'left')
      const type = lowering.typeName(lowering.first(node, 'right')) ?? ''
      const operand = value === undefined ? lowering.make.opaque(node, []) : lowering.lower(value)
      const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
      const bound = lowering.first(node, 'name')
      const pattern = lowering.first(node, 'pattern')
      const test = {
        op: 'binary' as const,
        operator: 'instanceof',
        left: operand,
        right: pattern === undefined ? lowering.make.name(node, type) : lowering.lower(pattern),
        ...span,
      }
      if (bound === undefined) return test
      const target = lowering.lower(bound)
      return lowering.make.block(node, [
        { op: 'assign', target, value: operand, operator: '=', declares: true, type, ...span },
        test,
      ])
    },
    ternary_expression: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    if_statement: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    switch_expression: { is: 'switch', subject: 'condition', cases: 'body/*', fallsThrough: true },
    switch_block_statement_group: { is: 'case', tests: '%switch_label/*', body: '!switch_label*' },
    switch_rule: { is: 'case', tests: '%switch_label/*', body: '!switch_label*' },
    for_statement: { is: 'loop', init: 'init*', test: 'condition', update: 'update*', body: 'body' },
    enhanced_for_statement: { is: 'loop', target: 'name', iterable: 'value', body: 'body' },
    while_statement: { is: 'loop', test: 'condition', body: 'body' },
    do_statement: { is: 'loop', test: 'condition', body: 'body', bodyFirst: true },
    try_statement: { is: 'try', body: 'body', catches: '%catch_clause*', finalizer: '%finally_clause' },
    try_with_resources_statement: {
      is: 'try',
      resources: 'resources/*',
      body: 'body',
      catches: '%catch_clause*',
      finalizer: '%finally_clause',
    },
    resource: (lowering, node) => {
      const name = lowering.first(node, 'name')
      const value = lowering.first(node, 'value')
      if (name === undefined || value === undefined) return lowering.lower(lowering.first(node, '#0') ?? node + 1)
      const type = lowering.typeName(lowering.first(node, 'type'))
      const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
      return {
        op: 'assign',
        target: lowering.lower(name),
        value: lowering.lower(value),
        operator: '=',
        declares: true,
        type,
        ...span,
      }
    },
    catch_clause: {
      is: 'catch',
      parameter: '%catch_formal_parameter/name',
      types: '%catch_formal_parameter/%catch_type/*',
      body: 'body',
    },
    finally_clause: 'through',
    return_statement: { is: 'jump', kind: 'return' },
    throw_statement: { is: 'jump', kind: 'throw' },
    yield_statement: { is: 'jump', kind: 'yield' },
    break_statement: 'break',
    continue_statement: 'continue',
    labeled_statement: { is: 'through', of: '#1' },
    synchronized_statement: { is: 'through', of: 'body' },
    assignment_expression: { is: 'assign', target: 'left', value: 'right' },
    local_variable_declaration: declaration,
    field_declaration: declaration,
    constant_declaration: declaration,
    array_initializer: list,
    array_creation_expression: arrayCreation,
    integral_type: typeName,
    floating_point_type: typeName,
    boolean_type: typeName,
    method_declaration: functionShape,
    constructor_declaration: { ...functionShape, isConstructor: true },
    compact_constructor_declaration: { ...functionShape, isConstructor: true },
    lambda_expression: { is: 'function', params: 'parameters', body: 'body', declares: false },
    class_declaration: classShape,
    interface_declaration: classShape,
    enum_declaration: classShape,
    record_declaration: classShape,
    static_initializer: 'through',
  },
}
