/** Which packages of others are in what we publish: joined into dist/ by the bundlers, or installed beside it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} folder
 * @property {boolean} isBundled
 */

/** Pages and fonts that no bundler's list of modules tells of. */
const COPIED = [
  '@graphql-yoga/render-graphiql',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  'tailwindcss',
]

const read = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * The folders of packages that these modules are of.
 *
 * @param {Iterable<string>} moduleIds
 * @returns {string[]}
 */
export function packagesOf(moduleIds) {
  /** @type {Set<string>} */
  const folders = new Set()
  for (const id of moduleIds) {
    const file = id.replace(/^\0+/, '').split('?')[0] ?? ''
    const at = file.lastIndexOf(`${sep}node_modules${sep}`)
    if (at === -1) continue
    const [first = '', second = ''] = file.slice(at + '/node_modules/'.length).split(sep)
    folders.add(join(file.slice(0, at), 'node_modules', first.startsWith('@') ? join(first, second) : first))
  }
  return [...folders].filter((folder) => existsSync(join(folder, 'package.json'))).toSorted()
}

/**
 * @param {string} root the folder of package.json, built
 * @returns {Part[]} by name
 */
export function partsOf(root) {
  /** @type {Map<string, Part>} */
  const parts = new Map()
  const add = (/** @type {string} */ folder, /** @type {boolean} */ isBundled) => {
    const { name, version, license, licenses } = read(join(folder, 'package.json'))
    const known = typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type ?? 'NOASSERTION')
    const part = { name, version, license: known, folder, isBundled }
    if (!parts.has(folder)) parts.set(folder, part)
  }
  for (const list of ['bundled.json', 'bundled-console.json']) {
    for (const folder of read(join(root, 'dist', list))) add(join(root, folder), true)
  }
  for (const name of COPIED) add(join(root, 'node_modules', name), true)
  const wanted = read(join(root, 'package.json'))
  const install = (/** @type {string} */ name, /** @type {string} */ from) => {
    const folder = lookUp(name, from)
    if (folder === null || (parts.has(folder) && !parts.get(folder)?.isBundled)) return
    parts.delete(folder)
    add(folder, false)
    for (const dependency of Object.keys(read(join(folder, 'package.json')).dependencies ?? {})) install(dependency, folder)
  }
  for (const name of Object.keys(wanted.dependencies).concat(Object.keys(wanted.optionalDependencies))) install(name, root)
  return [...parts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** As Node finds it. @returns {string | null} */
function lookUp(/** @type {string} */ name, /** @type {string} */ from) {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  return dirname(from) === from ? null : lookUp(name, dirname(from))
}
