/** The page around a chapter. It has no script: what opens is the browser's own popover, and colours follow the system. */
import { GROUPS, type Chapter } from './chapters.js'
import { escapeHtml, type Heading } from './markdown.js'

export interface Page extends Chapter {
  readonly title: string
  /** As it is served, with links to what is served. */
  readonly markdown: string
}

export interface PageParts {
  readonly pages: readonly Page[]
  readonly page: Page
  readonly html: string
  readonly headings: readonly Heading[]
  readonly stylesheet: string
  readonly icon: string
}

export const addressOf = ({ name }: { readonly name: string }): string => (name === '' ? '/docs' : `/docs/${name}`)

export const markdownAddressOf = ({ name }: { readonly name: string }): string => `/docs/${name === '' ? 'index' : name}.md`

const link = (page: Page, attributes = '') =>
  `<a href="${addressOf(page)}"${attributes}>${escapeHtml(page.short ?? page.title)}</a>`

/** Headings of the page that is open, below its entry: of a reference, its parts too. */
function outline(headings: readonly Heading[]): string {
  const items = headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return items.length > 1 ? `<ul class="outline">${items.join('')}</ul>` : ''
}

/** On narrow screens, where the contents lie over the page and a link into the page would leave them open. */
function onThisPage({ headings }: PageParts): string {
  const list = outline(headings)
  return list && `<details class="here"><summary>On this page</summary>${list}</details>\n`
}

function navigation({ pages, page, headings }: PageParts): string {
  return GROUPS.map((group) => {
    const items = pages
      .filter((one) => one.group === group && !one.name.startsWith('decisions/'))
      .map((one) => {
        const isOpen = one === page
        return `<li>${link(one, isOpen ? ' aria-current="page"' : '')}${isOpen ? outline(headings) : ''}</li>`
      })
    return `<h2>${group}</h2><ul>${items.join('')}</ul>`
  }).join('')
}

function neighbours({ pages, page }: PageParts): string {
  const at = pages.indexOf(page)
  const [before, after] = [pages[at - 1], pages[at + 1]]
  return [before ? link(before, ' rel="prev"') : '', after ? link(after, ' rel="next"') : ''].filter(Boolean).join('')
}

export function layout(parts: PageParts): string {
  const { page, html, stylesheet, icon } = parts
  const title = page.name === '' ? 'Sluice' : `${page.title} · Sluice`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${stylesheet}">
<link rel="alternate" type="text/markdown" href="${markdownAddressOf(page)}">
</head>
<body>
<a class="skip" href="#the-page">Skip to the page</a>
<header>
<a class="brand" href="/docs"><img src="${icon}" alt="" width="24" height="24">Sluice</a>
<span class="away"><a href="/">Console</a><a href="/graphql">GraphiQL</a></span>
<button type="button" popovertarget="the-contents">Contents</button>
</header>
<nav id="the-contents" popover aria-label="Documentation">${navigation(parts)}</nav>
<main id="the-page" tabindex="-1">
${onThisPage(parts)}${html}
</main>
<footer><nav aria-label="Before and after">${neighbours(parts)}</nav><a href="${markdownAddressOf(page)}">This page as Markdown</a></footer>
</body>
</html>
`
}
