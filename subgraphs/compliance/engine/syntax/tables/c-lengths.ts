/**
 * Numbers of C that nobody compares with anything: lengths that stand in the data itself, products that become sizes, counters of stores.
 *
 * A length read from the data (`n = *p++`, `n = ntohs(...)`) is marked by `#wired(n)`; a condition or a check on it is `#limited(n)`. The other
 * helper calls need no flow: whether a function compares a number at all is visible in its text.
 */
import type { Ir } from '../ir.js'
import type { Lowering } from '../shapes.js'
import { argumentsOf, bare, calleeName, fieldCount, helper, knownName, mentions, scopeOf } from './c-scope.js'

const readers =
  /^(?:ntoh(?:s|l|ll)|betoh\d\d|(?:be|le)\d\dtoh|(?:be|le)\d\d_to_cpup?|get_unaligned\w*|AV_R[BLN]\d+|EXTRACT_\w+|GET\w*(?:8|16|24|32)\w*|(?:\w+_)?(?:get|read|rd|load|unpack|fetch|extract|pull|peek)_?(?:[us]?(?:int)?_?(?:8|16|24|32|64)|[bl]e_?(?:8|16|24|32|64)?|[bl]e?_?(?:word|short|long)|byte|word|dword|short|u?long)(?:_?(?:[bl]e|t))?|[bl]e_?(?:16|24|32|64))$/i
const checks =
  /check|valid|bound|avail|remain|left|need|ensure|enough|\bhas|skip|min\b|clamp|clip|limit|assert|require|verify|within|fits/i

/** `ntohs(x)`, `r.read_u16()`, `u16()`, `in.get()`; `u16(x)` is a cast. */
function isReader(lowering: Lowering, call: number): boolean {
  const [, object, name = ''] = /^(?:(.*)(?:\.|->|::))?(\w+)$/.exec(calleeName(lowering, call)) ?? []
  if (readers.test(name)) return true
  if (argumentsOf(lowering, call).length > 0) return false
  return /^(?:u|s|i|be|le|uint|int)_?(?:8|16|24|32|64)(?:[bl]e)?$/.test(name) || (name === 'get' && streams.test(object ?? ''))
}

const streams = /^(?:in|is|ifs|fin|cin|std::cin|\w*(?:stream|file|input)\w*)_?$/i

/** Whether a value was read out of bytes: `*p++`, `p[1] << 8 | p[2]`, `ntohs(h->length)`. */
function isWire(lowering: Lowering, node: number): boolean {
  const at = bare(lowering, node)
  const type = lowering.typeOf(at)
  if (type === 'call_expression') return isReader(lowering, at)
  if (type === 'subscript_expression') return isBytes(lowering, lowering.first(at, 'argument,#0'))
  if (type === 'pointer_expression' && lowering.text(at).startsWith('*')) {
    const inner = bare(lowering, lowering.first(at, 'argument') ?? at)
    return isBytes(lowering, lowering.typeOf(inner) === 'update_expression' ? lowering.first(inner, 'argument') : inner)
  }
  if (type !== 'binary_expression') return false
  const [left, right] = [lowering.first(at, 'left'), lowering.first(at, 'right')]
  if (left === undefined || right === undefined) return false
  const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
  return /^(?:\||<<|\+|-|\*)$/.test(operator) && (isWire(lowering, left) || isWire(lowering, right))
}

/** One byte is a small number: `#byte(p[i])`. */
export function byteValue(lowering: Lowering, node: number, value: Ir): Ir {
  const at = bare(lowering, node)
  const isByte = lowering.typeOf(at) === 'subscript_expression' && isBytes(lowering, lowering.first(at, 'argument,#0'))
  return isByte ? helper(lowering, node, '#byte', [value]) : value
}

/** Pointers to bytes and local arrays of bytes; arrays of the file are tables. */
const isBytes = (lowering: Lowering, node: number | undefined): boolean => {
  const known = knownName(lowering, node)
  return known !== undefined && known.bytes === 1 && known.kind !== 'scalar' && known.isLocal
}

