/** Static types of C and C++: sizes and signs of the plain ones on 64-bit systems, structures, typedefs, declarators. */
import type { ClassIr, Expr, Type } from '../program.js'
import type { Cursor } from './cursor.js'

const plain = (name: string, bytes: number, isSigned: boolean): Type => ({
  kind: 'integer',
  name,
  bytes,
  isSigned,
  of: null,
  count: null,
  isReference: false,
})

const floating = (name: string, bytes: number): Type => ({ ...plain(name, bytes, true), kind: 'float' })

export const intType = plain('int', 4, true)
export const sizeType = plain('size_t', 8, false)
export const charType = plain('char', 1, true)
export const otherType = (name: string): Type => ({ ...plain(name, 0, false), kind: 'other', bytes: null })

/** Names of fixed size from the standard headers and from the headers of common systems. */
const named: Record<string, Type> = Object.fromEntries(
  (
    [
      [1, true, 'int8_t s8 gint8 schar'],
      [1, false, 'uint8_t u8 __u8 BYTE byte guint8 u_char uchar UCHAR guchar bool _Bool BOOLEAN'],
      [2, true, 'int16_t s16 gint16 SHORT'],
      [2, false, 'uint16_t u16 __u16 WORD USHORT guint16 u_short ushort char16_t in_port_t sa_family_t __le16 __be16'],
      [4, true, 'int32_t s32 gint32 INT BOOL LONG HRESULT NTSTATUS wchar_t gint gboolean pid_t key_t sig_atomic_t'],
      [
        4,
        false,
        'uint32_t u32 __u32 DWORD UINT ULONG guint32 guint u_int uint socklen_t char32_t mode_t uid_t gid_t id_t in_addr_t tcflag_t speed_t useconds_t __le32 __be32',
      ],
      [
        8,
        true,
        'int64_t s64 ssize_t ptrdiff_t intptr_t off_t off64_t loff_t time_t clock_t suseconds_t blkcnt_t gint64 LONGLONG INT_PTR LRESULT LPARAM streamsize',
      ],
      [
        8,
        false,
        'uint64_t u64 __u64 size_t uintptr_t ULONGLONG guint64 gsize SIZE_T UINT_PTR DWORD_PTR WPARAM dev_t ino_t nlink_t rlim_t nfds_t __le64 __be64 size_type',
      ],
    ] as const
  ).flatMap(([bytes, isSigned, names]) => names.split(' ').map((name) => [name, plain(name, bytes, isSigned)])),
)

/** `ev_uint32_t`, `png_uint_32_t`: what a library calls the fixed sizes of the standard headers. */
const ownName = (name: string): string => /^[a-z]{1,12}_(u?int(?:8|16|32|64)_t|s?size_t)$/.exec(name)?.[1] ?? ''

/** A number type by its name alone. */
export const plainType = (types: Types, name: string): Type | undefined =>
  types.aliases.get(name) ?? named[name] ?? named[ownName(name)]

export const pointerTo = (of: Type | null): Type => ({
  ...otherType(of?.name ?? 'void'),
  kind: 'pointer',
  bytes: 8,
  of,
})

/** `unsigned long int` in any order. */
function wordsType(words: readonly string[]): Type | null {
  const has = (word: string): boolean => words.includes(word)
  const isSigned = !has('unsigned')
  if (has('double')) return floating('double', 8)
  if (has('float')) return floating('float', 4)
  if (has('char')) return { ...charType, isSigned }
  if (has('short')) return plain('short', 2, isSigned)
  if (has('long')) return plain('long', 8, isSigned)
  if (has('int') || has('unsigned') || has('signed')) return plain('int', 4, isSigned)
  return null
}

export interface Types {
  readonly aliases: Map<string, Type>
  readonly classes: Map<string, ClassIr>
}

const skipped = new Set([
  'const',
  'volatile',
  'static',
  'extern',
  'register',
  'inline',
  'struct',
  'class',
  'union',
  'enum',
  'typename',
  'constexpr',
  'mutable',
  'restrict',
])

/** The last word of one without a name is that of a field, such as `byte`. */
const structure = /^(?:struct|union|class)_specifier$/

/** The type that stands in front of the declarators. */
export function baseType(cursor: Cursor, types: Types, node: number | undefined): Type | null {
  if (node === undefined) return null
  const kind = cursor.typeOf(node)
  if (kind === 'enum_specifier') return intType
  const name = kind.endsWith('_specifier') ? cursor.child(node, 'name') : undefined
  const text = cursor.textOf(name ?? node).slice(0, 200)
  if (/^(?:auto|decltype)\b/.test(text)) return null
  const words = text.split(/[^\w:<>,*& ]+|\s+/).filter((word) => word !== '' && !skipped.has(word))
  // The words of `std::map<unsigned long, bool>` are those of its arguments.
  const isNamed = text.includes('<') || (kind.endsWith('_specifier') && kind !== 'sized_type_specifier')
  const simple = isNamed ? null : wordsType(words)
  if (simple !== null) return simple
  const last = words.at(-1) ?? ''
  const bare = last.startsWith('std::') ? last.slice(5) : last
  const known = name === undefined && structure.test(kind) ? undefined : plainType(types, bare)
  if (known !== undefined) return known
  if (bare === 'void') return { ...otherType('void'), kind: 'void', bytes: 1 }
  const template = /^(?:[\w:]*::)?(\w+)\s*</.exec(text.replace(/^(?:const|struct|class)\s+/, ''))?.[1]
  const record = template ?? bare.split('::').at(-1) ?? bare
  return { ...otherType(record), kind: 'record', bytes: sizeOfRecord(types, record), of: bytesIn(types, text) }
}

