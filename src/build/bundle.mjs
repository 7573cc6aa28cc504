/**
 * Joins the compiled modules and their libraries into a few files, because to find, read and compile 2,700 of them is most of
 * a start. Every file that Node starts with, the program's and those of its threads and child processes, is replaced by its
 * bundled form in place, so that all paths stay what they are; what they share lies in dist/chunks.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { withBuiltinModules } from './builtin-imports.mjs'
import { packagesOf } from './parts.mjs'
import { withPlainImports } from './plain-imports.mjs'
import { withYoungClosures } from './young-closures.mjs'

/** Stands for the way from a chunk to the package, until it is known in which chunk a module ends. */
const TO_ROOT = '@to-root'

/**
 * Keeps what modules find by their own place: data files, WebAssembly, migrations, and the entry points of threads and child
 * processes, which become entries of the bundle.
 *
 * @param {string} root
 * @returns {import('rolldown').Plugin}
 */
const ownPlaces = (root) => ({
  name: 'own-places',
  transform: {
    filter: { code: /import\.meta\.url/ },
    handler(code, id) {
      if (!id.startsWith(root)) return null
      for (const [, file] of code.matchAll(/entryPoint\('(\.\/[^']+\.js)', import\.meta\.url\)/g)) {
        const entry = resolve(dirname(id), file ?? '')
        if (existsSync(entry)) this.emitFile({ type: 'chunk', id: entry, fileName: relative(`${root}/dist`, entry) })
      }
      // What is required becomes part of the bundle too: left outside, it would bring its own copy of what we share with it.
      code = code.replaceAll(/createRequire\(import\.meta\.url\)\('([^']+)'\)/g, "require('$1')")
      const place = `new URL("${TO_ROOT}/${relative(root, id)}", import.meta.url).href`
      return code.replaceAll('import.meta.url', place)
    },
  },
  renderChunk(code, { fileName }) {
    return code.replaceAll(TO_ROOT, relative(dirname(`${root}/dist/${fileName}`), root))
  },
})

/** @param {string} root the folder of package.json, with the compiled modules in dist/ */
export async function bundle(root) {
  const entries = ['src/main.js', ...globSync('src/migrations/*/*.js', { cwd: `${root}/dist` })]
  const build = await rolldown({
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), `${root}/dist/${file}`])),
    platform: 'node',
    // Finds its binary form beside itself.
    external: ['pg-native', '@graphql-hive/router-query-planner'],
    plugins: [ownPlaces(root)],
    // Libraries of others: their direct eval and their circular imports are nothing that we change here.
    logLevel: 'silent',
  })
  const { output } = await build.write({
    dir: `${root}/dist`,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    // V8 keeps the text of what it runs, with two bytes a character when one of them is not in Latin-1.
    charset: 'ascii',
    comments: false,
    // Names of classes are names of types in the graph, of tables, and of errors in the log.
    keepNames: true,
  })
  await build.close()
  for (const { fileName } of output.filter(({ type }) => type === 'chunk')) {
    const file = `${root}/dist/${fileName}`
    const code = withYoungClosures(withPlainImports(readFileSync(file, 'utf8')))
    // The first file tells an older Node that it is one, by what older ones have.
    writeFileSync(file, fileName === 'src/main.js' ? code : withBuiltinModules(code))
  }
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const packages = packagesOf(modules).map((folder) => relative(root, folder))
  writeFileSync(`${root}/dist/bundled.json`, JSON.stringify(packages, null, 1))
}
