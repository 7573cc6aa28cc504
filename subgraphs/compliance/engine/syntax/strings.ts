/** String constants as their program sees them: quotes off, escapes decoded. */

const simple: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b' }

/** Decodes one escape sequence that starts with a backslash; unknown ones stand for the escaped character. */
export function decodeEscape(text: string): string {
  const kind = text[1] ?? ''
  if (kind === 'x' || kind === 'u' || kind === 'U') {
    const code = Number.parseInt(text.slice(2).replaceAll(/[{}]/g, ''), 16)
    return Number.isNaN(code) || code > 0x10ffff ? text : String.fromCodePoint(code)
  }
  if (kind >= '0' && kind <= '7' && text.length > 2) return String.fromCharCode(Number.parseInt(text.slice(1), 8) & 0xffff)
  return simple[kind] ?? text.slice(1)
}

/** Decodes all backslash escapes of a string's inner text. */
export const decodeEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(/\\(?:x[0-9a-fA-F]{1,2}|u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|[0-7]{1,3}|[^])/g, decodeEscape)
    : text

/** The inner text of a quoted literal with any prefix letters: `b'x'`, `@"x"`, `"""x"""`, `L"x"`, `r#"x"#`. */
export function unquote(text: string): string {
  const opening = /^[a-zA-Z@$]{0,3}(#*)("""|'''|"|'|`)/.exec(text)
  if (opening === null) return text
  const closing = (opening[2] ?? '') + (opening[1] ?? '')
  const inner = text.slice(opening[0].length)
  return inner.endsWith(closing) ? inner.slice(0, inner.length - closing.length) : inner
}

/** The number that a literal denotes in any of our languages, or `null`. */
export function parseNumber(text: string): number | null {
  const plain = text.replaceAll(/[_']/g, '').toLowerCase()
  const radix = /^0x[0-9a-f]+|^0o[0-7]+|^0b[01]+/.exec(plain)
  if (radix !== null) return Number(radix[0])
  if (/^0[0-7]+$/.test(plain)) return Number.parseInt(plain, 8)
  const decimal = /^\d*\.?\d+(?:e[+-]?\d+)?|^\d+\./.exec(plain)
  return decimal === null ? null : Number(decimal[0])
}
