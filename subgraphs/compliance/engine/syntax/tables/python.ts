/** Python 2 and 3. */
import type { Ir, Parameter } from '../ir.js'
import type { Custom, LanguageTable, Shape } from '../lowering/shapes.js'
import { decodeKnown, quoted } from './quoted.js'

const importStatement: Custom = (lowering, node) => {
  const moduleNode = lowering.first(node, 'module_name')
  const module = moduleNode === undefined ? '' : lowering.text(moduleNode).replace(/^\.+/, '')
  const prefix = module === '' ? '' : `${module}.`
  const bindings = lowering.all(node, 'name*').flatMap((item) => {
    const name = lowering.text(lowering.first(item, 'name') ?? item)
    const alias = lowering.first(item, 'alias')
    if (alias !== undefined) return [{ local: lowering.text(alias), path: prefix + name }]
    if (moduleNode !== undefined) return [{ local: name, path: prefix + name }]
    const top = name.split('.')[0] ?? name
    return [{ local: top, path: top }]
  })
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'import', module: module === '' ? (bindings[0]?.path ?? '') : module, bindings, ...span }
}

/** `a < b in c`: the operators stand between the operands. */
const comparison: Custom = (lowering, node) => {
  const operands = lowering.children(node)
  let result: Ir | undefined
  for (let at = 1; at < operands.length; at++) {
    const left = operands[at - 1] ?? node
    const right = operands[at] ?? node
    const operator = lowering.source
      .slice(lowering.endOf(left), lowering.startOf(right))
      .replaceAll(/[()\\]/g, '')
      .trim()
    const span = { start: lowering.startOf(left), end: lowering.endOf(right) }
    const one: Ir = {
      op: 'binary',
      operator: operator.replaceAll(/\s+/g, ' '),
      left: lowering.lower(left),
      right: lowering.lower(right),
      ...span,
    }
    result = result === undefined ? one : { op: 'binary', operator: '&&', left: result, right: one, ...span }
  }
  return result ?? lowering.make.opaque(node, [])
}

const conditional: Custom = (lowering, node) => {
  const [then, test, otherwise] = lowering.children(node)
  if (then === undefined || test === undefined || otherwise === undefined) return lowering.make.opaque(node, [])
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'if', test: lowering.lower(test), then: lowering.lower(then), otherwise: lowering.lower(otherwise), ...span }
}

/** `[f(x) for x in y if z]` is a loop whose value is the list of its body. */
const comprehension: Custom = (lowering, node) => {
  const body = lowering.first(node, 'body')
  const clauses = lowering.children(node).filter((child) => child !== body)
  const steps = clauses.flatMap((clause): Ir[] => {
    if (lowering.typeOf(clause) !== 'for_in_clause') return [lowering.lower(clause)]
    const target = lowering.first(clause, 'left')
    const iterable = lowering.first(clause, 'right')
    if (target === undefined || iterable === undefined) return []
    const value: Ir = {
      op: 'call',
      callee: lowering.make.name(clause, '%element'),
      args: [{ value: lowering.lower(iterable) }],
      isNew: false,
      at: lowering.startOf(clause),
      start: lowering.startOf(clause),
      end: lowering.endOf(clause),
    }
    return [
      { op: 'assign', target: lowering.lower(target), value, operator: '=', declares: true, start: value.start, end: value.end },
    ]
  })
  const element = body === undefined ? lowering.make.opaque(node, []) : lowering.lower(body)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const list: Ir = { op: 'collection', kind: 'list', entries: [{ key: null, value: element, spread: true }], ...span }
  return { op: 'block', body: [...steps, list], ...span }
}

const withItem: Custom = (lowering, node) => {
  const value = lowering.first(node, 'value')
  if (value === undefined) return lowering.make.opaque(node, [])
  return lowering.lower(value)
}

const asPattern: Custom = (lowering, node) => {
  const alias = lowering.first(node, 'alias/#0,alias')
  const value = lowering.first(node, '#0')
  if (alias === undefined || value === undefined) return lowering.make.opaque(node, [])
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'assign', target: lowering.lower(alias), value: lowering.lower(value), operator: '=', declares: true, ...span }
}

