/** Names, addresses, numbers and texts. */
import type { Expr, Place } from '../program.js'
import { lookup, noteGiven, numberOf, type Scope } from './scope.js'
import { charType, intType, otherType, pointerTo } from './types.js'

export function nameExpr(scope: Scope, name: string, place: Place): Expr {
  if (name === 'NULL' || /^(?:std::)?nullopt$/.test(name)) return { op: 'null', type: pointerTo(null), ...place }
  const found = lookup(scope, name)
  if (found?.isLocal !== true) {
    const constant = scope.constants.get(name) ?? headers.get(name)
    if (constant === undefined && found === null && isSuccess(name)) return { op: 'number', value: 0, type: intType, ...place }
    if (typeof constant === 'number') return { op: 'number', value: constant, type: intType, ...place }
    if (typeof constant === 'string') return { op: 'text', value: constant, width: 1, type: pointerTo(charType), ...place }
    const field = scope.fields?.get(name)
    if (field !== undefined && name !== 'this') {
      const base: Expr = { op: 'variable', name: 'this', isLocal: true, type: pointerTo(otherType('this')), ...place }
      return { op: 'field', base, name, isArrow: true, type: field, ...place }
    }
  }
  const variable: Expr = {
    op: 'variable',
    name: found?.name ?? name,
    isLocal: found?.isLocal ?? name === 'this',
    type: found?.type ?? null,
    ...place,
  }
  const { type } = variable
  return type?.isReference === true
    ? { op: 'dereference', base: { ...variable, type: pointerTo(type) }, type: { ...type, isReference: false }, ...place }
    : variable
}

/** Whoever has the address may give the variable a value. */
export function addressOf(scope: Scope, base: Expr, place: Place): Expr {
  noteGiven(scope, base)
  return { op: 'address', base, type: pointerTo(base.type), ...place }
}

export function numberExpr(text: string, place: Place): Expr {
  const value = numberOf(text)
  if (value === null || !Number.isInteger(value)) return { op: 'opaque', parts: [], type: null, ...place }
  const isWide = /[lL]/.test(text) || value > 0x7f_ff_ff_ff
  return { op: 'number', value, type: { ...intType, bytes: isWide ? 8 : 4, isSigned: !/[uU]/.test(text) }, ...place }
}

export function charValue(text: string): number {
  const body = text.replace(/^(?:u8|[LuU])?'/, '').replace(/'$/, '')
  if (!body.startsWith('\\')) return body.codePointAt(0) ?? 0
  const code = /^\\(?:x([\da-fA-F]+)|([0-7]{1,3}))$/.exec(body)
  if (code !== null) return code[1] === undefined ? Number.parseInt(code[2] ?? '0', 8) : Number.parseInt(code[1], 16)
  return { '\\n': 10, '\\t': 9, '\\r': 13, '\\\\': 92, "\\'": 39 }[body] ?? 7
}

/** Escapes count as one character each; a name between the pieces makes the length unknown. */
export function textExpr(scope: Scope, node: number, place: Place): Expr {
  const { cursor } = scope
  const text = cursor.textOf(node)
  const isWide = /^[LU]/.test(text)
  const pieces = cursor.typeOf(node) === 'concatenated_string' ? cursor.childrenOf(node) : [node]
  let value = ''
  for (const piece of pieces) {
    const kind = cursor.typeOf(piece)
    if (kind === 'raw_string_literal') value += cursor.textOf(piece).slice(4, -2)
    else if (kind === 'string_literal')
      value += cursor
        .textOf(piece)
        .replace(/^(?:u8|[LuU])?"/, '')
        .slice(0, -1)
        .replaceAll(/\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}|\r?\n|.)/g, '?')
    else return { op: 'opaque', parts: [], type: pointerTo(charType), ...place }
  }
  return { op: 'text', value, width: isWide ? 4 : 1, type: pointerTo(isWide ? intType : charType), ...place }
}

/** By the convention of C, what other files call success is zero. */
const isSuccess = (name: string): boolean => /^(?!.*STATUS_OK$)[A-Z][A-Z0-9_]*_(?:SUCCESS|OK)$/.test(name)

/** Lengths of the system's headers, and the numbers of errors, of which only matters that they differ and none is zero. */
const headers: ReadonlyMap<string, number> = new Map([
  ['PATH_MAX', 4096],
  ['NAME_MAX', 255],
  ['HOST_NAME_MAX', 64],
  ['BUFSIZ', 8192],
  ['INET_ADDRSTRLEN', 16],
  ['INET6_ADDRSTRLEN', 46],
  ['IFNAMSIZ', 16],
  ['EOF', -1],
  ...'PERM NOENT SRCH INTR IO NXIO 2BIG NOEXEC BADF CHILD AGAIN NOMEM ACCES FAULT BUSY EXIST XDEV NODEV NOTDIR ISDIR INVAL NFILE MFILE NOTTY FBIG NOSPC SPIPE ROFS MLINK PIPE DOM RANGE DEADLK NAMETOOLONG NOLCK NOSYS NOTEMPTY LOOP NOMSG NODATA TIME PROTO BADMSG OVERFLOW ILSEQ MSGSIZE NOTSUP OPNOTSUPP ADDRINUSE NETDOWN CONNABORTED CONNRESET NOBUFS NOTCONN TIMEDOUT CONNREFUSED ALREADY INPROGRESS CANCELED'
    .split(' ')
    .map((name, at): [string, number] => [`E${name}`, at + 1]),
])
