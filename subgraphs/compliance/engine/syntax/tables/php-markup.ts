/** What of HTML is open where PHP puts a value into a page: a script, or an attribute with its quote. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'

interface Page {
  /** How far the page has been read. */
  at: number
  mode: 'text' | 'tag' | 'value' | 'raw'
  tag: string
  attribute: string
  quote: string
  value: string
  /** `<script type="text/template">` runs nothing. */
  runs: boolean
}

/** So much of a value tells what it begins with. */
const told = 60

const pages = new WeakMap<Lowering, Page>()

const begin = (): Page => ({ at: 0, mode: 'text', tag: '', attribute: '', quote: '', value: '', runs: true })

/** `echo` of a value, behind the markup that it stands in. */
export function echoed(lowering: Lowering, node: number, value: Ir): Ir {
  const leading = value.op === 'literal' ? '' : openAt(lowering, lowering.startOf(node))
  const span = { start: value.start, end: value.end }
  const text: Ir =
    leading === ''
      ? value
      : { op: 'concat', parts: [{ op: 'literal', value: leading, start: span.start, end: span.start }, value], ...span }
  return lowering.make.call(node, lowering.make.name(node, 'echo'), [text])
}

/** Blade puts `{!! value !!}` into a page as it is; `{{ value }}` is escaped. */
const raw = /\{!!(?=[^\n]{0,300}!!\})|!!\}/g

/** A template of Blade with the tags of PHP in place of its own, which are as long. */
export const withTagsOfPhp = (text: string): string =>
  text.includes('{!!') && !text.includes('<?') ? text.replace(raw, (tag) => (tag === '{!!' ? '<?=' : ' ?>')) : text

const tagBefore = /(?:<\?(=|php)?|\{!(!))\s*$/i

/** Whether the tag before a statement is `<?=`. */
export const isShort = (lowering: Lowering, node: number): boolean => tagAt(lowering, lowering.startOf(node)) === '='

const tagAt = ({ source }: Lowering, start: number): string | undefined => {
  const found = tagBefore.exec(source.slice(Math.max(0, start - 80), start))
  if (found === null) return undefined
  return found[2] === undefined ? (found[1] ?? '') : '='
}

/** The markup that is open at the tag before a statement; nothing where other statements stand in between. */
function openAt(lowering: Lowering, start: number): string {
  if (tagAt(lowering, start) === undefined) return ''
  let page = pages.get(lowering)
  if (page === undefined || page.at > start) pages.set(lowering, (page = begin()))
  read(page, lowering.source, lowering.source.lastIndexOf('<?', start))
  if (page.mode === 'raw') return page.tag === 'script' && page.runs ? '<script>' : ''
  if (page.mode !== 'value') return ''
  return `<${page.tag} ${page.attribute}=${page.quote}${page.value.replaceAll(/["'<>]/g, ' ')}`
}

/** Reads the page up to `end`; what PHP prints in between is unknown. */
function read(page: Page, source: string, end: number): void {
  while (page.at < end) {
    const opens = source.indexOf('<?', page.at)
    const stop = opens === -1 || opens > end ? end : opens
    readMarkup(page, source, stop)
    if (stop === end) return
    const closes = source.indexOf('?>', stop)
    if (page.mode === 'value') page.value = `${page.value}x`.slice(0, told)
    page.at = closes === -1 ? end : closes + 2
  }
}

function readMarkup(page: Page, source: string, end: number): void {
  while (page.at < end) {
    if (page.mode === 'text') readText(page, source, end)
    else if (page.mode === 'raw') readRaw(page, source, end)
    else if (page.mode === 'tag') readTag(page, source, end)
    else readValue(page, source, end)
  }
}

const wordAt = (pattern: RegExp, source: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? ''
}

const tagName = /[a-z][\w:-]{0,40}/iy
const attributeName = /[^\s"'<>/=]{1,60}/y

function readText(page: Page, source: string, end: number): void {
  const opens = source.indexOf('<', page.at)
  if (opens === -1 || opens >= end) page.at = end
  else if (source.startsWith('<!--', opens)) {
    const closes = source.indexOf('-->', opens)
    page.at = closes === -1 ? end : Math.min(end, closes + 3)
  } else {
    const name = wordAt(tagName, source, opens + 1)
    page.at = opens + 1 + name.length
    if (name !== '') Object.assign(page, { mode: 'tag', tag: name.toLowerCase(), runs: true })
  }
}

function readRaw(page: Page, source: string, end: number): void {
  const closes = source.indexOf('</', page.at)
  if (closes === -1 || closes >= end) page.at = end
  else {
    page.at = closes + 2
    if (wordAt(tagName, source, page.at).toLowerCase() === page.tag) page.mode = 'text'
  }
}

const closeTag = (page: Page): void => {
  page.mode = page.tag === 'script' || page.tag === 'style' || page.tag === 'textarea' ? 'raw' : 'text'
}

function readTag(page: Page, source: string, end: number): void {
  const letter = source[page.at] ?? ''
  if (letter === '>') closeTag(page)
  else if (letter === '=') Object.assign(page, { mode: 'value', quote: '', value: '' })
  else if (!/[\s/"'<]/.test(letter)) {
    page.attribute = wordAt(attributeName, source, page.at).toLowerCase()
    page.at = Math.min(end, page.at + Math.max(1, page.attribute.length))
    return
  }
  page.at++
}

function readValue(page: Page, source: string, end: number): void {
  for (; page.at < end; page.at++) {
    const letter = source[page.at] ?? ''
    const isFirst = page.quote === '' && page.value === ''
    if (isFirst && (letter === '"' || letter === "'")) page.quote = letter
    else if (page.quote === '' ? /[\s>]/.test(letter) && !(isFirst && letter !== '>') : letter === page.quote) {
      if (page.tag === 'script' && page.attribute === 'type')
        page.runs = /^(?:module|(?:text|application)\/javascript|)$/i.test(page.value)
      if (letter === '>' && page.quote === '') closeTag(page)
      else page.mode = 'tag'
      page.at++
      return
    } else if (page.value.length < told) page.value += letter
  }
}