/** Decorators belong to the definition. */
const decorated: Custom = (lowering, node) => {
  const definition = lowering.first(node, 'definition')
  if (definition === undefined) return lowering.make.opaque(node, [])
  const decorators = lowering.all(node, '%decorator*').map((decorator) => lowering.lower(decorator))
  const lowered = lowering.lower(definition)
  if (lowered.op === 'function') return { ...lowered, decorators, parameters: routed(lowered.parameters, decorators) }
  return lowered.op === 'class' ? { ...lowered, decorators } : lowered
}

/** `@app.route('/users/<int:id>')` gives the parameter `id` a type. */
function routed(parameters: readonly Parameter[], decorators: readonly Ir[]): Parameter[] {
  const types = new Map<string, string>()
  for (const decorator of decorators) {
    const route = decorator.op === 'call' ? decorator.args[0]?.value : undefined
    if (route?.op !== 'literal' || typeof route.value !== 'string') continue
    for (const [, type = '', name = ''] of route.value.matchAll(/<(int|float|uuid)(?:\([^)]{0,80}\))?:(\w{1,80})>/g))
      types.set(name, type)
  }
  return parameters.map((parameter) => ({ ...parameter, type: parameter.type ?? types.get(parameter.name) }))
}

const string: Custom = (lowering, node) => {
  const isRaw = /^[a-z]{0,3}/i.exec(lowering.text(node).slice(0, 4))?.[0].toLowerCase().includes('r') === true
  return quoted(lowering, node, (child, type) => {
    if (type === 'string_content') return isRaw ? lowering.text(child) : decodeKnown(lowering.text(child))
    return type === 'interpolation' ? null : ''
  })
}

/** `list[1:3]`; with a step nothing is known of the positions. */
const subscript: Custom = (lowering, node) => {
  const object = lowering.lower(lowering.first(node, 'value') ?? node)
  const index = lowering.first(node, 'subscript') ?? node
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  // `grid[row, column]` and `Annotated[User, Depends(current_user)]` are asked with a tuple.
  const [, ...parts] = lowering.children(node).filter((one) => lowering.typeOf(one) !== 'comment')
  if (parts.length > 1) {
    const entries = parts.map((one) => ({ key: null, value: lowering.lower(one), spread: false }))
    return { op: 'index', object, index: { op: 'collection', kind: 'list', entries, ...span }, ...span }
  }
  if (lowering.typeOf(index) !== 'slice') return { op: 'index', object, index: lowering.lower(index), ...span }
  const [from = '', to = '', step] = lowering.text(index).split(':')
  const bounds = lowering.children(index).map((child) => lowering.lower(child))
  const first = from.trim() === '' ? lowering.make.literal(index, null) : bounds.shift()
  const second = to.trim() === '' ? lowering.make.literal(index, null) : bounds.shift()
  const known = step === undefined && first !== undefined && second !== undefined ? [first, second] : []
  return lowering.make.call(node, lowering.make.name(node, '%slice'), [object, ...known])
}

