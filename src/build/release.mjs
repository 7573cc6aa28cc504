/**
 * Makes a release ready in release/: the package as npm would publish it, its bill of materials (CycloneDX) and the licences.
 * `npm run release -- --dry-run`. Publishing itself is `npm publish` of that file by CI, which alone can prove where it was built.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { partsOf } from './parts.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'release')

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)
const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 2] })

if (!process.argv.includes('--dry-run')) {
  process.stderr.write(
    'This makes a release ready and publishes nothing: give --dry-run. CI publishes the file with "npm publish --provenance".\n',
  )
  process.exit(2)
}

const { name, version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const section = changelog.split(/^## /m).find((part) => part.startsWith(`${version} `) || part.startsWith(`${version}\n`))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const [packed] = JSON.parse(run('npm', 'pack', '--json', '--pack-destination', folder))
const parts = partsOf(root)
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
cpSync(join(root, 'dist', 'THIRD_PARTY_LICENSES.txt'), join(folder, 'THIRD_PARTY_LICENSES.txt'))
writeFileSync(join(folder, 'CHANGES.md'), section === undefined ? '' : `## ${section.trimEnd()}\n`)

const licences = Object.entries(Object.groupBy(parts, ({ license }) => license)).toSorted((a, b) => b[1].length - a[1].length)
say(
  `${name} ${version}: ${packed.filename}, ${(packed.size / 1e6).toFixed(1)} MB, ${packed.entryCount} files, ${(packed.unpackedSize / 1e6).toFixed(1)} MB unpacked`,
)
say(
  `sha512 ${createHash('sha512')
    .update(readFileSync(join(folder, packed.filename)))
    .digest('base64')}`,
)
say(`${parts.length} packages of others: ${licences.map(([license, of]) => `${license} ${of?.length}`).join(', ')}`)
if (section === undefined) say(`To do: CHANGELOG.md has no section "## ${version} - <date>" yet.`)
if (repository === undefined) say('To do: package.json names no "repository", which provenance needs.')
say('Nothing was published.')

/** Of what is in the package and beside it, and of nothing that only its making needs. */
function billOfMaterials() {
  const whole = JSON.parse(run('npm', 'sbom', '--sbom-format', 'cyclonedx'))
  const wanted = new Set(parts.map((part) => `${part.name}@${part.version}`))
  const components = whole.components.filter((/** @type {any} */ { group, name: last, version: of }) => {
    return wanted.has(`${group ? `${group}/` : ''}${last}@${of}`) || wanted.has(`${last}@${of}`)
  })
  const refs = new Set([
    ...components.map((/** @type {any} */ component) => component['bom-ref']),
    whole.metadata.component['bom-ref'],
  ])
  const dependencies = whole.dependencies
    .filter((/** @type {any} */ { ref }) => refs.has(ref))
    .map((/** @type {any} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((/** @type {string} */ on) => refs.has(on)),
    }))
  // npm calls the package by the name of the folder that it lies in.
  const metadata = { ...whole.metadata, component: { ...whole.metadata.component, name } }
  return { ...whole, metadata, components, dependencies }
}