/** `std::vector<std::uint8_t>`: what it holds, where that are bytes. */
function bytesIn(types: Types, text: string): Type | null {
  const [, held = ''] =
    /^(?:const )?(?:std::)?(?:vector|span|deque|array|basic_string_view)\s*<\s*(?:const )?([\w: ]{1,30}?)\s*[,>]/.exec(text) ?? []
  if (held === '') return null
  const type = /^(?:std::)?byte$/.test(held)
    ? plainType(types, 'uint8_t')
    : (wordsType(held.split(' ')) ?? plainType(types, held.replace(/^std::/, '')))
  return type?.kind === 'integer' && type.bytes === 1 && !type.isSigned ? type : null
}

/** A structure of the file by its name. */
export const recordType = (types: Types, name: string): Type => ({
  ...otherType(name),
  kind: 'record',
  bytes: sizeOfRecord(types, name),
})

/** The sum of its fields with their alignment, when all of them are known. */
function sizeOfRecord(types: Types, name: string): number | null {
  const fields = types.classes.get(name)?.fields
  if (fields === undefined || fields.size === 0 || fields.size > 100) return null
  let size = 0
  let widest = 1
  for (const type of fields.values()) {
    const bytes = type === null ? null : sizeOf(type)
    if (bytes === null || type === null) return null
    const align = Math.min(8, elementBytes(type) ?? 8)
    size = Math.ceil(size / align) * align + bytes
    widest = Math.max(widest, align)
  }
  return Math.ceil(size / widest) * widest
}

const elementBytes = (type: Type): number | null =>
  type.kind === 'array' && type.of !== null ? elementBytes(type.of) : type.bytes

export function sizeOf(type: Type): number | null {
  if (type.kind !== 'array') return type.bytes
  const element = type.of === null ? null : sizeOf(type.of)
  return type.count?.op === 'number' && element !== null ? type.count.value * element : null
}

export interface Declarator {
  readonly name: string
  readonly node: number
  readonly type: Type | null
  /** Of a function. */
  readonly parameters: number | undefined
}

/** `*name[10]`, `(*name)(int)`, `&name`: the name and its type. */
export function declaratorOf(cursor: Cursor, node: number, base: Type | null, lower: (node: number) => Expr): Declarator | null {
  let at: number | undefined = node
  let type = base
  let parameters: number | undefined
  for (let hops = 0; at !== undefined && hops < 20; hops++) {
    const kind: string = cursor.typeOf(at)
    const inner: number | undefined =
      cursor.child(at, 'declarator') ?? cursor.childrenOf(at).find((child) => /declarator|identifier/.test(cursor.typeOf(child)))
    if (kind === 'pointer_declarator' || kind === 'abstract_pointer_declarator') type = pointerTo(type)
    else if (kind === 'reference_declarator' || kind === 'abstract_reference_declarator')
      type = { ...(type ?? otherType('auto')), isReference: true }
    else if (kind === 'array_declarator' || kind === 'abstract_array_declarator') {
      const size = cursor.child(at, 'size')
      type = arrayOf(type, size === undefined ? null : lower(size))
    } else if (kind === 'function_declarator') {
      parameters = cursor.child(at, 'parameters')
      if (inner !== undefined && cursor.typeOf(inner) === 'parenthesized_declarator') type = pointerTo(otherType('function'))
    } else if (/identifier$|^operator_name$|^destructor_name$|^template_function$|^operator_cast$/.test(kind))
      return { name: cursor.textOf(at), node: at, type, parameters }
    at = inner
  }
  return null
}

/** `int a[2][3]`: the declarator nests the other way round than the type. */
const arrayOf = (of: Type | null, count: Expr | null): Type => ({ ...otherType(of?.name ?? ''), kind: 'array', of, count })

export function descriptorType(cursor: Cursor, types: Types, node: number | undefined): Type | null {
  if (node === undefined) return null
  if (cursor.typeOf(node) !== 'type_descriptor') return baseType(cursor, types, node)
  const base = baseType(cursor, types, cursor.child(node, 'type'))
  const declarator = cursor.child(node, 'declarator')
  if (declarator === undefined) return base
  let type = base
  for (const star of cursor.textOf(declarator).replaceAll(/\([^)]*\)\s*$/g, '')) if (star === '*') type = pointerTo(type)
  return type
}

export function resultType(operator: string, left: Type | null, right: Type | null): Type | null {
  if (/^(?:[<>]=?|[!=]=|&&|\|\|)$/.test(operator)) return intType
  const [a, b] = [decayed(left), decayed(right)]
  if (a?.kind === 'pointer') return operator === '-' && b?.kind === 'pointer' ? { ...sizeType, isSigned: true } : a
  if (b?.kind === 'pointer') return operator === '+' ? b : null
  if (a?.kind === 'float' || b?.kind === 'float') return a?.kind === 'float' ? a : b
  if (a?.kind !== 'integer' || b?.kind !== 'integer') return null
  if (operator === '<<' || operator === '>>') return promoted(a)
  const [x, y] = [promoted(a), promoted(b)]
  const bytes = Math.max(x.bytes ?? 4, y.bytes ?? 4)
  const isUnsigned = (x.bytes === bytes && !x.isSigned) || (y.bytes === bytes && !y.isSigned)
  return { ...intType, bytes, isSigned: !isUnsigned }
}

const promoted = (type: Type): Type => ((type.bytes ?? 4) < 4 ? intType : type)

const decayed = (type: Type | null): Type | null => (type?.kind === 'array' ? pointerTo(type.of) : type)
