/** Builds the console into dist/console; `npm run dev` serves it with hot reload in front of a running server. */
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { packagesOf } from '../build/parts.mjs'
import { PAGES } from './pages.js'

const SERVER = `http://127.0.0.1:${process.env['SLUICE_PORT'] || '8787'}`
/** Of gzip JavaScript: what the first page loads, and what any other loads beside that. */
const FIRST_PAGE_BYTES = 180_000
const OTHER_PAGE_BYTES = 120_000

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

type Bundle = Rolldown.OutputBundle

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === 'chunk')

/** The files that a page loads beside those of the entry, and the entry's own. */
function filesOf(bundle: Bundle) {
  const byName = new Map(chunksOf(bundle).map((chunk) => [chunk.fileName, chunk]))
  const closure = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const imported of byName.get(name)?.imports ?? []) closure(imported, seen)
    return seen
  }
  const entry = chunksOf(bundle).find(({ isEntry }) => isEntry)
  const shell = entry ? closure(entry.fileName) : new Set<string>()
  return { shell, own: (page: string) => [...closure(page)].filter((name) => !shell.has(name)) }
}

/**
 * The paths for which the server answers the page, each with the files of that page, which the browser is told to load with those
 * of the entry: found out by itself it would load them when the entry has run and the session is known.
 */
const pageList = (): Plugin => ({
  name: 'page-list',
  apply: 'build',
  generateBundle(_options, bundle) {
    const { own } = filesOf(bundle)
    const entries = PAGES.map(({ path }) => {
      const page = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith(`${path}${path}-page.tsx`))
      return [path, page ? own(page.fileName).map((name) => `/${name}`) : []]
    })
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(Object.fromEntries(entries)) })
  },
})

/** What of others the pages are made of, for the licences of a release. */
const bundledPackages = (): Plugin => ({
  name: 'bundled-packages',
  apply: 'build',
  async generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const packages = packagesOf(modules).map((folder) => folder.slice(root.length))
    await writeFile(`${root}dist/bundled-console.json`, JSON.stringify(packages, null, 1))
  },
})

/** Compressed once here, so that the server sends what is there. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  // Behind Vite, which puts the last names into the files.
  generateBundle: { order: 'post', handler: compressTexts },
})

async function compressTexts(this: Rolldown.PluginContext, _options: object, bundle: Bundle): Promise<void> {
  const texts = Object.values(bundle).filter(({ fileName }) => /^assets\/.*\.(?:js|css|svg)$/.test(fileName))
  await Promise.all(
    texts.map(async (file) => {
      const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
      const [br, gz] = await Promise.all([
        brotlied(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
        gzipped(bytes, { level: 9 }),
      ])
      this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: br })
      this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gz })
    }),
  )
}

/** A page that grew beyond its budget fails the build. */
const budgets = (): Plugin => ({
  name: 'budgets',
  apply: 'build',
  async generateBundle(_options, bundle) {
    const chunks = chunksOf(bundle)
    const sizes = new Map(
      await Promise.all(chunks.map(async ({ fileName, code }) => [fileName, (await gzipped(code)).length] as const)),
    )
    const bytesOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
    const { shell, own: ownOf } = filesOf(bundle)
    const pages = chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith('-page.tsx'))
    for (const page of pages) {
      const isFirst = page.facadeModuleId?.endsWith('/play-page.tsx') === true
      const own = ownOf(page.fileName)
      const bytes = bytesOf(isFirst ? [...shell, ...own] : own)
      const limit = isFirst ? FIRST_PAGE_BYTES : OTHER_PAGE_BYTES
      const line = `${page.name}: ${(bytes / 1000).toFixed(1)} kB of gzip JavaScript, of ${limit / 1000} kB`
      if (bytes > limit) this.error(`The console's ${line} that it may have. Load what it does not need at once later.`)
      if (process.env['CONSOLE_SIZES']) this.info(line)
    }
  },
})

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwind(), pageList(), bundledPackages(), compressed(), budgets()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    port: 5173,
    proxy: { '/graphql': SERVER, '/console': SERVER },
  },
})
