/** C++: C's table, classes, and streams as calls. */
import type { Ir } from '../ir.js'
import type { Custom, LanguageTable, Lowering } from '../lowering/shapes.js'
import { sharedNodes } from './c.js'
import { withoutAttributes } from './c-attributes.js'
import { withoutSplitStatements } from './c-conditionals.js'
import { declaration, parametersOf } from './c-declarations.js'
import { withRest } from './c-variadic.js'
import { freedPlace, loop, operators, withMemory } from './c-statements.js'
import { unsetFields } from './cpp-classes.js'
import { copiedOwner, plainDestructor } from './cpp-lifetime.js'

/** `std::` is left out of names, other scopes are members: `fs::path` -> `fs.path`. */
const qualified: Custom = (lowering, node) => {
  const parts = lowering
    .text(node)
    .replaceAll(/<[^<>]*>/g, '')
    .split('::')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'std')
  const [first = '', ...rest] = parts.slice(-2)
  const head = lowering.make.name(node, first)
  return rest.reduce<Ir>((object, property) => lowering.make.member(node, object, property), head)
}

/** `cin >> x >> y` and `cout << x` move data, and are far more common than shifts: one call for the whole chain. */
const binary: Custom = operators((lowering, node, operator, left, right) => {
  if ((operator !== '<<' && operator !== '>>') || left.op === 'literal') return null
  const name = `operator${operator}`
  const isChain = left.op === 'call' && left.callee.op === 'name' && left.callee.name === name
  if (isChain) return { ...left, args: [...left.args, { value: right }], end: lowering.endOf(node) }
  return lowering.make.call(node, lowering.make.name(node, name), [left, right])
})

