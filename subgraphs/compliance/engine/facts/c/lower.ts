/** A C or C++ file -> its functions and classes, for the analysis of facts. */
import { repeated } from './conditionals.js'
import type { FlatTree } from '../../syntax/flat-tree.js'
import { readMacro } from '../../syntax/tables/c-macros.js'
import type { ClassIr, Expr, FunctionIr, ProgramIr, Statement, Type, Variable } from '../program.js'
import { withoutComments } from '../../syntax/tables/c-operators.js'
import { createCursor } from './cursor.js'
import { arrayType } from './arrays.js'
import { endingsIn } from './endings.js'
import type { Lambda } from './lambdas.js'
import { lowerExpr } from './expressions.js'
import { collecting, constantOf, createScope, declare, noteMaker, type Scope } from './scope.js'
import { lowerStatement } from './statements.js'
import { baseType, declaratorOf, otherType, pointerTo } from './types.js'

export function lowerProgram(tree: FlatTree, text: string, isPlain: boolean): ProgramIr {
  const scope = createScope(createCursor(tree, text))
  const macroWords = new Set<string>()
  noteDefinitions(scope, macroWords)
  const functions: FunctionIr[] = []
  walk(scope, 0, null, functions)
  return {
    functions,
    classes: scope.types.classes,
    macros: scope.macros,
    compared: scope.compared,
    expansions: scope.expansions,
    plainMacros: scope.plainMacros,
    makers: scope.makers,
    endings: endingsIn(text),
    macroWords,
    tables: scope.tables,
    isPlain,
  }
}

const records = /^(?:struct|class|union)_specifier$/

/** Constants, typedefs and structures, wherever they stand. Structures in source order, so that sizes of inner ones are known. */
function noteDefinitions(scope: Scope, macroWords: Set<string>): void {
  const { cursor } = scope
  const texts: [string, string][] = []
  for (let node = 0; node < cursor.length; node++) {
    const kind = cursor.typeOf(node)
    const name = cursor.child(node, 'name')
    if (kind === 'preproc_def' && name !== undefined) {
      const value = withoutComments(cursor.textOf(cursor.child(node, 'value') ?? name)).slice(0, 4000)
      texts.push([cursor.textOf(name), value.slice(0, 400)])
      notePlainMacro(scope, cursor.textOf(name), value, macroWords)
    } else if (kind === 'preproc_function_def' && name !== undefined) {
      const [parameters, value] = [cursor.child(node, 'parameters'), cursor.child(node, 'value')]
      const macro = cursor.textOf(name)
      const read =
        parameters === undefined || value === undefined || scope.macros.has(macro)
          ? undefined
          : readMacro(cursor.textOf(parameters), cursor.textOf(value))
      // A name with several bodies may mean any of them.
      if (read === undefined) scope.expansions.delete(macro)
      else scope.expansions.set(macro, read)
      scope.macros.add(macro)
      for (const [word] of cursor
        .textOf(cursor.child(node, 'value') ?? name)
        .slice(0, 4000)
        .matchAll(/\b[A-Za-z_]\w*\b/g))
        macroWords.add(word)
    } else if (kind === 'enumerator_list') noteEnumerators(scope, node)
    else if (kind === 'type_definition') noteAlias(scope, node)
    else if (records.test(kind) && cursor.child(node, 'body') !== undefined)
      noteRecord(scope, node, name === undefined ? '' : cursor.textOf(name))
    while (texts.length > 0) {
      const [word, value] = texts.pop() ?? ['', '']
      const constant = word === value ? null : constantOf(scope, value)
      if (constant === null) scope.constants.delete(word)
      else if (scope.constants.has(word) && scope.constants.get(word) !== constant) scope.constants.delete(word)
      else scope.constants.set(word, constant)
    }
  }
}

