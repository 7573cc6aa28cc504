/** Go. */
import type { Ir } from '../ir.js'
import { shapeOf } from '../lowering/lower-fields.js'
import type { Custom, LanguageTable, Lowering, Shape } from '../lowering/shapes.js'
import { unquote } from '../strings.js'

/** A package is known by its default name: the last path segment that is not a version. */
const packageName = (path: string): string => {
  const parts = path.split('/')
  const last = parts.at(-1) ?? path
  const name = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last
  return name
    .replace(/\.v\d+$/, '')
    .replace(/^go-|-go$/, '')
    .replaceAll(/[-.]/g, '_')
}

const importDeclaration: Custom = (lowering, node) => {
  const specs = lowering.all(node, '%import_spec_list/%import_spec*,%import_spec')
  const imports = specs.map((spec) => {
    const path = unquote(lowering.text(lowering.first(spec, 'path') ?? spec))
    const alias = lowering.first(spec, 'name')
    const local = alias === undefined ? packageName(path) : lowering.text(alias)
    return { path, binding: { local, path: packageName(path) } }
  })
  const bindings = imports.map((one) => one.binding)
  const modules = imports.map((one) => one.path).join(' ')
  return { op: 'import', module: modules, bindings, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const rangeOrClause: Custom = (lowering, node) => {
  const clause = lowering.first(node, '%for_clause|range_clause')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const part = (from: number | undefined, selector: string): Ir | null => {
    const found = from === undefined ? undefined : lowering.first(from, selector)
    return found === undefined ? null : lowering.lower(found)
  }
  const body = part(node, 'body') ?? lowering.make.block(node, [])
  if (clause !== undefined && lowering.typeOf(clause) === 'range_clause') {
    const targets = lowering.all(clause, 'left/*,left').map((at) => lowering.lower(at))
    const target = targets.at(-1) ?? null
    const iterable = part(clause, 'right')
    return {
      op: 'loop',
      init: null,
      test: null,
      update: null,
      target,
      iterable,
      body: targets.length === 2 ? withKey(lowering, node, targets[0], iterable, body) : body,
      bodyFirst: false,
      ...span,
    }
  }
  const source = clause ?? node
  const test = clause === undefined ? part(node, '!block') : part(source, 'condition')
  const init = clause === undefined ? null : part(source, 'initializer')
  const update = clause === undefined ? null : part(source, 'update')
  return { op: 'loop', init, test, update, target: null, iterable: null, body, bodyFirst: false, ...span }
}

/** `for k, v := range m`: what `k` is says the type of `m`, so the body begins with `k := #key(m)`. */
function withKey(lowering: Lowering, node: number, target: Ir | undefined, iterable: Ir | null, body: Ir): Ir {
  if (target?.op !== 'name' || target.name === '_' || iterable === null) return body
  const value = lowering.make.call(node, lowering.make.name(node, '#key'), [iterable])
  const span = { start: lowering.startOf(node), end: lowering.startOf(node) }
  return lowering.make.block(node, [{ op: 'assign', target, value, operator: '=', declares: true, ...span }, body])
}

/** `T{A: x}` is a construction with named arguments; slices and maps are collections. */
const compositeLiteral: Custom = (lowering, node) => {
  const type = lowering.first(node, 'type')
  const body = lowering.first(node, 'body')
  const values = body === undefined ? lowering.make.block(node, []) : lowering.lower(body)
  const kind = type === undefined ? '' : lowering.typeOf(type)
  if (['slice_type', 'array_type', 'map_type', 'implicit_length_array_type'].includes(kind)) return values
  const callee = type === undefined ? lowering.make.name(node, '') : lowering.lower(type)
  const args = values.op === 'collection' ? values.entries : []
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return {
    op: 'call',
    callee,
    args: args.map((entry) => ({
      value: entry.value,
      ...(entry.key?.op === 'literal' && typeof entry.key.value === 'string' ? { name: entry.key.value } : {}),
    })),
    isNew: true,
    at: span.start,
    ...span,
  }
}

/** In a condition `allowed[x]` asks whether the map has the key; `ok` stands for it in `if _, ok := allowed[x]; !ok`. */
const membership = (test: Ir, found: Ir | null): Ir => {
  const asked = test.op === 'index' ? test : test.op === 'name' && test.name === 'ok' ? found : null
  if (asked?.op === 'index') {
    const span = { start: asked.start, end: asked.end }
    const callee: Ir = { op: 'member', object: asked.object, property: 'contains', ...span }
    return { op: 'call', callee, args: [{ value: asked.index }], isNew: false, at: span.start, ...span }
  }
  if (test.op === 'unary' && test.operator === '!') return { ...test, operand: membership(test.operand, found) }
  if (test.op !== 'binary' || (test.operator !== '&&' && test.operator !== '||')) return test
  return { ...test, left: membership(test.left, found), right: membership(test.right, found) }
}

const ifStatement: Custom = (lowering, node) => {
  const part = (selector: string): Ir | null => {
    const found = lowering.first(node, selector)
    return found === undefined ? null : lowering.lower(found)
  }
  const init = part('initializer')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const conditional: Ir = {
    op: 'if',
    test: membership(part('condition') ?? lowering.make.opaque(node, []), init?.op === 'assign' ? init.value : null),
    then: part('consequence') ?? lowering.make.block(node, []),
    otherwise: part('alternative'),
    ...span,
  }
  return init === null ? conditional : { op: 'block', body: [init, conditional], ...span }
}

const assignment: Shape = { is: 'assign', target: 'left', value: 'right' }
const oneOrList: Custom = (lowering, node) => {
  const children = lowering.children(node)
  const [only] = children
  if (children.length === 1 && only !== undefined) return lowering.lower(only)
  const entries = children.map((child) => ({ key: null, value: lowering.lower(child), spread: false }))
  return { op: 'collection', kind: 'list', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
}
const spec: Shape = { is: 'assign', target: 'name*', value: 'value', type: 'type', operator: '=', declares: true }
const caseShape: Shape = { is: 'case', tests: 'value/*,value', body: '%statement_list/*' }

/** `list[1:3]`. */
const slice: Custom = (lowering, node) => {
  const bound = (name: string): Ir => {
    const at = lowering.first(node, name)
    return at === undefined ? lowering.make.literal(node, null) : lowering.lower(at)
  }
  const object = lowering.lower(lowering.first(node, 'operand') ?? node)
  return lowering.make.call(node, lowering.make.name(node, '%slice'), [object, bound('start'), bound('end')])
}

/** What structs hold; all other types say nothing of themselves. */
const typeDeclaration: Custom = (lowering, node) =>
  lowering.make.block(
    node,
    lowering.all(node, '%type_spec*').flatMap((spec): Ir[] => {
      const fields = lowering.all(spec, 'type/%field_declaration_list/%field_declaration*')
      const name = lowering.first(spec, 'name')
      if (fields.length === 0 || name === undefined) return []
      return [shapeOf(lowering, node, lowering.text(name), fields)]
    }),
  )

export const go: LanguageTable = {
  self: [],
  constructors: [],
  typeNames: 'package',
  typeAliases: /^type (\w+) (?:= )?(\w+\.\w+)$/gm,
  ignoredTargets: ['err', 'ok', '_'],
  importsPackages: true,
  strings: {
    content: ['interpreted_string_literal_content', 'raw_string_literal_content'],
    escape: ['escape_sequence'],
  },
  nodes: {
    import_declaration: importDeclaration,
    package_clause: 'skip',
    source_file: 'block',
    block: 'block',
    statement_list: 'block',
    identifier: 'name',
    package_identifier: 'name',
    field_identifier: 'name',
    type_identifier: 'name',
    blank_identifier: 'name',
    qualified_type: { is: 'member', object: 'package', property: 'name' },
    pointer_type: 'through',
    label_name: 'skip',
    type_declaration: typeDeclaration,
    nil: 'null',
    true: 'true',
    false: 'false',
    iota: (lowering, node) => lowering.make.opaque(node, []),
    int_literal: 'number',
    float_literal: 'number',
    rune_literal: 'char',
    interpreted_string_literal: 'string',
    raw_string_literal: 'raw-string',
    argument_list: 'args',
    parameter_list: 'args',
    parameter_declaration: { is: 'param', name: 'name*', type: 'type' },
    variadic_parameter_declaration: { is: 'param', name: 'name', type: 'type', rest: true },
    variadic_argument: { is: 'spread', value: '#0' },
    call_expression: { is: 'call', callee: 'function', args: 'arguments' },
    selector_expression: { is: 'member', object: 'operand', property: 'field' },
    index_expression: { is: 'index', object: 'operand', index: 'index' },
    slice_expression: slice,
    binary_expression: { is: 'binary', left: 'left', right: 'right' },
    unary_expression: { is: 'unary', operand: 'operand' },
    inc_statement: { is: 'unary', operand: '#0' },
    dec_statement: { is: 'unary', operand: '#0' },
    type_conversion_expression: { is: 'cast', value: 'operand', type: 'type' },
    type_assertion_expression: { is: 'cast', value: 'operand', type: 'type' },
    expression_list: oneOrList,
    short_var_declaration: { ...assignment, operator: '=', declares: true },
    assignment_statement: assignment,
    const_declaration: { is: 'through', of: '%const_spec*' },
    var_declaration: { is: 'through', of: '%var_spec_list/%var_spec*,%var_spec*' },
    const_spec: spec,
    var_spec: spec,
    if_statement: ifStatement,
    for_statement: rangeOrClause,
    expression_switch_statement: { is: 'switch', subject: 'value', cases: '%expression_case|default_case*' },
    type_switch_statement: { is: 'switch', subject: 'value', cases: '%type_case|default_case*' },
    select_statement: { is: 'switch', cases: '%communication_case|default_case*' },
    expression_case: caseShape,
    type_case: { is: 'case', tests: 'type', body: '%statement_list/*' },
    communication_case: { is: 'case', tests: 'communication', body: '%statement_list/*' },
    default_case: { is: 'case', body: '%statement_list/*' },
    send_statement: (lowering, node) => {
      const [channel, value] = lowering.children(node)
      if (channel === undefined || value === undefined) return lowering.make.opaque(node, [])
      return lowering.make.call(node, lowering.make.member(node, lowering.lower(channel), 'push'), [lowering.lower(value)])
    },
    receive_statement: { is: 'assign', target: 'left', value: 'right', operator: '=' },
    return_statement: { is: 'jump', kind: 'return' },
    goto_statement: { is: 'jump', kind: 'return' },
    break_statement: 'break',
    continue_statement: 'continue',
    go_statement: { is: 'call', named: 'go', args: '#0' },
    defer_statement: 'through',
    labeled_statement: { is: 'through', of: '#1' },
    composite_literal: compositeLiteral,
    literal_value: (lowering, node) => {
      const children = lowering.children(node)
      const isMap = children.some((child) => lowering.typeOf(child) === 'keyed_element')
      const entries = children.map((child) => {
        const [key, value] = lowering.children(child)
        if (!isMap || key === undefined || value === undefined) return { key: null, value: lowering.lower(child), spread: false }
        const lowered = lowering.lower(key)
        return {
          key: lowered.op === 'name' ? lowering.make.literal(key, lowered.name) : lowered,
          value: lowering.lower(value),
          spread: false,
        }
      })
      const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
      return { op: 'collection', kind: isMap ? 'map' : 'list', entries, ...span }
    },
    literal_element: 'through',
    function_declaration: { is: 'function', name: 'name', params: 'parameters', body: 'body' },
    method_declaration: { is: 'function', name: 'name', params: 'parameters', body: 'body', receiver: 'receiver/#0' },
    func_literal: { is: 'function', params: 'parameters', body: 'body', declares: false },
    parenthesized_type: 'through',
    slice_type: 'skip',
    map_type: 'skip',
  },
}
