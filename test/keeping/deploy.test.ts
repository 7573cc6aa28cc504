/** What deploy/ starts fits the program: its paths, its settings, its time to stop, and the rights that it needs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/config.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { opsEndpoints } from '../../src/rest/ops/route.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (...names: string[]) => join(packageRoot, 'deploy', ...names)
const textOf = (...names: string[]) => readFileSync(pathOf(...names), 'utf8')

interface Container {
  readonly args: readonly string[]
  readonly env: readonly { name: string; valueFrom?: { secretKeyRef: { name: string } } }[]
  readonly ports?: readonly { name: string; containerPort: number }[]
  readonly volumeMounts?: readonly { name: string; mountPath: string }[]
  readonly securityContext: object
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [Container]
  readonly securityContext: object
  readonly volumes?: readonly { name: string }[]
}
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly replicas: number
    readonly minAvailable: number
    readonly selector: { readonly matchLabels?: object }
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec }
    readonly ports: readonly { targetPort: string }[]
  }
}

const manifests = parseAllDocuments(textOf('kubernetes', 'sluice.yaml')).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJS() as Manifest
})
const kind = (name: string) => manifests.find((manifest) => manifest.kind === name)!
const pod = kind('Deployment').spec.template.spec
const [container] = pod.containers

describe('Kubernetes', () => {
  it('has the kinds that two replicas need, by their present API versions', () => {
    expect(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 ConfigMap',
      'batch/v1 Job',
      'apps/v1 Deployment',
      'v1 Service',
      'policy/v1 PodDisruptionBudget',
    ])
    expect(kind('Deployment').spec.replicas).toBeGreaterThan(kind('PodDisruptionBudget').spec.minAvailable)
  })

  it('selects its own pods, and those of the job by nothing', () => {
    const { labels } = kind('Deployment').spec.template.metadata
    expect(kind('Deployment').spec.selector.matchLabels).toEqual(labels)
    expect(kind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
    expect(kind('Service').spec.selector).toEqual(labels)
    expect(kind('Job').spec.template.metadata.labels).not.toEqual(labels)
  })

  it('has a configuration that the program takes, and gives it the time that it says', () => {
    writeFileSync(join(folder, 'sluice.config.yaml'), kind('ConfigMap').data['sluice.config.yaml']!)
    const { server, limits } = loadConfig({ env: {}, workingDirectory: folder })
    expect(container.ports![0]!.containerPort).toBe(server.port)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(limits.drain_seconds + limits.shutdown_seconds + 20)
    // A pod that stops is out of the balancer before it refuses connections.
    const { periodSeconds, failureThreshold } = container.readinessProbe!
    expect(limits.drain_seconds).toBeGreaterThan(periodSeconds * failureThreshold)
  })

  it('asks paths that there are, through ports that there are', () => {
    const paths = new Set(opsEndpoints.map(({ path }) => path))
    for (const { httpGet } of [container.startupProbe!, container.readinessProbe!, container.livenessProbe!]) {
      expect(paths).toContain(httpGet.path)
      expect(httpGet.port).toBe(container.ports![0]!.name)
    }
    expect(container.livenessProbe!.httpGet.path).toBe('/healthz')
    expect(kind('Service').spec.ports[0]!.targetPort).toBe(container.ports![0]!.name)
  })

  it('runs without rights, on a root that nobody writes to', () => {
    for (const { spec } of [kind('Deployment').spec.template, kind('Job').spec.template]) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true })
      expect(spec.containers[0].securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
    }
    expect(container.volumeMounts!.map(({ name }) => name)).toEqual(pod.volumes!.map(({ name }) => name))
    expect(container.volumeMounts!.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(['/app/data', '/tmp']))
  })
})

describe('the image', () => {
  const dockerfile = textOf('Dockerfile')

  it('is built from files that are there and that its ignore list lets in', () => {
    const allowed = textOf('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    for (const name of allowed.filter((name) => !name.includes('*')))
      expect([name, existsSync(join(packageRoot, name))]).toEqual([name, true])
    expect(allowed).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'src', 'subgraphs', 'schema']))
    // What /docs is made of.
    expect(allowed).toEqual(expect.arrayContaining(['docs/*.md', 'docs/decisions/*.md', 'README.md', 'CHANGELOG.md']))
    for (const [, name] of dockerfile.matchAll(/^COPY (?!--from)(?!\. )(.+) \.\//gm)) {
      for (const file of name!.split(' ')) expect(allowed).toContain(file)
    }
  })

  it('runs as nobody in particular and is healthy when it is ready', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\/readyz/m)
    expect(dockerfile).not.toMatch(/^(?:ENV|ARG) .*(?:KEY|PASSWORD|SECRET)/m)
  })
})

describe('compose', () => {
  const compose = parse(textOf('compose.yaml')) as {
    services: Record<
      string,
      { volumes?: string[]; stop_grace_period?: string; read_only?: boolean; environment?: Record<string, string> }
    >
    volumes: Record<string, object>
  }

  it('mounts files and volumes that there are', () => {
    for (const volume of Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)) {
      const [source = ''] = volume.split(':')
      expect([source, source.startsWith('./') ? existsSync(pathOf(source)) : source in compose.volumes]).toEqual([source, true])
    }
  })

  it('gives the server time to stop, and holds no secret', () => {
    const { limits } = loadConfig({ env: {}, workingDirectory: join(folder, 'none') })
    const { stop_grace_period: grace, read_only: isReadOnly } = compose.services['sluice']!
    expect(Number.parseInt(grace!, 10)).toBeGreaterThan(limits.drain_seconds + limits.shutdown_seconds)
    expect(isReadOnly).toBe(true)
    for (const { environment = {} } of Object.values(compose.services)) {
      for (const [name, value] of Object.entries(environment)) if (/KEY|PASSWORD/.test(name)) expect(value).toMatch(/^\$\{\w+:\?/)
    }
  })
})
