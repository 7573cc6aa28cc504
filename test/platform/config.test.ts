/** The configuration: where values come from, what is said about wrong ones, and that the reference names them all. */
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createMetrics } from '#platform/metrics.js'
import { ConfigError } from '../../src/config/config-error.js'
import { loadConfig, type Config } from '../../src/config/config.js'
import { settingsInForce } from '../../src/config/settings.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { createComplianceMetrics } from '../../subgraphs/compliance/compliance-metrics.js'
import { createWebhookMetrics } from '../../subgraphs/accounts/webhooks/webhook-metrics.js'
import { createComputeMetrics } from '../../subgraphs/compute/compute-metrics.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let serial = 0
/** Loads a file with this text, in a folder of its own. */
function load(text: string | null, env: Record<string, string> = {}, path?: string): Config {
  const workingDirectory = join(folder, String(serial++))
  mkdirSync(workingDirectory)
  if (text !== null) writeFileSync(join(workingDirectory, 'sluice.config.yaml'), text)
  return loadConfig({ env, workingDirectory, path })
}

function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  return expect.unreachable('the configuration was accepted')
}

describe('values', () => {
  it('have defaults for everything, so that nothing needs to be configured', () => {
    const config = load(null)
    expect(config).toMatchObject({ path: null, server: { host: '127.0.0.1', port: 8787 }, sandbox: 'auto', adminKey: null })
    expect(config.server.starting_credits).toBe(10_000_000_000n)
  })

  it('come from the file, and the environment wins over it', () => {
    const text = 'server: { host: 0.0.0.0, port: 1000, starting_credits: 0.1 }\ndatabase: { url: "sqlite:./a.db" }\n'
    expect(load(text)).toMatchObject({ server: { host: '0.0.0.0', port: 1000, starting_credits: 100_000_000n } })
    const env = {
      SLUICE_HOST: '127.0.0.2',
      SLUICE_PORT: '0',
      SLUICE_PUBLIC_URL: 'https://sluice.example',
      SLUICE_STARTING_CREDITS: '25.5',
      SLUICE_DATABASE_URL: 'postgres://u@h/d',
      SLUICE_DATABASE_MIGRATE: 'true',
      SLUICE_LOG_LEVEL: 'warn',
      SLUICE_SANDBOX: 'false',
    }
    expect(load(text, env)).toMatchObject({
      server: { host: '127.0.0.2', port: 0, public_url: 'https://sluice.example', starting_credits: 25_500_000_000n },
      database: { url: 'postgres://u@h/d', migrate: true },
      log: { level: 'warn' },
      sandbox: false,
    })
    expect(load(text, { SLUICE_PORT: '', SLUICE_CONFIG: '' }).server.port).toBe(1000)
  })

  it('come from the file that --config names, else SLUICE_CONFIG, else the working directory', () => {
    for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.yaml`), `server: { host: ${name} }\n`)
    const [a, b] = [join(folder, 'a.yaml'), join(folder, 'b.yaml')]
    expect(load('server: { host: c }\n', { SLUICE_CONFIG: b }, a)).toMatchObject({ path: a, server: { host: 'a' } })
    expect(load('server: { host: c }\n', { SLUICE_CONFIG: b }).server.host).toBe('b')
    expect(load('server: { host: c }\n').server.host).toBe('c')
    expect(refusal(() => load(null, {}, 'missing.yaml'))).toContain('missing.yaml')
  })

  it('cannot be changed afterwards, however deep they are', () => {
    const config = load(
      'models: [{ id: m, deployments: [{ provider: p, model_id: m }] }]\nproviders: [{ id: p, base_url: "http://h" }]\n',
    )
    const writable = config as { server: { port: number }; models: { deployments?: { provider: string }[] }[]; sandbox: unknown }
    expect(() => (writable.sandbox = true)).toThrow(TypeError)
    expect(() => (writable.server.port = 1)).toThrow(TypeError)
    expect(() => writable.models.push({})).toThrow(TypeError)
    expect(() => (writable.models[0]!.deployments![0]!.provider = 'q')).toThrow(TypeError)
  })
})

describe('secrets', () => {
  const provider = (key: string) => `providers: [{ id: p, base_url: "https://\${HOST_NAME}/v1", api_key: "${key}" }]\n`

  it('are references into the environment, anywhere in a text', () => {
    const [declared] = load(provider('${MY_KEY}'), { MY_KEY: 'k-1', HOST_NAME: 'h.example' }).providers
    expect(declared).toMatchObject({ base_url: 'https://h.example/v1', api_key: 'k-1' })
  })

  it('are not looked for inside of what a reference gave', () => {
    expect(load(provider('${MY_KEY}'), { MY_KEY: '${OTHER}', HOST_NAME: 'h', OTHER: 'x' }).providers[0]!.api_key).toBe('${OTHER}')
  })

  it('that are not set stop the start, naming the path and the variable', () => {
    expect(refusal(() => load(provider('${MY_KEY}'), { HOST_NAME: 'h' }))).toBe(
      'providers[0].api_key: the environment variable MY_KEY is not set.',
    )
    expect(refusal(() => load(provider('${MY_KEY}'), { HOST_NAME: 'h', MY_KEY: '' }))).toContain('MY_KEY')
  })

  it('are never repeated in a message about something wrong', () => {
    const env = { SECRET: 'very-secret-value' }
    for (const text of [
      'log: { level: "${SECRET}" }',
      'sandbox: "${SECRET}"',
      'server: { port: "${SECRET}" }',
      'server: { public_url: "${SECRET}" }',
      'providers: [{ id: p, base_url: "${SECRET}" }]',
      'providers: "${SECRET}"',
    ]) {
      expect(refusal(() => load(text, env))).not.toContain('very-secret')
    }
    expect(refusal(() => load(null, { SLUICE_ADMIN_KEY: 'very-secret' }))).not.toContain('very-secret')
  })

  it("the administrator's key must be long and printable", () => {
    const key = 'x'.repeat(32)
    expect(load(null, { SLUICE_ADMIN_KEY: key }).adminKey).toBe(key)
    for (const wrong of ['x'.repeat(31), `${key} y`, `${key}\n`, `${key}é`]) {
      expect(refusal(() => load(null, { SLUICE_ADMIN_KEY: wrong }))).toContain('SLUICE_ADMIN_KEY')
    }
  })
})

describe('wrong values', () => {
  it.each([
    ['server: { port: 99999 }', 'server.port'],
    ['server: { port: "80" }', 'server.port'],
    ['server: { starting_credits: much }', 'server.starting_credits'],
    ['server: { starting_credits: "0.0000000001" }', 'server.starting_credits'],
    ['limits: { body_bytes: 0 }', 'limits.body_bytes'],
    ['limits: { request_seconds: -1 }', 'limits.request_seconds'],
    ['limits: { messages: 1.5 }', 'limits.messages'],
    ['log: { level: loud }', 'log.level'],
    ['sandbox: maybe', 'sandbox'],
    ['models: [{ id: light }]', 'models.0.id'],
    ['models: [{ id: m, tier: huge }]', 'models.0.tier'],
    ['models: [{ id: m, deployments: [{ provider: p, model_id: m, input_price_per_million: "1" }] }]', 'models.0.deployments.0'],
    [
      'models: [{ id: m, deployments: [{ provider: p, model_id: m, input_price_per_million: -1, output_price_per_million: 1 }] }]',
      'models.0.deployments.0.input_price_per_million',
    ],
    ['providers: [{ id: p, base_url: "ftp://h" }]', 'providers.0.base_url'],
    ['compute: { drivers: [{ type: balloon }] }', 'compute.drivers.0'],
  ])('%s is named by its path %s', (text, path) => {
    expect(refusal(() => load(text))).toContain(`  ${path}`)
  })

  it.each([
    ['server: { prot: 1 }', 'prot'],
    ['servre: {}', 'servre'],
    ['limits: { max: 1 }', 'max'],
    ['models: [{ id: m, price: 1 }]', 'price'],
    ['providers: [{ id: p, apikey: x }]', 'apikey'],
  ])('%s is refused: an unknown key is a misspelt one', (text, key) => {
    expect(refusal(() => load(text))).toContain(`"${key}"`)
  })

  it.each([
    ['server:\n  prot: 1', 'server.prot: "prot" is not a setting. Did you mean "port"?'],
    ['limit: {}', 'limit: "limit" is not a setting. Did you mean "limits"?'],
    ['models: [{ id: a, dploy: {} }]', 'models.0.dploy: "dploy" is not a setting. Did you mean "deploy"?'],
    [
      'compute: { drivers: [{ type: sandbox, boot_second: 2 }] }',
      'compute.drivers.0.boot_second: "boot_second" is not a setting. Did you mean "boot_seconds"?',
    ],
    ['log: { colour: red }', 'log.colour: "colour" is not a setting. Here are: access, level.'],
  ])('an unknown key is told with the one that was probably meant: %s', (yaml, line) => {
    expect(() => load(yaml)).toThrow(line)
  })

  it('are told all at once', () => {
    const message = refusal(() => load('server: { port: -1 }\nlog: { level: loud }\nlimits: { messages: 0 }\n'))
    for (const path of ['server.port', 'log.level', 'limits.messages']) expect(message).toContain(path)
  })

  it.each(['a: [', '- a list', 'just text', 'a: 1\na: 2\n'])('a file that is %j is refused with its name', (text) => {
    expect(refusal(() => load(text))).toContain('sluice.config.yaml')
  })

  it('an empty file is no configuration, and that is fine', () => {
    expect(load('').server.port).toBe(8787)
    expect(load('# nothing\n').server.port).toBe(8787)
  })
})

describe('docs/operations.md', () => {
  const reference = readFileSync(join(packageRoot, 'docs', 'operations.md'), 'utf8')
  const rows = [...reference.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!.split(' | '))
  const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

  /** `a.b`, `.c` in one cell are a.b and a.c. */
  const documented = new Map(
    rows.flatMap(([cell = '', defaults = '']) => {
      const [first = '', ...more] = names(cell)
      const section = first.slice(0, first.lastIndexOf('.'))
      const values = names(defaults)
      return [first, ...more.map((name) => `${section}${name}`)].map((name, index) => [name, values[index]] as const)
    }),
  )

  const leaves = (value: unknown, path: string): [string, unknown][] =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, part]) => leaves(part, path === '' ? key : `${path}.${key}`))
      : [[path, value]]

  it('names every setting with its default', () => {
    const { adminKey: _, environment: __, path: ___, workingDirectory: ____, ...settings } = load(null)
    for (const [path, value] of leaves(settings, '')) {
      const name = Array.isArray(value) ? `${path}[]` : path
      expect({ name, isDocumented: documented.has(name) }).toEqual({ name, isDocumented: true })
      const shown = typeof value === 'bigint' ? String(value / 1_000_000_000n) : String(value)
      if (!Array.isArray(value)) expect({ name, default: documented.get(name) }).toEqual({ name, default: shown })
    }
  })

  it('names every variable that overrides a setting', () => {
    const source = ['config.ts', 'environment.ts'].map((file) => readFileSync(join(packageRoot, 'src', 'config', file), 'utf8'))
    const variables = [...source.join('').matchAll(/\bSLUICE_[A-Z_]+/g)].map(([name]) => name)
    expect(variables).toEqual(expect.arrayContaining(['SLUICE_CONFIG', 'SLUICE_PORT', 'SLUICE_ADMIN_KEY']))
    for (const name of variables) expect(reference).toContain(name)
  })

  it('names every metric of ours with its labels, and none that there is not', async () => {
    const { registry, watchOpenStreams } = createMetrics()
    watchOpenStreams(() => 0)
    createComputeMetrics(registry)
    createComplianceMetrics(registry)
    createWebhookMetrics(registry, () => Promise.reject(new Error('nothing is read')), Date.now)
    const ours = registry.getMetricsAsArray().filter(({ name }) => !/^sluice_(process|nodejs)_/.test(name))
    const actual = new Map(ours.map((metric) => [metric.name, (metric as unknown as { labelNames: string[] }).labelNames]))
    const listed = rows.filter(([cell = '']) => /^`sluice_\w+`$/.test(cell))
    expect(listed.map(([cell = '']) => cell.slice(1, -1)).toSorted()).toEqual([...actual.keys()].toSorted())
    for (const [cell = '', labels = ''] of listed) {
      const named = labels === '-' ? [] : labels.replace(/:.*/, '').split(', ')
      expect(named).toEqual(actual.get(cell.slice(1, -1)))
    }
  })
})

describe('the settings that administrators are shown', () => {
  it('hide every secret, wherever it stands, and show what only sounds like one', () => {
    const config = load(`
database: { url: "postgres://me:secret-1@db.example/sluice?password=secret-2" }
providers: [{ id: p, base_url: "https://p.example/v1", api_key: secret-3, max_tokens_field: max_completion_tokens }]
pricing: { feeds: [{ name: f, type: models.dev, url: "https://f.example/api.json?key=secret-4" }] }
compute:
  drivers:
    - { type: vast, api_key: secret-5 }
    - type: command
      provider_id: own
      command: [serve, --key, secret-6]
      fine_tuned_args: [--token, secret-7]
      slots: [{ id: a, gpu_model: L4, vram_gb: 24, price_per_gpu_hour: 1, env: { TOKEN: secret-8 } }]
`)
    const settings = settingsInForce(config)
    expect(JSON.stringify(settings)).not.toContain('secret-')
    const shown = new Map(settings.map(({ name, value }) => [name, value]))
    expect(shown.get('database.url')).toBe('postgres://db.example/sluice')
    expect(shown.get('pricing.feeds[0].url')).toBe('https://f.example/api.json')
    expect(shown.get('providers[0].max_tokens_field')).toBe('max_completion_tokens')
    expect(shown.get('limits.key_models')).toBe(500)
    expect(shown.get('compute.drivers[1].pass_env')).toEqual(['PATH', 'HOME'])
  })

  it('tell a long list by its length', () => {
    const models = Array.from({ length: 51 }, (_, at) => `{ id: model-${at} }`)
    const settings = settingsInForce(load(`models: [${models.join(', ')}]`))
    expect(settings.find(({ name }) => name === 'models')).toMatchObject({ value: '51 entries', isDefault: false })
  })
})