/** `#wired(n)` where `n` becomes a number out of the data. */
export function wired(lowering: Lowering, target: number, value: number | undefined): Ir[] {
  const known = knownName(lowering, target)
  const { inside } = scopeOf(lowering)
  if (known?.kind !== 'scalar' || !known.isLocal || inside == null) return []
  if (value === undefined || !isWire(lowering, value)) return []
  inside.wired.add(known.name)
  const marks = [helper(lowering, target, '#wired', [lowering.make.name(target, known.name)])]
  if (known.isSigned === true && (known.bytes ?? 0) >= 4)
    marks.push(helper(lowering, target, '#wired_signed', [lowering.make.name(target, known.name)]))
  return marks
}

/** `#limited(n)` for the numbers out of the data that a condition looks at, or a call checks. */
export function limited(lowering: Lowering, node: number, isCondition: boolean): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null || inside.wired.size === 0) return []
  const text = lowering
    .text(node)
    .slice(0, 2000)
    .replaceAll(/->|<<|>>/g, ' ')
    .replaceAll(/[!=]=\s*(?:[\w:]*\beof\(\)|EOF\b|-\s*1\b)/g, ' ')
  return [...inside.wired].flatMap((name) => {
    const word = new RegExp(`\\b${name}\\b`)
    if (!word.test(text)) return []
    const isCompared = isCondition && /[<>]|[!=]=\s*(?!0\b|NULL\b|'\\0')|\w\s*\(/.test(text)
    const isChecked = [...text.matchAll(/(\w+)\s*\(([^;]{0,200})/g)].some(
      ([, callee = '', rest = '']) => (checks.test(callee) || /^[A-Z][A-Z0-9_]+$/.test(callee)) && word.test(rest),
    )
    return isCompared || isChecked || (/\?/.test(text) && /[<>]/.test(text))
      ? [helper(lowering, node, '#limited', [lowering.make.name(node, name)])]
      : []
  })
}

/** The one number that a length is made from: `n` of `n`, `n + 1`, `(size_t)n`. */
export function numberIn(lowering: Lowering, node: number): Ir | null {
  const { inside } = scopeOf(lowering)
  if (inside === null || inside.wired.size === 0) return null
  const text = lowering.text(node)
  const match = /^(?:\(\s*\w+\s*\)\s*)?\(?\s*([A-Za-z_]\w*)\s*(?:[+*]\s*[\w()]{1,30}\s*)?\)?$/.exec(text.trim())
  const name = match?.[1]
  return name !== undefined && inside.wired.has(name) ? lowering.make.name(node, name) : null
}

/**
 * `#sized(n)` for a text or view made of a pointer and a number out of the data: `std::string s(data, n)`, `s.assign(data, n)`. What
 * limits the number is a matter of the way.
 */
export function sized(lowering: Lowering, node: number, made: string, args: readonly number[]): Ir[] {
  const [from, count] = args
  if (from === undefined || count === undefined || args.length !== 2) return []
  if (!/(?:^|::|\.|->)(?:w?string|w?string_view|span|vector|assign|append)$/.test(made.replace(/<[^;]{0,80}>$/, ''))) return []
  if (!/\bdata\(\)|^&|reinterpret_cast|^\([^()]{1,40}\*\s*\)/.test(lowering.text(from))) return []
  const length = numberIn(lowering, count)
  return length === null ? [] : [helper(lowering, node, '#sized', [length])]
}

/** `#sized(n)` for `for (i = 0; i < n; i++) line[x++] = ...` into an array of fixed length, where nothing in the loop compares `x`. */
export function filled(lowering: Lowering, base: number, index: number, limit: number, body: number): Ir[] {
  const count = knownName(lowering, base)?.count ?? fieldCount(lowering, base)
  const length = numberIn(lowering, limit)
  if (count === undefined || length === null || lowering.typeOf(index) !== 'update_expression') return []
  if (isCompared(lowering.text(body), lowering.text(lowering.first(index, 'argument') ?? index))) return []
  return [helper(lowering, base, '#sized', [length])]
}

const copiers = /^(?:std::)?(?:memcpy|memmove|bcopy|copy_from_user|__copy_from_user|recv|read|memset|mempcpy|wmemcpy)$/

/** `#unlimited` for a copy of `header.length` bytes, where the header was read from outside and nothing looks at the length. */
export function unlimited(lowering: Lowering, node: number): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null || !copiers.test(calleeName(lowering, node))) return []
  const length = argumentsOf(lowering, node)[2]
  if (length === undefined || lowering.typeOf(bare(lowering, length)) !== 'field_expression') return []
  const text = lowering.text(bare(lowering, length)).replaceAll(/\s/g, '')
  if (!/^\w+(?:\.|->)\w+$/.test(text) || !isRead(inside.text.slice(0, lowering.startOf(node) - inside.start), text)) return []
  return isCompared(inside.text, text) || isGivenToCheck(inside.text, text) ? [] : [helper(lowering, node, '#unlimited', [])]
}

