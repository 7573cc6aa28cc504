/**
 * Build step: writes dist/docs, all that is served below /docs and as /llms.txt: a page and its Markdown for every chapter, the
 * references made of schema/, one stylesheet, the pictures that are shown. It comes after the console, whose fonts it uses.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildSchema } from 'graphql'
import { parse } from 'yaml'
import { packageRoot } from '#platform/package-root.js'
import { CHAPTERS, type Chapter } from './chapters.js'
import { graphqlOperations, graphqlStart, graphqlTypes } from './graphql-reference.js'
import { addressOf, layout, markdownAddressOf, type Page } from './layout.js'
import { relinked } from './links.js'
import { llmsFullTxt, llmsTxt } from './llms.js'
import { renderMarkdown } from './markdown.js'
import type { OpenApi } from './openapi-shapes.js'
import { restReference, restSchemas } from './rest-reference.js'
import { stylesheet } from './stylesheet.js'

const output = join(packageRoot, 'dist', 'docs')
const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')

/** By address; the server reads it once and then knows what there is. */
const manifest: Record<string, { readonly file: string; readonly digest: string }> = {}

const digestOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('base64url').slice(0, 16)

function emit(address: string, bytes: string | Buffer, extension = extname(address)): void {
  const file = `${address
    .slice(1)
    .replaceAll('/', '--')
    .replace(/\.\w+$/, '')}${extension}`
  writeFileSync(join(output, file), bytes)
  manifest[address] = { file, digest: digestOf(bytes) }
  if (extension === '.png') return
  writeFileSync(join(output, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
  writeFileSync(join(output, `${file}.br`), brotliCompressSync(bytes, { params }))
}

/** The first sentence behind the heading, for what the table of contents has no line of. A decision begins with its question. */
function firstSentence(markdown: string): string {
  const text = markdown.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? ''
  return /^.+?[.?!](?=\s|$)/.exec(text.replace(/^\*\*\w+\.\*\* /, ''))?.[0] ?? text
}

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? ''

/** Chapters of the guide that the table of contents does not know yet are served all the same, behind the others. */
function chapters(): Chapter[] {
  const known = new Set(CHAPTERS.map(({ file }) => file))
  const more = globSync('docs/*.md', { cwd: packageRoot }).filter((file) => !known.has(file))
  const decisions = globSync('docs/decisions/*.md', { cwd: packageRoot }).toSorted()
  const unlisted = (file: string, name: string): Chapter => ({
    file,
    name,
    group: 'Project',
    summary: firstSentence(read(file)),
  })
  return [
    ...CHAPTERS.filter(({ file }) => file === null || existsSync(join(packageRoot, file))),
    ...more.toSorted().map((file) => unlisted(file, basename(file, '.md'))),
    ...decisions.map((file) => unlisted(file, `decisions/${basename(file, '.md')}`)),
  ]
}

/** What the build writes itself, by the name of the chapter. */
function written(all: readonly Chapter[]): ReadonlyMap<string, string> {
  const api: OpenApi = parse(read('schema/openapi.yaml'))
  const schema = buildSchema(read('schema/api.graphql'))
  const decisions = all
    .filter(({ name }) => name.startsWith('decisions/'))
    .map((one) => `- [${titleOf(read(one.file ?? ''))}](${markdownAddressOf(one)}): ${one.summary}`)
  return new Map([
    ['rest', restReference(api)],
    ['rest-schemas', restSchemas(api)],
    ['graphql', graphqlStart(schema)],
    ['graphql-operations', graphqlOperations(schema)],
    ['graphql-types', graphqlTypes(schema)],
    ['decisions', `# Decisions\n\nQuestion, decision, why, cost.\n\n${decisions.join('\n')}\n`],
  ])
}

/** Where a file of the repository is served. Pictures are put beside the pages when a page shows one. */
function addressesOf(all: readonly Chapter[]) {
  const served = new Map(all.flatMap((one) => (one.file === null ? [] : [[one.file, markdownAddressOf(one)] as const])))
  served.set('docs/decisions', '/docs/decisions.md')
  // What is read as it stands in the repository has a page here.
  served.set('schema/openapi.yaml', '/docs/rest.md')
  served.set('schema/api.graphql', '/docs/graphql.md')
  return (file: string): string | null => {
    if (extname(file) === '.png' && existsSync(join(packageRoot, file))) return emitPicture(file)
    return served.get(file) ?? null
  }
}

function emitPicture(file: string): string {
  const address = `/docs/pictures/${basename(file)}`
  emit(address, readFileSync(join(packageRoot, file)))
  const dark = file.replace('-light.png', '-dark.png')
  if (dark !== file && existsSync(join(packageRoot, dark))) {
    emit(`/docs/pictures/${basename(dark)}`, readFileSync(join(packageRoot, dark)))
  }
  return address
}

/** In a page: other pages, where the Markdown names their Markdown. */
function addressesInPages(pages: readonly Page[]) {
  const pageOf = new Map(pages.map((page) => [markdownAddressOf(page), page]))
  return {
    link(address: string) {
      const [path = '', anchor] = address.split('#')
      const page = pageOf.get(path)
      return `${page ? addressOf(page) : path}${anchor === undefined ? '' : `#${anchor}`}`
    },
    title: (address: string) => pageOf.get(address.split('#')[0] ?? '')?.title ?? null,
    darkPicture(address: string) {
      const dark = address.replace('-light.png', '-dark.png')
      return dark !== address && dark in manifest ? dark : null
    },
  }
}

function emitDocs(): void {
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const all = chapters()
  const texts = written(all)
  const addressOfFile = addressesOf(all)
  const pages = all.map((one): Page => {
    const markdown = one.file === null ? (texts.get(one.name) ?? '') : relinked(read(one.file), one.file, addressOfFile)
    return { ...one, markdown, title: titleOf(markdown) }
  })
  const assets = globSync('assets/*', { cwd: join(packageRoot, 'dist', 'console') }).map((name) => `/${name}`)
  const style = stylesheet(packageRoot, assets)
  const styleAddress = `/docs/assets/docs-${digestOf(style)}.css`
  emit(styleAddress, style)
  const icon = assets.find((name) => /\/mark-[^/]+\.svg$/.test(name)) ?? ''
  const addresses = addressesInPages(pages)
  for (const page of pages) {
    const { html, headings } = renderMarkdown(page.markdown, addresses)
    emit(addressOf(page), layout({ pages, page, html, headings, stylesheet: styleAddress, icon }), '.html')
    emit(markdownAddressOf(page), page.markdown)
  }
  emit('/llms.txt', llmsTxt(pages))
  emit('/llms-full.txt', llmsFullTxt(pages))
  writeFileSync(join(output, 'files.json'), JSON.stringify(manifest))
}

emitDocs()