const functionShape: Shape = { is: 'function', name: 'name', params: 'parameters', body: 'body', type: 'return_type' }
const list: Shape = { is: 'list', items: '*' }
const branch: Shape = { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative*' }

export const python: LanguageTable = {
  self: ['self', 'cls'],
  constructors: ['__init__'],
  loaders: ['__import__', 'import_module'],
  casesBind: true,
  strings: {
    content: ['string_content'],
    escape: ['escape_sequence'],
    ignore: ['string_start', 'string_end', 'escape_interpolation'],
  },
  nodes: {
    import_statement: importStatement,
    import_from_statement: importStatement,
    future_import_statement: 'skip',
    module: 'block',
    block: 'block',
    identifier: 'name',
    dotted_name: 'name',
    none: 'null',
    true: 'true',
    false: 'false',
    integer: 'number',
    float: 'number',
    string,
    concatenated_string: (lowering, node) => ({
      op: 'concat',
      parts: lowering.children(node).map((child) => lowering.lower(child)),
      start: lowering.startOf(node),
      end: lowering.endOf(node),
    }),
    // `{x!r}` is the text of `repr(x)`.
    interpolation: (lowering, node) => {
      const value = lowering.first(node, 'expression,#0')
      if (value === undefined) return lowering.make.opaque(node, [])
      const shown = lowering.lower(value)
      const isRepr = lowering.text(lowering.first(node, '%type_conversion') ?? value) === '!r'
      return isRepr ? lowering.make.call(node, lowering.make.name(node, 'repr'), [shown]) : shown
    },
    argument_list: 'args',
    parameters: 'args',
    lambda_parameters: 'args',
    keyword_argument: { is: 'argument', name: 'name', value: 'value' },
    list_splat: { is: 'spread', value: '#0' },
    dictionary_splat: { is: 'spread', value: '#0' },
    list_splat_pattern: { is: 'spread', value: '#0' },
    dictionary_splat_pattern: { is: 'spread', value: '#0' },
    typed_parameter: { is: 'param', name: '#0', type: 'type' },
    default_parameter: { is: 'param', name: 'name', value: 'value' },
    typed_default_parameter: { is: 'param', name: 'name', type: 'type', value: 'value' },
    type: 'skip',
    keyword_separator: 'skip',
    positional_separator: 'skip',
    call: { is: 'call', callee: 'function', args: 'arguments' },
    print_statement: { is: 'call', named: 'print', args: '*' },
    exec_statement: { is: 'call', named: 'exec', args: '#0' },
    attribute: { is: 'member', object: 'object', property: 'attribute' },
    subscript,
    slice: (lowering, node) => lowering.make.opaque(node, []),
    assignment: { is: 'assign', target: 'left', value: 'right', type: 'type', operator: '=', declares: false },
    augmented_assignment: { is: 'assign', target: 'left', value: 'right' },
    named_expression: { is: 'assign', target: 'name', value: 'value', operator: '=' },
    pattern_list: list,
    tuple_pattern: list,
    list_pattern: list,
    expression_list: list,
    tuple: list,
    list,
    set: list,
    dictionary: { is: 'map', entries: '*' },
    pair: { is: 'pair', key: 'key', value: 'value' },
    list_comprehension: comprehension,
    set_comprehension: comprehension,
    dictionary_comprehension: comprehension,
    generator_expression: comprehension,
    binary_operator: { is: 'binary', left: 'left', right: 'right' },
    boolean_operator: { is: 'binary', left: 'left', right: 'right' },
    comparison_operator: comparison,
    not_operator: { is: 'unary', operand: 'argument' },
    unary_operator: { is: 'unary', operand: 'argument' },
    conditional_expression: conditional,
    if_statement: branch,
    elif_clause: branch,
    else_clause: { is: 'through', of: 'body' },
    for_statement: { is: 'loop', target: 'left', iterable: 'right', body: 'body' },
    while_statement: { is: 'loop', test: 'condition', body: 'body' },
    with_statement: { is: 'through', of: '*' },
    with_clause: 'block',
    with_item: withItem,
    as_pattern: asPattern,
    as_pattern_target: 'through',
    try_statement: {
      is: 'try',
      body: '%block|else_clause*',
      catches: '%except_clause|except_group_clause*',
      finalizer: '%finally_clause',
    },
    except_clause: {
      is: 'catch',
      parameter: 'value/alias/#0,alias/#0',
      types: 'value/%tuple/*,value/%identifier|attribute,value',
      body: '%block',
    },
    finally_clause: { is: 'through', of: '%block' },
    match_statement: { is: 'switch', subject: 'subject', cases: 'body/%case_clause*' },
    case_clause: { is: 'case', tests: '%case_pattern*', guard: 'guard', body: 'consequence' },
    return_statement: { is: 'jump', kind: 'return' },
    raise_statement: { is: 'jump', kind: 'throw' },
    yield: { is: 'jump', kind: 'yield' },
    break_statement: 'break',
    continue_statement: 'continue',
    pass_statement: 'skip',
    assert_statement: { is: 'call', named: 'assert', args: '*' },
    delete_statement: { is: 'call', named: 'del', args: '*' },
    function_definition: functionShape,
    lambda: { ...functionShape, declares: false },
    class_definition: { is: 'class', name: 'name', bases: 'superclasses/%identifier|attribute|subscript*', body: 'body' },
    decorated_definition: decorated,
    decorator: 'through',
  },
}
