/** JavaScript, TypeScript and JSX. */
import type { Ir } from '../ir.js'
import { withFields } from '../lowering/lower-fields.js'
import { typeAlias } from './javascript-schemas.js'
import type { Custom, LanguageTable, Lowering, Shape } from '../lowering/shapes.js'
import { unquote } from '../strings.js'

/** `node:fs` and `fs` are one module; a dot in a module's name would read as a member. */
const moduleName = (text: string): string =>
  unquote(text)
    .replace(/^node:/, '')
    .replaceAll('.', '_')

/** `for await (const chunk of stream)` reads the chunks of a stream, which is a call of `%chunks`. */
const forEach: Custom = (lowering, node) => {
  const [target, iterable, body] = ['left', 'right', 'body'].map((field) => lowering.first(node, field))
  const [start, end] = [lowering.startOf(node), lowering.endOf(node)]
  const list = iterable === undefined ? null : lowering.lower(iterable)
  const isAwait = /^for\s{1,9}await\b/.test(lowering.source.slice(start, start + 20))
  return {
    op: 'loop',
    init: null,
    test: null,
    update: null,
    target: target === undefined ? null : lowering.lower(target),
    iterable:
      list !== null && isAwait
        ? lowering.make.call(iterable ?? node, lowering.make.member(iterable ?? node, list, '%chunks'), [])
        : list,
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    bodyFirst: false,
    start,
    end,
  }
}