/** `#define CLEANUP do { free(a); b = NULL; } while (0)` */
function notePlainMacro({ plainMacros }: Scope, name: string, value: string, macroWords: Set<string>): void {
  if (!/[;{]|[^=!<>]=[^=]|\w\s{0,9}\(/.test(value)) return
  const words = plainMacros.get(name) ?? new Set()
  plainMacros.set(name, words)
  for (const [word] of value.matchAll(/\b[A-Za-z_]\w*\b/g)) {
    words.add(word)
    if (/[;{]|[^=!<>]=[^=]/.test(value)) macroWords.add(word)
  }
}

function noteEnumerators(scope: Scope, list: number): void {
  const { cursor } = scope
  let next: number | null = 0
  for (const one of cursor.childrenOf(list)) {
    const [name, value] = [cursor.child(one, 'name'), cursor.child(one, 'value')]
    if (value !== undefined) {
      const constant = constantOf(scope, cursor.textOf(value))
      next = typeof constant === 'number' ? constant : null
    }
    if (name !== undefined && next !== null) scope.constants.set(cursor.textOf(name), next)
    if (next !== null) next++
  }
}

function noteAlias(scope: Scope, node: number): void {
  const { cursor } = scope
  const declarator = cursor.child(node, 'declarator')
  const typeNode = cursor.child(node, 'type')
  const found =
    declarator === undefined
      ? null
      : declaratorOf(cursor, declarator, baseType(cursor, scope.types, typeNode), (size) => lowerExpr(scope, size))
  if (found?.type == null) return
  // `typedef struct { ... } name;`
  const body = typeNode === undefined ? undefined : cursor.child(typeNode, 'body')
  if (typeNode !== undefined && records.test(cursor.typeOf(typeNode)) && found.type.kind === 'record') {
    if (body !== undefined) noteRecord(scope, typeNode, found.name)
    const tag = cursor.child(typeNode, 'name')
    const record = tag === undefined ? found.name : cursor.textOf(tag)
    scope.types.aliases.set(found.name, {
      ...found.type,
      name: record,
      bytes: baseType(cursor, scope.types, typeNode)?.bytes ?? null,
    })
    return
  }
  scope.types.aliases.set(found.name, found.type)
}

function noteRecord(scope: Scope, node: number, name: string): void {
  const { cursor } = scope
  const body = cursor.child(node, 'body')
  if (name === '' || body === undefined) return
  const fields = new Map<string, Type | null>()
  const add = (list: number): void => {
    for (const field of cursor.childrenOf(list)) {
      if (cursor.typeOf(field).startsWith('preproc')) add(field)
      if (cursor.typeOf(field) !== 'field_declaration') continue
      const base = baseType(cursor, scope.types, cursor.child(field, 'type'))
      for (const item of cursor.childrenIn(field, 'declarator')) {
        const found = declaratorOf(cursor, item, base, (size) => lowerExpr(scope, size))
        if (found !== null && found.parameters === undefined) fields.set(found.name, arrayType(scope, field) ?? found.type)
      }
    }
  }
  add(body)
  loosen(fields)
  const isUnion = cursor.typeOf(node) === 'union_specifier'
  const known: ClassIr = {
    name,
    fields: isUnion ? new Map([...fields].map(([key, type]) => [key, type])) : fields,
    ...cursor.placeOf(node),
  }
  if (fields.size > 0 || !scope.types.classes.has(name)) scope.types.classes.set(name, known)
}

/** `char rest[1];` in a structure, mostly at its end: as long as was allocated behind it. */
function loosen(fields: Map<string, Type | null>): void {
  for (const [name, type] of fields) {
    const isOne = type?.kind === 'array' && type.count?.op === 'number' && type.count.value <= 1
    if (isOne && fields.size > 1) fields.set(name, { ...type, count: null })
  }
}

/** Functions at any depth of namespaces, classes and conditional parts. */
function walk(scope: Scope, node: number, owner: string | null, functions: FunctionIr[]): void {
  const { cursor } = scope
  for (const child of cursor.childrenOf(node)) {
    const kind = cursor.typeOf(child)
    if (kind === 'function_definition') {
      const lowered = lowerFunction(scope, child, owner)
      if (lowered !== null) functions.push(lowered)
      for (const [at, lambda] of scope.lambdas) {
        scope.lambdas.delete(at)
        const inner = lowerLambda(scope, lambda, lowered?.owner ?? owner)
        if (inner !== null) functions.push(inner)
      }
    } else if (kind === 'declaration') noteGlobal(scope, child)
    else if (records.test(kind)) {
      const name = cursor.child(child, 'name')
      const body = cursor.child(child, 'body')
      if (body !== undefined && scope.depth < 60) {
        scope.depth++
        walk(scope, body, name === undefined ? owner : cursor.textOf(name), functions)
        scope.depth--
      }
    } else if (
      /^(?:preproc_(?:if|ifdef|else|elif)|namespace_definition|linkage_specification|declaration_list|template_declaration|ERROR|friend_declaration)$/.test(
        kind,
      ) &&
      scope.depth < 60
    ) {
      scope.depth++
      walk(scope, child, owner, functions)
      scope.depth--
    }
  }
}

function noteGlobal(scope: Scope, node: number): void {
  const { cursor } = scope
  const base = baseType(cursor, scope.types, cursor.child(node, 'type'))
  for (const item of cursor.childrenIn(node, 'declarator')) {
    const isInit = cursor.typeOf(item) === 'init_declarator'
    const found = declaratorOf(cursor, isInit ? (cursor.child(item, 'declarator') ?? item) : item, base, (size) =>
      lowerExpr(scope, size),
    )
    if (found === null || found.parameters !== undefined) continue
    declare(scope, found.name, arrayType(scope, node) ?? found.type)
    const value = isInit ? cursor.child(item, 'value') : undefined
    if (value !== undefined && found.type?.kind === 'array') noteTable(scope, found.name, value)
    const head = cursor.text.slice(cursor.placeOf(node).start, cursor.placeOf(item).start)
    const constant = value === undefined || !/\bconst(?:expr)?\b/.test(head) ? null : constantOf(scope, cursor.textOf(value))
    if (typeof constant === 'number') scope.constants.set(found.name, constant)
  }
}

/** Not where a part of the list may be left out. */
function noteTable({ cursor, tables }: Scope, name: string, value: number): void {
  const items = cursor.typeOf(value) === 'initializer_list' ? cursor.childrenOf(value) : []
  const kinds = items.map((item) => cursor.typeOf(item)).filter((kind) => kind !== 'comment')
  if (kinds.length > 1 && kinds.every((kind) => !/^preproc|^initializer_pair$|^ERROR$/.test(kind))) tables.set(name, kinds.length)
}

function lowerFunction(scope: Scope, node: number, around: string | null): FunctionIr | null {
  const { cursor } = scope
  const [outer, body] = [cursor.child(node, 'declarator'), cursor.child(node, 'body')]
  if (outer === undefined || body === undefined) return null
  const found = declaratorOf(cursor, outer, baseType(cursor, scope.types, cursor.child(node, 'type')), (size) =>
    lowerExpr(scope, size),
  )
  if (found === null) return null
  const parts = found.name.split('::')
  const owner = parts.length > 1 ? (parts.at(-2) ?? null) : around
  const list = found.parameters
  const initializers = cursor.childrenOf(node).filter((child) => cursor.typeOf(child) === 'field_initializer_list')
  return {
    name: parts.at(-1) ?? '',
    returns: found.type,
    ...lowerBody(scope, node, body, owner, {
      parameters: () => (list === undefined ? [] : parametersOf(scope, list)),
      begins: () => initializers.flatMap((child) => fieldInitializers(scope, child)),
    }),
  }
}

/** What it speaks of is given to it like a parameter: what that holds when it runs nobody knows. */
function lowerLambda(scope: Scope, { node, seen }: Lambda, owner: string | null): FunctionIr | null {
  const { cursor } = scope
  const body = cursor.child(node, 'body')
  if (body === undefined) return null
  const declarator = cursor.child(node, 'declarator')
  const list = declarator === undefined ? undefined : cursor.child(declarator, 'parameters')
  const captured = (): Variable[] => [...seen].map(([name, type]) => ({ name: declare(scope, name, type), type }))
  const parameters = (): Variable[] => [...captured(), ...(list === undefined ? [] : parametersOf(scope, list))]
  return { name: '', returns: null, ...lowerBody(scope, node, body, owner, { parameters, begins: () => [] }) }
}

function lowerBody(
  scope: Scope,
  node: number,
  body: number,
  owner: string | null,
  head: { readonly parameters: () => Variable[]; readonly begins: () => Statement[] },
): Omit<FunctionIr, 'name' | 'returns'> {
  const { cursor } = scope
  scope.declared.clear()
  scope.assigned = new Map()
  scope.localMakers = new Map()
  scope.steppedFields = new Set()
  scope.labels = new Set()
  scope.calls = []
  scope.conditions = []
  scope.fields = owner === null ? null : (scope.types.classes.get(owner)?.fields ?? null)
  scope.blocks.push(new Map())
  const parameters = head.parameters()
  const { result, writes } = collecting(scope, () => [...head.begins(), ...lowerStatement(scope, body)])
  scope.blocks.pop()
  scope.fields = null
  for (const name of writes.compared) scope.compared.add(name)
  const place = cursor.placeOf(body)
  return {
    owner,
    parameters,
    body: { op: 'block', body: result, declared: [], ...place },
    compared: writes.compared,
    steppedFields: scope.steppedFields,
    labels: scope.labels,
    calls: scope.calls,
    assigned: scope.assigned,
    conditions: repeated(scope.conditions),
    hasErrors: hasErrors(scope, node),
    ...cursor.placeOf(node),
  }
}

function hasErrors({ cursor }: Scope, node: number): boolean {
  for (let at = node; at < cursor.after(node); at++) {
    if (cursor.typeOf(at) === 'ERROR') return true
    // `HASH_CALC return h;`: a macro without a semicolon reads like the type of what follows.
    const name = cursor.typeOf(at) === 'declaration' ? cursor.child(at, 'declarator') : undefined
    if (name !== undefined && /^(?:return|if|while|for|do|switch|goto|break|continue|else)$/.test(cursor.textOf(name)))
      return true
  }
  return false
}

function parametersOf(scope: Scope, list: number): Variable[] {
  const { cursor } = scope
  return cursor.childrenOf(list).flatMap((child): Variable[] => {
    if (!cursor.typeOf(child).endsWith('parameter_declaration')) return []
    const base = baseType(cursor, scope.types, cursor.child(child, 'type'))
    const declarator = cursor.child(child, 'declarator')
    const found = declarator === undefined ? null : declaratorOf(cursor, declarator, base, (size) => lowerExpr(scope, size))
    if (found === null) return base?.kind === 'void' ? [] : [{ name: '', type: base }]
    const type = found.type?.kind === 'array' ? pointerTo(found.type.of) : found.type
    return [{ name: declare(scope, found.name, type), type }]
  })
}

/** `: p_(new T[n]), n_(n)` as assignments. */
function fieldInitializers(scope: Scope, list: number): Statement[] {
  const { cursor } = scope
  return cursor.childrenOf(list).flatMap((one): Statement[] => {
    const [field, values] = cursor.childrenOf(one)
    if (field === undefined || values === undefined) return []
    const items = cursor.childrenOf(values).map((child) => lowerExpr(scope, child))
    const place = cursor.placeOf(one)
    const [only] = items
    const name = cursor.textOf(field)
    const self: Expr = { op: 'variable', name: 'this', isLocal: true, type: pointerTo(otherType('this')), ...place }
    const type = scope.fields?.get(name) ?? null
    const target: Expr = { op: 'field', base: self, name, isArrow: true, type, ...cursor.placeOf(field) }
    if (only !== undefined) noteMaker(scope, name, only)
    const value: Expr =
      items.length === 1 && only !== undefined
        ? { op: 'assign', operator: '', target, value: only, type, ...place }
        : { op: 'opaque', parts: items, type: null, ...place }
    return [{ op: 'expression', value, ...place }]
  })
}
