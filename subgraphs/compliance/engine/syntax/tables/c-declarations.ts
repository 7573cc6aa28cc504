/** Declarations of C and C++: names with their sizes, functions, parameters. */
import type { Ir, Parameter } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'
import { afterAssignment, allocationSize, isPlain } from './c-memory.js'
import { byteValue } from './c-bytes.js'
import { isFractionType } from './c-operands.js'
import { fixedKey, isConstantBytes } from './c-secrets.js'
import { helper, inFunction, isSetElsewhere, lookupName, noteName, remember, scaled, scopeOf, sizeOfType } from './c-scope.js'
import { accesses } from './c-tests.js'
import { isVariadic, restOf } from './c-variadic.js'

export interface Declarator {
  readonly name: string
  readonly node: number
  readonly size?: number
  readonly isArray: boolean
  readonly isPointer: boolean
  readonly pointers: number
  readonly parameters?: number
  readonly owner?: string
}

/** Unwraps `*(*name)[10](int)` to the name, with the array size and the parameter list on the way. */
function readDeclarator(lowering: Lowering, node: number): Declarator {
  let at = node
  let size: number | undefined
  let parameters: number | undefined
  let pointers = 0
  let isArray = false
  let isPointer = false
  for (;;) {
    const type = lowering.typeOf(at)
    if (type === 'array_declarator') size = lowering.first(at, 'size') ?? size
    isArray ||= type === 'array_declarator'
    if (type === 'pointer_declarator') pointers++
    isPointer ||= type === 'pointer_declarator'
    if (type === 'function_declarator') parameters = lowering.first(at, 'parameters') ?? parameters
    const isWrapper = type.endsWith('_declarator') || type === 'attributed_declarator'
    const inner = isWrapper ? lowering.first(at, 'declarator,#0') : undefined
    if (inner === undefined) break
    at = inner
  }
  const text = lowering.text(at)
  const parts = text.split('::')
  const owner = parts.length > 1 ? parts.at(-2)?.replace(/<.*$/, '') : undefined
  return {
    name: (parts.at(-1) ?? text).replaceAll('~', 'destroy_'),
    node: at,
    size,
    isArray,
    isPointer,
    pointers,
    parameters,
    owner,
  }
}

export const functionDefinition: Custom = (lowering, node) => inFunction(lowering, node, () => lowerFunction(lowering, node))

