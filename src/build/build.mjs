/**
 * Builds dist/ when it is not what the sources say, and says what it does meanwhile. Plain JavaScript, because it runs before
 * anything is compiled and has to tell an old Node that it is one.
 *
 * `node src/build/build.mjs [--force]`
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const REQUIRED_NODE = 24
const root = fileURLToPath(new URL('../..', import.meta.url))

/** What is made, and everything that decides what becomes of it. */
const PROGRAM = {
  stamp: join(root, 'dist', '.built'),
  inputs: ['src', 'subgraphs', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
}
/** Made by the program's build too, and alone when only its texts have changed. */
const DOCUMENTATION = {
  stamp: join(root, 'dist', '.documented'),
  inputs: ['docs', 'schema', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
}

const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`)

/** One number for names, sizes and times of all inputs: milliseconds, where reading them would take seconds. */
function fingerprint(/** @type {string[]} */ inputs) {
  const hash = createHash('sha256')
  const visit = (/** @type {string} */ path) => {
    const facts = statSync(join(root, path))
    if (!facts.isDirectory()) return void hash.update(`${path}\0${facts.size}\0${facts.mtimeMs}\n`)
    for (const name of readdirSync(join(root, path)).toSorted()) visit(join(path, name))
  }
  for (const input of inputs.filter((name) => existsSync(join(root, name)))) visit(input)
  return `${process.version} ${hash.digest('hex')}`
}

const isFresh = (/** @type {string} */ stamp, /** @type {string} */ now) =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === now

function run(/** @type {string} */ file, /** @type {string[]} */ ...args) {
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

/** The web app is built by a process of its own while this one goes on; the returned function waits for it. */
function buildConsole() {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = ['build', '--config', 'src/console/vite.config.ts', '--configLoader', 'runner', '--logLevel', 'warn']
  // What is built is what is served, whatever the shell is set to: React's development form is half as large again.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [vite, ...args], { cwd: root, env, stdio: ['ignore', 2, 2] })
  const ended = once(child, 'exit')
  return async () => {
    const [status] = await ended
    if (status !== 0) process.exit(status ?? 1)
  }
}

/** What the scanner would trip over at its first file is found here. */
async function checkRules() {
  const { loadRules } = await import(pathToFileURL(join(root, 'dist/subgraphs/compliance/engine/rulebook/load.js')).href)
  loadRules()
}

/** YAML takes a hundred times as long as JSON, so what the program reads of it is kept as that before anybody waits for it. */
async function keepYaml() {
  const { readYaml } = await import(pathToFileURL(join(root, 'dist/src/platform/yaml-file.js')).href)
  // Imported here, because an older Node has none.
  const { globSync } = await import('node:fs')
  const files = globSync(['subgraphs/*/shipped/**/*.yaml', 'subgraphs/compliance/engine/standards/*.yaml'], { cwd: root })
  for (const file of files) readYaml(join(root, file))
}

function document() {
  say('  writing the documentation')
  run(join(root, 'dist/src/build/docs/emit-docs.js'))
}

async function build() {
  const started = performance.now()
  say('Building Sluice, as the sources are newer than dist/ (a quarter of a minute or so) ...')
  // A file that is gone from the sources must not be found, or a migration applied, from an older build.
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  // The console's list of packages goes there, and on a busy machine it is ready before tsc has written a file.
  mkdirSync(join(root, 'dist'))
  say('  compiling TypeScript, and the console')
  const consoleIsBuilt = buildConsole()
  run(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck')
  chmodSync(join(root, 'dist/src/main.js'), 0o755)
  say('  writing the GraphiQL page')
  run(join(root, 'dist/src/graph/graphiql/emit-graphiql.js'))
  say('  packing the tables of the tokenizers')
  run(join(root, 'dist/subgraphs/inference/tokens/emit-tables.js'))
  say("  checking the scanner's rules")
  await checkRules()
  await keepYaml()
  say('  bundling')
  // Imported here, because an older Node, which is told so below, could not even read it.
  const { bundle } = await import('./bundle.mjs')
  await bundle(root)
  await consoleIsBuilt()
  document()
  say(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

if (Number.parseInt(process.versions.node, 10) < REQUIRED_NODE) {
  say(
    `Sluice needs Node ${REQUIRED_NODE} or newer and this is Node ${process.versions.node}. ` +
      'Run "npm ci" without --omit=optional, which installs one for this folder, or install a newer Node.',
  )
  process.exit(2)
}
const isForced = process.argv.includes('--force')
const program = fingerprint(PROGRAM.inputs)
const documentation = fingerprint(DOCUMENTATION.inputs)
if (isForced || !isFresh(PROGRAM.stamp, program)) {
  await build()
  writeFileSync(PROGRAM.stamp, program)
  writeFileSync(DOCUMENTATION.stamp, documentation)
} else if (!isFresh(DOCUMENTATION.stamp, documentation)) {
  document()
  writeFileSync(DOCUMENTATION.stamp, documentation)
}