const lambda: Custom = (lowering, node) => {
  const list = lowering.first(node, 'declarator/parameters')
  const body = lowering.first(node, 'body')
  return {
    op: 'function',
    name: '',
    declares: false,
    parameters: list === undefined ? [] : parametersOf(lowering, list),
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    decorators: [],
    modifiers: [],
    isExpressionBody: false,
    isConstructor: false,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

/** `static_cast<int>(x)` is a cast. */
const call: Custom = (lowering, node) => {
  const callee = lowering.first(node, 'function')
  const list = lowering.first(node, 'arguments')
  const args = list === undefined ? [] : lowering.children(list).map((child) => ({ value: lowering.lower(child) }))
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (callee === undefined)
    return lowering.make.opaque(
      node,
      args.map((arg) => arg.value),
    )
  const [first] = args
  if (first !== undefined && /^(?:boost::)?(?:asio|net)::(?:dynamic_)?buffer$/.test(lowering.text(callee))) return first.value
  const cast = /^(?:static|dynamic|reinterpret|const)_cast\s*</.test(lowering.text(callee))
  const type = lowering.typeName(lowering.first(callee, 'arguments/#0'))
  const [value] = args
  if (cast && value !== undefined) return { op: 'cast', type: type ?? '', value: value.value, ...span }
  const lowered = lowering.lower(callee)
  const at = lowered.op === 'member' ? Math.max(lowered.start, lowered.end - lowered.property.length) : lowered.start
  const rested = withRest(
    lowered,
    args.map(({ value: one }) => one),
  ).map((one) => ({ value: one }))
  const made = withMemory(lowering, node, { op: 'call', callee: lowered, args: rested, isNew: false, at, ...span })
  const asked = askedNumber(lowering, callee)
  return asked === null ? made : { op: 'cast', type: asked, value: made, ...span }
}

/** `row.as<int>()`, `doc.get<double>("x")`: a method that is asked for a number answers with one, whatever it reads. */
function askedNumber(lowering: Lowering, callee: number): string | null {
  const field = lowering.typeOf(callee) === 'field_expression' ? lowering.first(callee, 'field') : undefined
  if (field === undefined || lowering.typeOf(field) !== 'template_method') return null
  const [, type] =
    /<\s*(?:std::)?((?:u?int(?:16|32|64)?_t|s?size_t|bool|(?:unsigned )?(?:int|long)|float|double))\s*>$/.exec(
      lowering.text(field),
    ) ?? []
  return type?.split(' ').at(-1) ?? null
}

const fieldInitializer: Custom = (lowering, node) => {
  const [name, list] = lowering.children(node)
  if (name === undefined) return lowering.make.opaque(node, [])
  const values = list === undefined ? [] : lowering.children(list).map((child) => lowering.lower(child))
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const target = lowering.make.member(name, lowering.make.name(name, 'this'), lowering.text(name))
  const [only] = values
  const value = values.length === 1 && only !== undefined ? only : lowering.make.opaque(node, values)
  return { op: 'assign', target, value, operator: '=', declares: false, ...span }
}

/** `{{"role", "user"}, {"content", text}}` is what other languages write as a map. */
const listOrPairs: Custom = (lowering, node) => {
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const items = lowering.children(node)
  const pairs = items.map((item) => (lowering.typeOf(item) === 'initializer_list' ? lowering.children(item) : []))
  const arePairs =
    pairs.length > 0 &&
    pairs.every(
      ([key, value, more]) =>
        key !== undefined && value !== undefined && more === undefined && lowering.typeOf(key) === 'string_literal',
    )
  const entries = arePairs
    ? pairs.map(([key, value]) => ({ key: lowering.lower(key ?? node), value: lowering.lower(value ?? node), spread: false }))
    : items.map((item) => ({ key: null, value: lowering.lower(item), spread: false }))
  return { op: 'collection', kind: arePairs ? 'map' : 'list', entries, ...span }
}

const newExpression: Custom = (lowering, node) => {
  const type = lowering.typeName(lowering.first(node, 'type')) ?? ''
  const length = lowering.first(node, 'declarator/length')
  const list = lowering.first(node, 'arguments')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (length !== undefined) {
    const callee = lowering.make.name(node, 'new[]')
    return {
      op: 'call',
      callee,
      args: [{ value: lowering.lower(length) }, { value: lowering.make.name(node, type) }],
      isNew: true,
      at: span.start,
      ...span,
    }
  }
  const args = list === undefined ? [] : lowering.children(list).map((child) => ({ value: lowering.lower(child) }))
  return { op: 'call', callee: lowering.make.name(node, type), args, isNew: true, at: span.start, ...span }
}

const rangeLoop: Custom = (lowering, node) => {
  const declarator = lowering.first(node, 'declarator')
  const right = lowering.first(node, 'right')
  const body = lowering.first(node, 'body')
  return {
    op: 'loop',
    init: null,
    test: null,
    update: null,
    target: declarator === undefined ? null : lowering.make.name(declarator, lowering.text(declarator).replace(/^[&*\s]+/, '')),
    iterable: right === undefined ? null : lowering.lower(right),
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    bodyFirst: false,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

/** What a file or a namespace declares, with what is wrong with the constructors and destructors of its classes. */
const declarations: Custom = (lowering, node) =>
  lowering.make.block(
    node,
    lowering.children(node).flatMap((child) => {
      const isClass = /^(?:class|struct)_specifier$/.test(lowering.typeOf(child))
      return [lowering.lower(child), ...(isClass ? wrongs.flatMap((wrong) => wrong(lowering, child)) : [])]
    }),
  )

const wrongs = [plainDestructor, copiedOwner, unsetFields]

const throwStatement: Custom = (lowering, node) => {
  const value = lowering.first(node, '#0')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'jump', kind: 'throw', value: value === undefined ? null : lowering.lower(value), ...span }
}

const deletion: Custom = (lowering, node) => {
  const isArray = /^(?:::)?\s*delete\s*\[/.test(lowering.text(node))
  const operand = lowering.children(node).at(-1)
  // `bool operator<(T, T) = delete;` reads like a `delete` of nothing.
  if (operand !== undefined && lowering.text(operand) === '') return lowering.make.block(node, [])
  const freed = operand === undefined ? [] : [freedPlace(lowering, operand, lowering.lower(operand))]
  return lowering.make.call(node, lowering.make.name(node, isArray ? 'delete[]' : 'delete'), freed)
}

/** `using Response = http::server_response;`: another name for a class. */
const alias: Custom = (lowering, node) => {
  const [, local = '', path = ''] =
    /^using\s+(\w+)\s*=\s*(?:struct\s+|class\s+|typename\s+)?(?:::)?((?:\w+::){0,8}\w+)\s*;?$/.exec(lowering.text(node)) ?? []
  const name = path.replace(/^std::/, '').replaceAll('::', '.')
  const bindings = local === '' || !/^[A-Z]|\./.test(name) ? [] : [{ local, path: name }]
  return { op: 'import', module: name, bindings, start: lowering.startOf(node), end: lowering.endOf(node) }
}

export const cpp: LanguageTable = {
  readable: (text) => withoutAttributes(withoutSplitStatements(text)),
  self: ['this'],
  constructors: [],
  implicitThis: true,
  strings: { content: ['string_content', 'raw_string_content'], escape: ['escape_sequence'], ignore: ['raw_string_delimiter'] },
  nodes: {
    ...sharedNodes,
    namespace_definition: { is: 'through', of: 'body' },
    translation_unit: declarations,
    declaration_list: declarations,
    field_declaration_list: 'block',
    template_declaration: { is: 'through', of: '#-1' },
    using_declaration: 'skip',
    alias_declaration: alias,
    access_specifier: 'skip',
    class_specifier: { is: 'class', name: 'name', bases: '%base_class_clause/!access_specifier*', body: 'body' },
    struct_specifier: { is: 'class', name: 'name', bases: '%base_class_clause/!access_specifier*', body: 'body' },
    field_declaration: declaration,
    initializer_list: listOrPairs,
    namespace_identifier: 'name',
    qualified_identifier: qualified,
    template_function: { is: 'through', of: 'name' },
    template_type: { is: 'through', of: 'name' },
    template_method: { is: 'through', of: 'name' },
    // `header.get<int>("a")` calls `get`.
    field_expression: { is: 'member', object: 'argument', property: 'field/name,field' },
    this: 'self',
    raw_string_literal: 'raw-string',
    binary_expression: binary,
    call_expression: call,
    new_expression: newExpression,
    delete_expression: deletion,
    for_statement: loop,
    while_statement: loop,
    lambda_expression: lambda,
    field_initializer: fieldInitializer,
    for_range_loop: rangeLoop,
    condition_clause: (lowering, node) => {
      const initializer = lowering.first(node, 'initializer')
      const value = lowering.first(node, 'value,#-1')
      const test = value === undefined ? lowering.make.opaque(node, []) : lowering.lower(value)
      return initializer === undefined ? test : lowering.make.block(node, [lowering.lower(initializer), test])
    },
    try_statement: { is: 'try', body: 'body', catches: '%catch_clause*' },
    catch_clause: { is: 'catch', parameter: 'parameters/#0/declarator', types: 'parameters/#0/type', body: 'body' },
    throw_statement: throwStatement,
    declaration,
    co_return_statement: { is: 'jump', kind: 'return' },
  },
}