const isGivenToCheck = (text: string, name: string): boolean =>
  [...text.slice(text.indexOf('{')).matchAll(/(\w+)\s*\(([^;{}]{0,200})/g)].some(
    ([, callee = '', rest = '']) => (checks.test(callee) || /^[A-Z][A-Z0-9_]+$/.test(callee)) && rest.includes(name),
  )

/** `#element(i)` for a number out of the data that is the index of an array of known length. */
export function element(lowering: Lowering, base: number, index: number): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null || lowering.typeOf(index) !== 'identifier' || !inside.wired.has(lowering.text(index))) return []
  const count = knownName(lowering, base)?.count ?? fieldCount(lowering, base)
  if (count === undefined || /^(?:256|0x100|65536|0x10000|UCHAR_MAX.*|.*<<.*)$/.test(count)) return []
  return [helper(lowering, base, '#element', [lowering.lower(index)])]
}

/** `#stride` for `i += data[i] + 1;` in a loop, where nothing asks how far `i` is. */
export function stride(lowering: Lowering, node: number): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null || inside.openLoops === 0 || inside.countedLoops > 0) return []
  const [left, right] = [lowering.first(node, 'left'), lowering.first(node, 'right')]
  if (left === undefined || right === undefined || lowering.typeOf(left) !== 'identifier') return []
  const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
  if (operator !== '+=' || !isWire(lowering, right)) return []
  const name = lowering.text(left)
  const isPlace = new RegExp(`\\[\\s*${name}\\b|\\*\\s*${name}\\b|\\b${name}\\s*\\[`).test(inside.text)
  if (!isPlace || !/[[*]/.test(lowering.text(right)) || isCompared(inside.text, name) || isGivenToCheck(inside.text, name))
    return []
  return [helper(lowering, node, '#stride', [])]
}

/** `#overcount` for `for (i = 0; i < n; i++) buffer[i] = ...` into an array of the function, where `n` was read and nothing limits it. */
export function overcount(lowering: Lowering, base: number, limit: number): Ir[] {
  const { inside } = scopeOf(lowering)
  const known = knownName(lowering, base)
  const text = lowering.text(bare(lowering, limit)).replaceAll(/\s/g, '')
  if (inside === null || known?.kind !== 'array' || !known.isLocal || known.count === undefined) return []
  if (!/^[A-Za-z_]\w*(?:(?:\.|->)\w+)?$/.test(text) || /^[A-Z][A-Z0-9_]*$/.test(text) || !/^\w+$/.test(known.count)) return []
  const uses = [
    ...inside.text.matchAll(
      new RegExp(
        `(\\w*)\\s*(?:[<>]=?|[!=]=)\\s*${escaped(text)}\\b|\\b${escaped(text)}\\s*(?:[<>](?![<>])=?|[!=]=)\\s*(?!0\\b)\\w`,
        'g',
      ),
    ),
  ]
  const isLimited = uses.some(
    ([whole, counter = '']) => !/^(?:[ijkn]|[a-z]{1,2}\d?|idx|index|count)\s*<=?/.test(whole) || counter === '',
  )
  if (isLimited || isGivenToCheck(inside.text, text)) return []
  const isOutside =
    isRead(inside.text, text) ||
    inside.text
      .split(new RegExp(`\\b${escaped(text)}\\s*=(?!=)`))
      .slice(1)
      .some((value) => fromHeader.test(value))
  return isOutside ? [helper(lowering, base, '#overcount', [])] : []
}

const fromHeader = /^\s*\w*(?:hdr|header|head|pkt|packet|req|msg|frame|info)\w*(?:\.|->)\w+\s*;/i

const allocators = /^(?:\w*_)?(?:m|re|k|kz|km|v|vm|vz|x|xm|z)?alloc$|^alloca$|^__builtin_alloca$|^\w*_malloc\w*$|^g_malloc0?$/

