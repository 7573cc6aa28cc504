/** Keys that stand in the program: constant arrays that a cipher is started with. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { helper, isLastMention } from './c-scope.js'

/** Calls that take a key, up to the key itself: the cipher may be a call without arguments. */
const takesKey = [
  String.raw`\bEVP_(?:Encrypt|Decrypt|Cipher)Init(?:_ex2?)?\s*\(\s*[^;,]{1,60},\s*[^;,]{1,60},\s*(?:NULL\s*,|nullptr\s*,)?\s*`,
  String.raw`\b(?:AES_set_(?:en|de)crypt_key|mbedtls_gcm_setkey|mbedtls_aes_setkey_\w+|gcry_cipher_setkey)\s*\(\s*(?:\w[^;,()]{0,60},\s*){0,2}`,
].join('|')

/** Sixteen characters or bytes at least: what a cipher takes. */
const keyText = /^(?:u8|L)?"[^"]{16,}"$|^\{\s*(?:(?:0x[\da-f]{1,2}|\d{1,3})U?\s*,\s*){15,}/i

/** `#fixed_key` for a constant array with a value that is given to a cipher as its key. */
export function fixedKey(lowering: Lowering, declaration: number, name: string, value: number | undefined): Ir[] {
  if (
    value === undefined ||
    !/\bconst(?:expr)?\b/.test(lowering.source.slice(lowering.startOf(declaration), lowering.startOf(value)))
  )
    return []
  const written = lowering.text(value).slice(0, 600)
  // Keys are often explained between their bytes.
  const bytes = written.startsWith('{') ? written.replaceAll(/\/\/[^\n]*|\/\*[^*]*\*\//g, '') : written
  if (!/^\w+$/.test(name) || !keyText.test(bytes)) return []
  const isKey = new RegExp(String.raw`(?:${takesKey})(?:\([^()]{1,40}\)\s*|reinterpret_cast<[^<>]{1,40}>\(\s*)?${name}\b`)
  return isKey.test(lowering.source) ? [helper(lowering, value, '#fixed_key', [])] : []
}

/** `#erased(buffer)` behind a `memset` to zero that is the last to speak of the buffer. */
export function erased(lowering: Lowering, call: number): Ir[] {
  const callee = lowering.typeOf(call) === 'call_expression' ? lowering.first(call, 'function') : undefined
  if (callee === undefined || !/^(?:std::)?memset$/.test(lowering.text(callee))) return []
  const [target, value] = lowering.all(call, 'arguments/*')
  if (target === undefined || value === undefined || !/^(?:0|'\\0')$/.test(lowering.text(value))) return []
  const name = /[A-Za-z_]\w*/.exec(lowering.text(target))?.[0] ?? ''
  return isLastMention(lowering, call, name)
    ? [helper(lowering, call, '#erased', [lowering.lower(holderOf(lowering, target))])]
    : []
}

/** `password.data()` is about the password. */
function holderOf(lowering: Lowering, target: number): number {
  const method = lowering.typeOf(target) === 'call_expression' ? lowering.first(target, 'function') : undefined
  const holder = method === undefined ? undefined : lowering.first(method, 'argument')
  return method !== undefined && holder !== undefined && lowering.text(method).endsWith('.data') ? holder : target
}

/** A list of plain numbers, or a text: the array begins as the program says. */
export function isConstantBytes(text: string): boolean {
  if (/^(?:u8|L)?"[^"]*"$/.test(text)) return true
  const parts = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1).split(',') : null
  return parts?.every((part) => /^(?:(?:0[xX][\da-fA-F]+|\d+)[uU]?|'(?:\\.{1,3}|[^'\\])')?$/.test(part.trim())) === true
}
