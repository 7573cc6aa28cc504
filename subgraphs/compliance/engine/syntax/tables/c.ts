/** C, and what C++ shares with it. */
import type { Custom, LanguageTable, Shape } from '../lowering/shapes.js'
import { decodeEscapes, parseNumber, unquote } from '../strings.js'
import { withoutAttributes } from './c-attributes.js'
import { withoutSplitStatements } from './c-conditionals.js'
import { declaration, functionDefinition } from './c-declarations.js'
import { gotoStatement } from './c-jumps.js'
import { sizeOfName } from './c-memory.js'
import { scopeOf, sizeOfType } from './c-scope.js'
import {
  assignment,
  call,
  choice,
  expressionStatement,
  identifier,
  ifStatement,
  loop,
  operators,
  returnStatement,
  statements,
} from './c-statements.js'

/** Preprocessor branches are a condition that nobody knows. */
const preprocessorBranch: Custom = (lowering, node) => {
  const alternative = lowering.first(node, 'alternative')
  const asked = lowering.first(node, 'condition')
  // `#if 0`: nobody ever compiles it.
  if (asked !== undefined && lowering.text(asked).trim() === '0')
    return alternative === undefined ? lowering.make.block(node, []) : lowering.lower(alternative)
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
const definition: Custom = (lowering, node) => {
  const name = lowering.first(node, 'name')
  const valueNode = lowering.first(node, 'value')
  if (name === undefined || valueNode === undefined) return lowering.make.block(node, [])
  const text = lowering
    .text(valueNode)
    .replace(/\/\/.*|\/\*.*$/, '')
    .trim()
    .replace(/^\((.*)\)$/, '$1')
  const scope = scopeOf(lowering)
  if (/^[A-Za-z_]\w*$/.test(text) && !/^(?:NULL|true|false|static|inline|extern|const)$/.test(text))
    scope.aliases.set(lowering.text(name), text)
  const number = /^(?:0x[\da-fA-F]+|[\d.]+)[uUlLfF]*$/.test(text) ? parseNumber(text) : null
  const isText = /^L?"[^"]*"$/.test(text)
  if (number === null && !isText) return lowering.make.block(node, [])
  if (isText) scope.texts.set(lowering.text(name), decodeEscapes(unquote(text)).length)
  const value = lowering.make.literal(valueNode, number ?? unquote(text))
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'assign', target: lowering.make.name(name, lowering.text(name)), value, operator: '=', declares: true, ...span }
}

const sizeOf: Custom = (lowering, node) => {
  const typeNode = lowering.first(node, 'type')
  const valueNode = lowering.first(node, 'value')
  if (typeNode !== undefined) {
    const text = lowering.text(typeNode)
    const size = sizeOfType(text.includes('*') ? '*' : lowering.typeName(typeNode))
    if (size !== undefined) return lowering.make.literal(node, size)
  }
  const operand = valueNode ?? typeNode
  const known = operand === undefined ? null : sizeOfName(lowering, operand)
  if (known !== null) return known
  return lowering.make.call(node, lowering.make.name(node, 'sizeof'), operand === undefined ? [] : [lowering.lower(operand)])
}

const list: Shape = { is: 'list', items: '*' }

export const sharedNodes: LanguageTable['nodes'] = {
  translation_unit: 'block',
  compound_statement: statements,
  expression_statement: expressionStatement,
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
  identifier,
  field_identifier: 'name',
  type_identifier: 'name',
  primitive_type: 'name',
  statement_identifier: 'skip',
  null: 'null',
  true: 'true',
  false: 'false',
  number_literal: (lowering, node) => {
    const text = lowering.text(node)
    const value = parseNumber(text.replace(/^-\s*/, ''))
    if (value === null) return lowering.make.opaque(node, [])
    return lowering.make.literal(node, text.startsWith('-') ? -value : value)
  },
  char_literal: 'char',
  string_literal: 'string',
  concatenated_string: (lowering, node) => ({
    op: 'concat',
    parts: lowering.children(node).map((child) => lowering.lower(child)),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }),
  argument_list: 'args',
  call_expression: call,
  field_expression: { is: 'member', object: 'argument', property: 'field' },
  subscript_expression: (lowering, node) => {
    const object = lowering.first(node, 'argument,#0')
    const index = lowering.first(node, 'index,indices/#0,#1')
    const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
    if (object === undefined || index === undefined) return lowering.make.opaque(node, [])
    return { op: 'index', object: lowering.lower(object), index: lowering.lower(index), ...span }
  },
  pointer_expression: { is: 'unary', operand: 'argument' },
  binary_expression: operators(() => null),
  unary_expression: { is: 'unary', operand: 'argument' },
  update_expression: { is: 'unary', operand: 'argument' },
  cast_expression: { is: 'cast', value: 'value', type: 'type' },
  sizeof_expression: sizeOf,
  assignment_expression: assignment,
  declaration,
  conditional_expression: choice,
  if_statement: ifStatement,
  else_clause: 'through',
  switch_statement: { is: 'switch', subject: 'condition', cases: 'body/%case_statement*', fallsThrough: true },
  case_statement: { is: 'case', tests: 'value', body: '*' },
  for_statement: loop,
  while_statement: loop,
  do_statement: loop,
  return_statement: returnStatement,
  break_statement: 'break',
  continue_statement: 'continue',
  goto_statement: gotoStatement,
  labeled_statement: { is: 'through', of: '#1' },
  initializer_list: list,
  initializer_pair: { is: 'pair', key: 'designator/#0', value: 'value' },
  comma_expression: 'block',
  function_definition: functionDefinition,
  gnu_asm_expression: 'skip',
}

export const c: LanguageTable = {
  readable: (text) => withoutAttributes(withoutSplitStatements(text)),
  self: [],
  constructors: [],
  hasMethods: false,
  strings: { content: ['string_content'], escape: ['escape_sequence'] },
  nodes: sharedNodes,
}