/** `#product` for `malloc(width * height)` of two numbers that come from elsewhere and that the function never compares. */
export function product(lowering: Lowering, node: number): Ir[] {
  return allocators.test(calleeName(lowering, node)) ? wrapping(lowering, node, argumentsOf(lowering, node)) : []
}

/** The same for the sizes of an allocation that is no call: `new char[width * height]`. */
export function wrapping(lowering: Lowering, node: number, sizes: readonly number[]): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null) return []
  if (/overflow|SIZE_MAX|INT_MAX|_MAX\b|mul_size|size_mul|array_size|_t\s*\)\s*-\s*1/i.test(inside.text)) return []
  for (const argument of sizes) {
    const written = productText(inside.text, lowering.text(argument), lowering.startOf(node) - inside.start)
    if (written === null) continue
    const factors = factorsOf(written)
    if (factors.length < 2) continue
    if (factors.some((factor) => isCompared(inside.text.slice(0, lowering.startOf(node) - inside.start), factor))) continue
    if (factors.some((factor) => isRead(inside.text, factor))) return [helper(lowering, node, '#product', [])]
  }
  return []
}

/** The text of a product: the argument itself, or what was assigned to the variable last. */
function productText(text: string, argument: string, before: number): string | null {
  if (argument.includes('*')) return argument
  if (!/^[A-Za-z_]\w*$/.test(argument)) return null
  const found = [...text.slice(0, before).matchAll(new RegExp(`\\b${argument}\\s*=(?!=)\\s*([^;]{1,200});`, 'g'))].at(-1)?.[1]
  return found?.includes('*') === true ? found : null
}

/** The factors that are neither constants nor sizes; none when it is no plain product, or one is widened on purpose. */
function factorsOf(text: string): string[] {
  if (/\(\s*(?:size_t|u?int64_t|u64|s64|uint64|off_t|(?:unsigned )?long long)\s*\)|[?,]|\bsizeof\b.*\bsizeof\b/.test(text))
    return []
  const plain = text.replaceAll(/\bsizeof\s*(?:\([^()]*\)|\w+)/g, '1').replaceAll(/[()\s]/g, '')
  if (!/^[\w.>*+-]+$/.test(plain.replaceAll('->', '.'))) return []
  return plain
    .split(/\+\d+/)
    .join('')
    .split('*')
    .filter((factor) => /^[A-Za-z_][\w.>-]*$/.test(factor) && !/^[A-Z][A-Z0-9_]*$/.test(factor))
}

const escaped = (name: string): string => name.replaceAll(/[.>-]/g, (character) => `\\${character}`)

const isCompared = (text: string, name: string): boolean =>
  new RegExp(
    `\\b${escaped(name)}\\b[\\s)]*(?:[<>](?![<>])|[!=]=\\s*(?!0|NULL)\\w)|(?:[^<>-][<>]=?|/)\\s*\\(?[\\w\\s()]{0,12}${escaped(name)}\\b`,
  ).test(text)

/** A number that comes out of data: read by a call, out of bytes, or a field of something that was read. */
function isRead(text: string, name: string): boolean {
  const owner = /^(\w+)(?:\.|->)/.exec(name)?.[1]
  const made = new RegExp(
    `\\b${escaped(name)}\\s*=(?!=)\\s*(?:\\([\\w\\s]+\\)\\s*)?(?:\\w+_)?(?:ntoh|[bl]e_?\\d\\d|get_?|read_?|rd_?)\\w*\\s*\\(`,
  )
  if (owner !== undefined && made.test(text)) return true
  if (owner !== undefined)
    return new RegExp(`\\b(?:f?read|recv|memcpy|copy_from_user|\\w*_read\\w*|read_\\w+)\\s*\\([^;]{0,80}\\b${owner}\\b`).test(
      text,
    )
  return new RegExp(
    `\\b${name}\\s*=(?!=)\\s*(?:\\([\\w\\s]+\\)\\s*)?(?:[\\w.:>-]*(?:ntoh|toh|to_cpu|atoi|strto|get|read|rd|load|fetch|GET|READ)\\w*\\s*\\(|[\\w>.-]+\\[|\\*)|&${name}\\b`,
  ).test(text)
}