const lowerFunction: Custom = (lowering, node) => {
  const declaratorNode = lowering.first(node, 'declarator')
  const bodyNode = lowering.first(node, 'body')
  if (declaratorNode === undefined)
    return lowering.make.opaque(
      node,
      lowering.children(node).map((child) => lowering.lower(child)),
    )
  const declarator = readDeclarator(lowering, declaratorNode)
  const named = declarator.parameters === undefined ? [] : parametersOf(lowering, declarator.parameters)
  const parameters = isVariadic(lowering, declarator.parameters, bodyNode) ? [...named, restOf(lowering, node)] : named
  const initializers = lowering.all(node, '%field_initializer_list/*').map((at) => lowering.lower(at))
  const body = bodyNode === undefined ? lowering.make.block(node, []) : lowering.lower(bodyNode)
  const parts = [...initializers, body]
  return {
    op: 'function',
    name: declarator.name,
    declares: true,
    parameters,
    body: parts.length === 1 ? body : lowering.make.block(node, parts),
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
      const type = pointedType(lowering, lowering.first(child, 'type'))
      const isPointer = declarator !== undefined && (declarator.isPointer || declarator.size !== undefined)
      if (declarator !== undefined && declarator.name !== '')
        noteName(lowering, declarator.name, isPointer ? 'pointer' : 'scalar', elementSize(type, declarator), {
          isFraction: isFractionType(type),
        })
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

/** `std::shared_ptr<Store>` is used like `Store`. */
const pointedType = (lowering: Lowering, node: number | undefined): string | undefined => {
  const pointed =
    node === undefined ? undefined : /\b(?:shared|unique)_ptr\s*<\s*(?:const\s+)?(?:\w+::)*(\w+)\s*>$/.exec(lowering.text(node))
  return pointed?.[1] ?? lowering.typeName(node)
}

/** One assignment per declared name; function prototypes declare nothing. */
export const declaration: Custom = (lowering, node) => {
  const type = pointedType(lowering, lowering.first(node, 'type'))
  const body = lowering.all(node, 'declarator*').flatMap((item): Ir[] => {
    const isInit = lowering.typeOf(item) === 'init_declarator'
    const declarator = readDeclarator(lowering, isInit ? (lowering.first(item, 'declarator') ?? item) : item)
    const span = { start: lowering.startOf(item), end: lowering.endOf(item) }
    if (declarator.parameters !== undefined && !isInit)
      return constructed(lowering, item, declarator, type, scopeOfType(lowering, node))
    // `if (T *p = f())`: the value belongs to the declaration.
    const valueNode = lowering.first(isInit ? item : node, 'value')
    let value: Ir | null = valueNode === undefined ? null : byteValue(lowering, valueNode, lowering.lower(valueNode))
    if (declarator.size !== undefined && value?.op === 'collection') value = lowering.make.opaque(item, [value])
    if (isNull(value) && isSetElsewhere(lowering, declarator.name)) value = lowering.make.opaque(item, [])
    const isBraced =
      valueNode !== undefined &&
      lowering.typeOf(valueNode) === 'initializer_list' &&
      !lowering.source.slice(lowering.endOf(declarator.node), lowering.startOf(valueNode)).includes('=')
    if (valueNode !== undefined && (lowering.typeOf(valueNode) === 'argument_list' || isBraced)) {
      const args = lowering.children(valueNode).map((child) => ({ value: lowering.lower(child) }))
      value = {
        op: 'call',
        callee: lowering.make.name(item, type ?? ''),
        args,
        isNew: true,
        ...scopeOfType(lowering, node),
        at: span.start,
        ...span,
      }
    }
    const isArray = declarator.size !== undefined || declarator.isArray
    const kind = isArray ? 'array' : declarator.isPointer ? 'pointer' : 'scalar'
    const bytes = elementSize(type, declarator)
    noteName(lowering, declarator.name, kind, bytes, {
      ...(declarator.size === undefined ? {} : { count: lowering.text(declarator.size) }),
      isSigned: kind === 'scalar' && isSignedType(lowering, node),
      isFraction: isFractionType(type),
    })
    const size =
      arraySize(lowering, declarator, valueNode, bytes) ?? (valueNode === undefined ? null : allocationSize(lowering, valueNode))
    const assign: Ir = {
      op: 'assign',
      target: lowering.make.name(declarator.node, declarator.name),
      value,
      operator: '=',
      declares: true,
      ...declaredType(declarator, type, bytes),
      ...(size === null ? {} : { size }),
      ...span,
    }
    const before = valueNode === undefined ? [] : accesses(lowering, valueNode)
    return [...before, assign, ...afterDeclaration(lowering, node, declarator, kind, valueNode, size)]
  })
  const [only] = body
  return body.length === 1 && only !== undefined ? only : lowering.make.block(node, body)
}

/** Numbers stay without a type: they are clean as text, but C's rules ask for their limits. */
const declaredType = (declarator: Declarator, type: string | undefined, bytes: number | undefined): { type?: string } => {
  if (declarator.isPointer) return { type: `${type ?? ''}*` }
  // `uint8_t message[64]`: what goes over a wire, and no numbers.
  if (declarator.isArray && bytes === 1 && type !== 'bool') return { type: 'char' }
  return type === undefined || (bytes !== undefined && !declarator.isArray) ? {} : { type }
}

const isSignedType = (lowering: Lowering, node: number): boolean =>
  /^(?:(?:const|static|register|signed|volatile)\s+)*(?:int|long|ssize_t|s?s?int32_t|int64_t|s32|s64)\b/.test(
    lowering.text(node).slice(0, 60),
  )

const isNull = (value: Ir | null): boolean => value?.op === 'literal' && value.value === null

const elementSize = (type: string | undefined, declarator: Declarator): number | undefined =>
  sizeOfType(declarator.pointers > (declarator.size !== undefined || declarator.isArray ? 0 : 1) ? '*' : type)

/** Bytes of a declared array; `char s[] = "text"` counts its text. */
function arraySize(lowering: Lowering, declarator: Declarator, value: number | undefined, bytes: number | undefined): Ir | null {
  if (bytes === undefined) return null
  if (declarator.size !== undefined)
    return isPlain(lowering, declarator.size) ? scaled(lowering, declarator.node, lowering.lower(declarator.size), bytes) : null
  if (!declarator.isArray || value === undefined) return null
  if (lowering.typeOf(value) === 'initializer_list')
    return lowering.make.literal(declarator.node, lowering.children(value).length * bytes)
  const lowered = lowering.typeOf(value) === 'string_literal' ? lowering.lower(value) : null
  if (lowered?.op !== 'literal' || typeof lowered.value !== 'string') return null
  return lowering.make.literal(declarator.node, (lowered.value.length + 1) * bytes)
}

/** What rules on memory want to know of a new name: see c-memory.ts. */
function afterDeclaration(
  lowering: Lowering,
  node: number,
  declarator: Declarator,
  kind: 'array' | 'pointer' | 'scalar',
  value: number | undefined,
  size: Ir | null,
): Ir[] {
  const target = declarator.node
  const after = afterAssignment(lowering, target, value)
  if (kind === 'array') after.push(...fixedKey(lowering, node, declarator.name, value))
  if (kind === 'array' && value !== undefined && isConstantBytes(lowering.text(value).slice(0, 400)))
    after.push(helper(lowering, target, '#constant_bytes', [lowering.make.name(target, declarator.name)]))
  if (kind === 'array' && size !== null) after.push(remember(lowering, target, `#size:${declarator.name}`, size))
  return after
}

/** A known name, or inside of functions, where nobody declares functions, one that is written like a member: `name_`. */
const isValueName = (lowering: Lowering, text: string): boolean =>
  lookupName(lowering, text) !== undefined || (scopeOf(lowering).inside !== null && /^(?:m_\w+|[a-z]\w*_)$/.test(text))

/** How a stream is opened. */
const openModes = /^(?:std::)?ios(?:_base)?::(?:app|ate|binary|in|out|trunc)$/

/** An option of a library, `process::shell` or `regex::ECMAScript`; alone it may well be a type. */
const scopedValue = /^(?:[A-Za-z]\w*::){1,6}[A-Za-z]\w*$/

/** `http` of `const http::Client<T> c(url);` */
function scopeOfType(lowering: Lowering, declaration: number): { scope?: string } {
  const type = lowering.first(declaration, 'type')
  const parts = type === undefined ? [] : (/^[\w:]+/.exec(lowering.text(type).slice(0, 200))?.[0] ?? '').split('::')
  const scope = parts.slice(0, -1).filter((part) => part !== 'std' && part !== '')
  return scope.length === 0 ? {} : { scope: scope.join('.') }
}

/** `ntohl(size)`, where the grammar takes `size` for the type of a parameter. */
function givenNames(lowering: Lowering, call: number): Ir[] {
  const declarator = lowering.first(call, '%abstract_function_declarator')
  const list = declarator === undefined ? undefined : lowering.first(declarator, 'parameters')
  return list === undefined
    ? []
    : lowering
        .children(list)
        .filter((child) => /^[A-Za-z_]\w{0,80}$/.test(lowering.text(child).slice(0, 90)))
        .map((child) => lowering.make.name(child, lowering.text(child)))
}

/** `Box box(source());` and `Box box(data, n);` read like function declarations to the grammar; calls and known names give them away. */
function constructed(
  lowering: Lowering,
  item: number,
  declarator: Declarator,
  type: string | undefined,
  scope: { scope?: string },
): Ir[] {
  const list = declarator.parameters
  const calls =
    list === undefined
      ? []
      : lowering.children(list).filter((child) => lowering.first(child, '%abstract_function_declarator') !== undefined)
  const children = list === undefined ? [] : lowering.children(list)
  const areNames = children.every(
    (child) =>
      lowering.first(child, 'declarator') === undefined &&
      (isValueName(lowering, lowering.text(child)) || scopedValue.test(lowering.text(child))),
  )
  if (
    calls.length === 0 &&
    (children.length === 0 ||
      !areNames ||
      !children.some((child) => isValueName(lowering, lowering.text(child)) || openModes.test(lowering.text(child))))
  )
    return []
  const span = { start: lowering.startOf(item), end: lowering.endOf(item) }
  const called = (child: number): Ir =>
    lowering.make.call(
      child,
      lowering.make.name(
        child,
        lowering
          .text(lowering.first(child, 'type') ?? child)
          .split('::')
          .at(-1) ?? '',
      ),
      givenNames(lowering, child),
    )
  const args = calls.length > 0 ? calls.map(called) : children.map((child) => lowering.make.name(child, lowering.text(child)))
  const value: Ir = {
    op: 'call',
    callee: lowering.make.name(item, type ?? ''),
    args: args.map((one) => ({ value: one })),
    isNew: true,
    ...scope,
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
