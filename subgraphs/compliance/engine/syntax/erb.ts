/** Views of Rails: what stands between `<%` and `%>` is Ruby, in a text of the same length and with the same lines. */

const tag = /<%(%|#|==|=|-)?([\s\S]*?)(-?%>)/g
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

export function rubyOfErb(text: string): string {
  let ruby = ''
  let end = 0
  for (const { 0: whole, 1: kind = '', 2: code = '', 3: close = '', index } of text.matchAll(tag)) {
    ruby += blank(text.slice(end, index))
    ruby += kind === '%' || kind === '#' ? blank(whole) : rubyOf(kind, code, close)
    end = index + whole.length
  }
  return ruby + blank(text.slice(end))
}

/** `<%== x %>` shows what it holds as it is, which is `raw(x)`. */
function rubyOf(kind: string, code: string, close: string): string {
  const opensBlock = /(?:\bdo|\{)\s*(?:\|[^|]*\|)?\s*$/.test(code)
  if (kind === '==' && !opensBlock) return `raw(${code}${close.replace('%>', ');').replace('-', ' ')}`
  return `  ${blank(kind)}${code}${close.replace('%>', ' ;').replace('-', ' ')}`
}
