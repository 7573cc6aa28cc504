/** Markdown as it stands in the repository to HTML that needs no scripts: headings that can be linked to, code in colours. */
import GithubSlugger from 'github-slugger'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import graphql from 'highlight.js/lib/languages/graphql'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Token } from 'marked'

const LANGUAGES = { bash, graphql, javascript, json, python, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

export interface Heading {
  readonly id: string
  /** As text, without marks. */
  readonly text: string
  readonly depth: number
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

/** What the addresses in a text become in its page. */
export interface Addresses {
  link(address: string): string
  /** The heading of what is there, for a link that says the name of a file. */
  title(address: string): string | null
  /** The same picture for dark screens, where there is one. */
  darkPicture(address: string): string | null
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('')

/** GitHub's rule, so that a link means the same there and here. */
export function renderMarkdown(text: string, addresses: Addresses): Rendered {
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const words = plainText(tokens)
        const id = slugger.slug(words)
        headings.push({ id, text: words, depth })
        const inner = this.parser.parseInline(tokens)
        // The words are the link to themselves; the title of a page needs none.
        return depth === 1
          ? `<h1 id="${id}">${inner}</h1>\n`
          : `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const address = addresses.link(href)
        const words = /^[\w/-]+\.md$/i.test(plainText(tokens)) ? addresses.title(href) : null
        const rel = /^https?:/.test(address) ? ' rel="noreferrer"' : ''
        return `<a href="${escapeHtml(address)}"${rel}>${words === null ? this.parser.parseInline(tokens) : escapeHtml(words)}</a>`
      },
      image({ href, text: words }) {
        const image = `<img src="${escapeHtml(addresses.link(href))}" alt="${escapeHtml(words)}" loading="lazy">`
        const dark = addresses.darkPicture(href)
        if (dark === null) return image
        return `<picture><source srcset="${escapeHtml(dark)}" media="(prefers-color-scheme: dark)">${image}</picture>`
      },
      code: ({ text: code, lang = '' }) => `<pre tabindex="0"><code>${coloured(code, lang)}</code></pre>\n`,
      table({ header, rows }) {
        const cells = (row: typeof header, tag: string) =>
          row
            .map((cell) => (cell.text === '' ? '<td></td>' : `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`))
            .join('')
        // A table of pairs has nothing in its head, which would be read out as columns without names.
        const head = header.some(({ text: words }) => words !== '') ? `<thead><tr>${cells(header, 'th')}</tr></thead>` : ''
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="table" tabindex="0">\n<table>${head}<tbody>${body}</tbody></table>\n</div>\n`
      },
      // A text says <id> and means it.
      html: ({ text: raw }) => escapeHtml(raw),
    },
  })
  return { html: marked.parse(text, { async: false }), headings }
}

const ALIASES: Readonly<Record<string, string>> = { sh: 'bash', js: 'javascript', yml: 'yaml' }

function coloured(code: string, lang: string): string {
  const language = ALIASES[lang] ?? lang
  return language in LANGUAGES ? hljs.highlight(code, { language }).value : escapeHtml(code)
}
