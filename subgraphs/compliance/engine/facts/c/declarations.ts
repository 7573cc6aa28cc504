/** Declarations of variables in functions. */
import { arrayType } from './arrays.js'
import { lowerExpr } from './expressions.js'
import { nameExpr } from './literals.js'
import type { Expr, Place, Statement } from '../program.js'
import { declare, lookup, noteLocalMaker, noteWrite, type Scope } from './scope.js'
import { baseType, declaratorOf, resultType } from './types.js'

/** `TRACE_START *out = 0;`: a macro without a semicolon. No body declares a parameter of its function again. */
const isParameter = ({ blocks }: Scope, name: string): boolean => blocks.length === 2 && blocks[0]?.has(name) === true

/** `__attribute__((cleanup(f)))`, and the words that macros give it: `_cleanup_free_ char *p`, `g_autofree char *p`, `char *p __free(kfree)`. */
const cleanup =
  /(?:^|[^a-z])(?:cleanup|g_auto|autofree|autoptr|autofd|autoclose|do_free|do_close)(?![a-z])|(?:^|\W)(?:g_auto\w+|gs_(?:free|unref)\w*|[a-z]{1,12}_auto(?:_\w+)?(?=\s|\())|__free\s*\(/i

/** So far in front of a declaration its attributes are looked for: a line may be a megabyte. */
const mostInFront = 400

/** What stands around the name; a word in capitals in front is no part of the declaration to the parser. */
function attributesOf(text: string, { start, end }: Place): string {
  const front = text.slice(Math.max(0, start - mostInFront), start)
  const last = Math.max(...['\n', ';', '{', '}'].map((one) => front.lastIndexOf(one)))
  const value = text.slice(start, end).search(/[=;]/)
  return front.slice(last + 1) + text.slice(start, value < 0 ? end : start + value)
}

export function declarations(scope: Scope, node: number, place: Place): Statement[] {
  const { cursor } = scope
  const typeNode = cursor.child(node, 'type')
  const base = baseType(cursor, scope.types, typeNode)
  const head = cursor.text.slice(place.start, typeNode === undefined ? place.start : cursor.placeOf(typeNode).start)
  // `#ifndef REENTRANT static #endif FILE *last;`
  const isStatic =
    /\b(?:static|extern|thread_local)\b/.test(head) ||
    /\bstatic\s{1,9}#\s{0,9}endif[^\n]{0,80}\s{1,99}$/.test(
      cursor.text.slice(Math.max(0, place.start - mostInFront), place.start),
    )
  const isRegister = cursor.childrenIn(node, 'declarator').some((item) => cursor.typeOf(item) === 'gnu_asm_expression')
  const endsItself = cleanup.test(attributesOf(cursor.text, place))
  return cursor.childrenIn(node, 'declarator').flatMap((item): Statement[] => {
    if (cursor.typeOf(item) === 'gnu_asm_expression') return []
    const isInit = cursor.typeOf(item) === 'init_declarator'
    const declarator = declaratorOf(cursor, isInit ? (cursor.child(item, 'declarator') ?? item) : item, base, (size) =>
      lowerExpr(scope, size),
    )
    if (declarator === null || isParameter(scope, declarator.name)) return []
    const valueNode = isInit ? cursor.child(item, 'value') : undefined
    const { parameters } = valueNode === undefined ? declarator : {}
    const isPointer = declarator.type?.kind === 'pointer'
    // `char *find(const char *);` in a block names a function of another file.
    if (parameters !== undefined && isPointer && !isGiven(scope, parameters)) return []
    // The name is in sight in its own value: `T *p = malloc(sizeof(*p))`.
    const early =
      (declarator.type?.name === 'array' && !declarator.type.isReference ? arrayType(scope, node) : null) ??
      declarator.type ??
      null
    const name = declare(scope, declarator.name, early)
    let value = valueNode === undefined ? null : lowerExpr(scope, valueNode)
    if (parameters !== undefined) value = constructed(scope, parameters, place)
    // `register T *p asm("r13");` has the value of the register.
    if (isRegister) value = { op: 'opaque', parts: [], type: null, ...place }
    noteLocalMaker(scope, name, value)
    const type = early ?? (value === null ? null : value.type)
    if (early === null) scope.blocks.at(-1)?.set(declarator.name, { name, type })
    noteWrite(scope, { op: 'variable', name, isLocal: true, type, ...place }, null, value === null)
    return [{ op: 'declare', variable: { name, type, endsItself }, value, isStatic, ...cursor.placeOf(item) }]
  })
}

/** `T *p(q);` with a variable or a cast is no function. */
const isGiven = (scope: Scope, parameters: number): boolean => {
  const names = scope.cursor.childrenOf(parameters).map((child) => scope.cursor.textOf(child))
  const isValue = (name: string): boolean =>
    lookup(scope, name)?.isLocal === true || scope.fields?.has(name) === true || /->|_cast<|\w\.\w/.test(name)
  return names.length === 1 && names.every((name) => isValue(name))
}

/** `pixels(width * height)`: to the grammar a pointer to a `width`. */
function product(scope: Scope, text: string, place: Place): Expr | null {
  const [, first = '', second = ''] = /^(\w+)\s*\*\s*(\w+)$/.exec(text) ?? []
  if (lookup(scope, first) === null || lookup(scope, second) === null) return null
  const left = nameExpr(scope, first, { start: place.start, end: place.start + first.length })
  const right = nameExpr(scope, second, { start: place.end - second.length, end: place.end })
  return { op: 'binary', operator: '*', left, right, type: resultType('*', left.type, right.type), ...place }
}

/** `T name(args);` reads like the declaration of a function. */
function constructed(scope: Scope, parameters: number, place: Place): Expr {
  const { cursor } = scope
  const parts = cursor.childrenOf(parameters).map((child) => {
    const text = cursor.textOf(child)
    const isName = /^\w+$/.test(text) && (lookup(scope, text) !== null || scope.fields?.has(text) === true || text.endsWith('_'))
    return isName
      ? nameExpr(scope, text, cursor.placeOf(child))
      : (product(scope, text, cursor.placeOf(child)) ?? lowerExpr(scope, child))
  })
  return { op: 'opaque', parts, type: null, ...place }
}