const importStatement: Custom = (lowering, node) => {
  const source = lowering.first(node, 'source,%import_require_clause/source')
  const module = source === undefined ? '' : moduleName(lowering.text(source))
  const bindings: { local: string; path: string }[] = []
  const clause = lowering.first(node, '%import_clause')
  const required = lowering.first(node, '%import_require_clause/#0')
  if (required !== undefined) bindings.push({ local: lowering.text(required), path: module })
  for (const child of clause === undefined ? [] : lowering.children(clause)) {
    const type = lowering.typeOf(child)
    if (type === 'identifier') bindings.push({ local: lowering.text(child), path: module })
    const namespace = type === 'namespace_import' ? lowering.first(child, '#0') : undefined
    if (namespace !== undefined) bindings.push({ local: lowering.text(namespace), path: module })
    if (type !== 'named_imports') continue
    for (const specifier of lowering.all(child, '%import_specifier*')) {
      const name = lowering.first(specifier, 'name')
      const local = lowering.first(specifier, 'alias,name')
      if (name === undefined || local === undefined) continue
      const imported = lowering.text(name)
      bindings.push({ local: lowering.text(local), path: imported === 'default' ? module : `${module}.${imported}` })
    }
  }
  return { op: 'import', module, bindings, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** `<a href={x}>` is a call of `jsx` with the attributes as named arguments, so that rules can ask about them. */
const jsxElement: Custom = (lowering, node) => {
  const opening = lowering.first(node, 'open_tag,.') ?? node
  const name = lowering.first(opening, 'name')
  const callee = lowering.make.name(node, `jsx.${name === undefined ? 'fragment' : lowering.text(name)}`)
  const tag: Ir = lowering.make.member(
    node,
    lowering.make.name(node, 'jsx'),
    name === undefined ? 'fragment' : lowering.text(name),
  )
  const args = lowering.all(opening, '%jsx_attribute*').flatMap((attribute) => {
    const key = lowering.first(attribute, '#0')
    const value = lowering.first(attribute, '#1')
    if (key === undefined) return []
    return [
      { name: lowering.text(key), value: value === undefined ? lowering.make.literal(attribute, true) : lowering.lower(value) },
    ]
  })
  const children = opening === node ? [] : lowering.children(node).filter((child) => !isTag(lowering, child))
  const inner = children.map((child) => ({ value: lowering.lower(child), name: 'children' }))
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return {
    op: 'call',
    callee: callee.op === 'name' ? tag : callee,
    args: [...args, ...inner],
    isNew: false,
    at: span.start,
    ...span,
  }
}

const isTag = (lowering: Lowering, node: number): boolean =>
  ['jsx_opening_element', 'jsx_closing_element', 'jsx_text'].includes(lowering.typeOf(node))

const functionShape: Shape = {
  is: 'function',
  name: 'name',
  params: 'parameters,parameter',
  body: 'body',
  type: 'return_type',
  decorators: 'decorator*',
  modifiers: '%accessibility_modifier*',
}

/** `constructor(private readonly db: Db)` declares the field `db` and assigns it. */
function withProperties(lowering: Lowering, node: number, member: Ir, members: Ir[]): Ir {
  if (member.op !== 'function' || !member.isConstructor || member.body.op !== 'block') return member
  const assigned = lowering.all(node, 'parameters/*').flatMap((parameter): Ir[] => {
    const pattern = lowering.first(parameter, 'pattern')
    if (pattern === undefined || lowering.typeOf(pattern) !== 'identifier' || !isProperty(lowering, parameter, pattern)) return []
    const target = lowering.lower(pattern)
    const type = lowering.typeName(lowering.first(parameter, 'type'))
    const self = lowering.make.name(pattern, 'this')
    const { start, end } = target
    members.push({ op: 'assign', target, value: null, operator: '=', declares: true, type, start, end })
    const field = lowering.make.member(pattern, self, lowering.text(pattern))
    return [{ op: 'assign', target: field, value: target, operator: '=', declares: false, start, end }]
  })
  return { ...member, body: { ...member.body, body: [...assigned, ...member.body.body] } }
}

/** Decorators of an exported class stand before `export`. */
const exported: Custom = (lowering, node) => {
  const of = lowering.first(node, 'declaration,value,#0')
  const inner = of === undefined ? lowering.make.block(node, []) : lowering.lower(of)
  const decorators = lowering.all(node, 'decorator*').map((at) => lowering.lower(at))
  return inner.op === 'class' && decorators.length > 0 ? { ...inner, decorators: [...decorators, ...inner.decorators] } : inner
}

/** A modifier stands between the decorators and the name. */
function isProperty(lowering: Lowering, parameter: number, pattern: number): boolean {
  const decorator = lowering.all(parameter, 'decorator*').at(-1)
  const from = decorator === undefined ? lowering.startOf(parameter) : lowering.endOf(decorator)
  const before = lowering.source.slice(from, lowering.startOf(pattern))
  return /\b(?:public|private|protected|readonly|override)\b/.test(before)
}

/** Decorators of a TypeScript method are its preceding siblings in the class body. */
const classBody: Custom = (lowering, node) => {
  const members: Ir[] = []
  let decorators: Ir[] = []
  for (const child of lowering.children(node)) {
    if (lowering.typeOf(child) === 'decorator') {
      decorators.push(lowering.lower(child))
      continue
    }
    const member = withProperties(lowering, child, lowering.lower(child), members)
    if (decorators.length > 0 && (member.op === 'function' || member.op === 'assign')) {
      members.push({ ...member, decorators: [...decorators, ...(member.decorators ?? [])] })
    } else members.push(member)
    decorators = []
  }
  return lowering.make.block(node, members)
}

/** `+x` and `~~x` make a number of `x`, as `Number(x)` does. */
const unaryExpression: Custom = (lowering, node) => {
  const argument = lowering.first(node, 'argument')
  const operand = argument === undefined ? lowering.make.opaque(node, []) : lowering.lower(argument)
  const operator = /^(?:[a-z]+|[^\w\s])/.exec(lowering.text(node))?.[0] ?? ''
  const isConversion = (operator === '+' || operator === '~') && operand.op !== 'literal'
  if (isConversion) return lowering.make.call(node, lowering.make.name(node, 'Number'), [operand])
  return { op: 'unary', operator, operand, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** A key such as `$where` is its own name, not a variable. */
const propertyName: Custom = (lowering, node) => {
  const text = lowering.text(node)
  return text.startsWith('$') ? lowering.make.literal(node, text) : lowering.make.name(node, text)
}

const declarator: Shape = { is: 'assign', target: 'name', value: 'value', type: 'type', operator: '=', declares: true }
const declaration: Shape = { is: 'through', of: '%variable_declarator*' }
const classShape: Shape = {
  is: 'class',
  name: 'name',
  bases: '%class_heritage/!extends_clause|implements_clause*,%class_heritage/%extends_clause|implements_clause*/!type_arguments*',
  body: 'body',
  decorators: 'decorator*',
}
const bindingShape: Shape = { is: 'assign', target: 'left', value: 'right', operator: '=' }

/** `{ a = 1 }` in a pattern is the target `a` with a default, not an entry `a: 1`. */
const defaultedEntry: Custom = (lowering, node) => {
  const target = lowering.first(node, 'left')
  const value = lowering.first(node, 'right')
  if (target === undefined || value === undefined) return lowering.make.opaque(node, [])
  return {
    op: 'assign',
    target: lowering.lower(target),
    value: lowering.lower(value),
    operator: '=',
    declares: true,
    decorators: [],
    modifiers: [],
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

export const javascript: LanguageTable = {
  self: [],
  constructors: ['constructor'],
  loaders: ['require', 'import'],
  strings: {
    content: ['string_fragment', 'regex_pattern', 'html_character_reference'],
    escape: ['escape_sequence'],
    ignore: ['regex_flags'],
  },
  nodes: {
    import_statement: importStatement,
    identifier: 'name',
    property_identifier: propertyName,
    import: 'name',
    private_property_identifier: 'name',
    shorthand_property_identifier: 'name',
    statement_identifier: 'skip',
    type_identifier: 'name',
    predefined_type: 'name',
    this: 'self',
    super: 'name',
    undefined: 'null',
    null: 'null',
    true: 'true',
    false: 'false',
    number: 'number',
    string: 'string',
    template_string: 'string',
    regex: 'regex',
    template_substitution: 'through',
    jsx_expression: 'through',
    jsx_element: jsxElement,
    jsx_self_closing_element: jsxElement,
    arguments: 'args',
    formal_parameters: 'args',
    type_annotation: 'skip',
    type_arguments: 'skip',
    type_parameters: 'skip',
    interface_declaration: withFields('body/%property_signature*'),
    type_alias_declaration: typeAlias,
    accessibility_modifier: 'skip',
    override_modifier: 'skip',
    decorator: 'through',
    statement_block: 'block',
    program: 'block',
    class_body: classBody,
    export_statement: exported,
    lexical_declaration: declaration,
    variable_declaration: declaration,
    variable_declarator: declarator,
    field_definition: {
      is: 'assign',
      target: 'property',
      value: 'value',
      operator: '=',
      declares: true,
      decorators: 'decorator*',
    },
    public_field_definition: {
      is: 'assign',
      target: 'name',
      value: 'value',
      type: 'type',
      operator: '=',
      declares: true,
      decorators: 'decorator*',
    },
    enum_assignment: { is: 'assign', target: 'name', value: 'value', operator: '=', declares: true },
    assignment_expression: { is: 'assign', target: 'left', value: 'right' },
    augmented_assignment_expression: { is: 'assign', target: 'left', value: 'right' },
    assignment_pattern: bindingShape,
    object_assignment_pattern: defaultedEntry,
    shorthand_property_identifier_pattern: 'name',
    object_pattern: { is: 'map', entries: '*' },
    array_pattern: { is: 'list', items: '*', holes: true },
    pair_pattern: { is: 'pair', key: 'key', value: 'value' },
    rest_pattern: { is: 'spread', value: '#0' },
    required_parameter: { is: 'param', name: 'pattern', type: 'type', value: 'value', decorators: 'decorator*' },
    optional_parameter: { is: 'param', name: 'pattern', type: 'type', value: 'value', decorators: 'decorator*' },
    call_expression: { is: 'call', callee: 'function', args: 'arguments' },
    new_expression: { is: 'call', callee: 'constructor', args: 'arguments', isNew: true },
    member_expression: { is: 'member', object: 'object', property: 'property' },
    subscript_expression: { is: 'index', object: 'object', index: 'index' },
    binary_expression: { is: 'binary', left: 'left', right: 'right' },
    unary_expression: unaryExpression,
    update_expression: { is: 'unary', operand: 'argument' },
    ternary_expression: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    if_statement: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    else_clause: 'through',
    switch_statement: { is: 'switch', subject: 'value', cases: 'body/*', fallsThrough: true },
    switch_case: { is: 'case', tests: 'value', body: 'body*' },
    switch_default: { is: 'case', body: 'body*' },
    for_statement: { is: 'loop', init: 'initializer', test: 'condition', update: 'increment', body: 'body' },
    for_in_statement: forEach,
    while_statement: { is: 'loop', test: 'condition', body: 'body' },
    do_statement: { is: 'loop', test: 'condition', body: 'body', bodyFirst: true },
    try_statement: { is: 'try', body: 'body', catches: 'handler*', finalizer: 'finalizer' },
    catch_clause: { is: 'catch', parameter: 'parameter', body: 'body' },
    return_statement: { is: 'jump', kind: 'return' },
    throw_statement: { is: 'jump', kind: 'throw' },
    break_statement: 'break',
    continue_statement: 'continue',
    object: { is: 'map', entries: '*' },
    pair: { is: 'pair', key: 'key', value: 'value' },
    computed_property_name: 'through',
    array: { is: 'list', items: '*' },
    spread_element: { is: 'spread', value: '#0' },
    function_declaration: functionShape,
    generator_function_declaration: functionShape,
    method_definition: functionShape,
    function_expression: { ...functionShape, declares: false },
    function: { ...functionShape, declares: false },
    generator_function: { ...functionShape, declares: false },
    arrow_function: { ...functionShape, declares: false },
    class_declaration: classShape,
    abstract_class_declaration: classShape,
    class: classShape,
    as_expression: { is: 'through', of: '#0' },
    satisfies_expression: { is: 'through', of: '#0' },
    non_null_expression: 'through',
    type_assertion: { is: 'through', of: '#1' },
    sequence_expression: 'block',
  },
}