/** `while (...) buf[i++] = c;` into an array, where nothing ever asks how far `i` is. */
export function endlessStore(lowering: Lowering, node: number): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null || inside.openLoops === 0 || inside.countedLoops > 0 || lowering.typeOf(node) !== 'assignment_expression')
    return []
  const left = lowering.first(node, 'left')
  if (left === undefined) return []
  const stepped = steppedPlace(lowering, left)
  if (stepped === null) return []
  const { text } = inside
  return isCompared(text, stepped.counter) || isBoundOtherwise(text, stepped.counter)
    ? []
    : [helper(lowering, node, '#endless', [])]
}

/** Given away by address, counted down, reduced, or measured as a distance. */
const isBoundOtherwise = (text: string, name: string): boolean =>
  new RegExp(
    `&\\s*${name}\\b|\\b${name}\\s*(?:--|-(?!>)|[-%&]=|%|[!=]=)|\\b${name}\\s*=(?!=)\\s*(?!\\s|0\\s*[;,]|[A-Za-z_]\\w*\\s*[;,])|[!=]=\\s*${name}\\b|-\\s*${name}\\b`,
  ).test(text)

/** `buf[i++]` of an array of the function, or `*p++` of a pointer to its beginning. */
function steppedPlace(lowering: Lowering, left: number): { counter: string } | null {
  const update = (node: number | undefined): string | null => {
    const at = node === undefined ? undefined : bare(lowering, node)
    if (at === undefined || lowering.typeOf(at) !== 'update_expression' || !lowering.text(at).endsWith('++')) return null
    const name = lowering.first(at, 'argument')
    return name !== undefined && lowering.typeOf(name) === 'identifier' ? lowering.text(name) : null
  }
  if (lowering.typeOf(left) === 'subscript_expression') {
    const base = knownName(lowering, lowering.first(left, 'argument,#0'))
    const counter = update(lowering.first(left, 'index,indices/#0,#1'))
    return base?.kind === 'array' && base.isLocal && base.count !== undefined && counter !== null ? { counter } : null
  }
  if (lowering.typeOf(left) !== 'pointer_expression') return null
  const counter = update(lowering.first(left, 'argument'))
  const { inside } = scopeOf(lowering)
  const origin =
    counter === null
      ? null
      : new RegExp(`\\b${counter}\\s*=\\s*&?\\s*(\\w+)\\s*(?:\\[\\s*0\\s*\\])?\\s*[;,]`).exec(inside?.text ?? '')?.[1]
  const known = origin == null ? undefined : inside?.names.get(origin)
  return counter !== null && known?.kind === 'array' && known.count !== undefined ? { counter } : null
}

/** `if (i > 16) return; a[i]` of an array of 16: one too far. */
export function offByOne(lowering: Lowering, base: number, index: number): Ir[] {
  const count = knownName(lowering, base)?.count ?? fieldCount(lowering, base)
  const found = lowering.typeOf(index) === 'identifier' ? mentions(lowering, lowering.text(index)) : null
  if (count === undefined || found === null || !/^\w+$/.test(count) || /^[01]$/.test(count)) return []
  const name = lowering.text(index)
  const before = found.text.slice(0, lowering.startOf(index) - (scopeOf(lowering).inside?.start ?? 0))
  const array = lowering.text(base)
  const filled = new RegExp(
    `\\b${name}\\s*=\\s*(?:::)?(?:read|recv|recvfrom|pread|readlink)\\s*\\([^;]{0,60}\\b${escaped(array)}\\s*,\\s*sizeof\\s*(?:\\(\\s*${escaped(array)}\\s*\\)|\\s${escaped(array)})\\s*[,)]`,
  ).test(before)
  if (
    filled &&
    !new RegExp(`\\b${name}\\s*(?:[=!]=|>=?|<)\\s*(?:\\(\\w+\\)\\s*)?sizeof|\\b${name}\\s*--|\\b${name}\\s*-=`).test(before)
  )
    return [helper(lowering, base, '#beyond', [])]
  const rejects = new RegExp(`\\b${name}\\s*>\\s*${count}\\s*(?:\\|\\||\\))`).test(before)
  const accepts = new RegExp(`\\b${name}\\s*(?:>=|<|==)\\s*${count}\\b`).test(before)
  return rejects && !accepts ? [helper(lowering, base, '#beyond', [])] : []
}
