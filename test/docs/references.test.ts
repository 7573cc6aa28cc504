/** The references: they name everything that there is, and every example in them is asked of a running server. */
import { exec } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSchema, getOperationAST, getVariableValues, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { packageRoot } from '#platform/package-root.js'
import { METHODS, type OpenApi } from '../../src/build/docs/openapi-shapes.js'
import { startSluice, type ServerProcess } from '../kit/process.js'

const DEFAULT_URL = 'http://127.0.0.1:8787'
const api = parseYaml(readFileSync(join(packageRoot, 'schema', 'openapi.yaml'), 'utf8')) as OpenApi
const schema = buildSchema(readFileSync(join(packageRoot, 'schema', 'api.graphql'), 'utf8'))

let folder: string
let server: ServerProcess
let key: string
let pages: Readonly<Record<'rest' | 'rest-schemas' | 'graphql' | 'graphql-operations' | 'graphql-types', string>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-references-'))
  server = await startSluice(['serve'], { cwd: folder })
  key = /slk_\S+/.exec(server.printed())![0]
  const page = async (name: string) => (await fetch(`${server.url}/docs/${name}.md`)).text()
  pages = {
    rest: await page('rest'),
    'rest-schemas': await page('rest-schemas'),
    graphql: await page('graphql'),
    'graphql-operations': await page('graphql-operations'),
    'graphql-types': await page('graphql-types'),
  }
})
afterAll(async () => {
  await server.end()
  rmSync(folder, { recursive: true, force: true })
})

/** Under each heading its fenced blocks, in their order. */
const blocksByHeading = (text: string, language: string) =>
  new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((section) => [
        section.split('\n')[0]!,
        [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!.trim()),
      ]),
  )

describe('the REST reference', () => {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => `${method.toUpperCase()} ${path}`),
  )

  /** With what the calls before it have answered in the environment, as a reader would set it. */
  async function run(command: string, environment: Record<string, string>): Promise<string> {
    const here = command
      .replaceAll(DEFAULT_URL, server.url)
      .replace('--max-time 5', '--max-time 1')
      // A call that hangs is named among those that were refused; without a limit only the whole test would end.
      .replace(/^curl /, 'curl --max-time 30 ')
    const env = { PATH: process.env['PATH'], SLUICE_API_KEY: key, ...environment }
    const shown = promisify(exec)(`${here} -sS -w '\\n%{http_code}'`, { env, shell: '/bin/bash' })
    // curl says by its exit code that it ended an event stream that goes on.
    const { stdout } = await shown.catch((error: { code: number; stdout: string }) => {
      if (error.code !== 28) throw error as unknown as Error
      return error
    })
    return stdout
  }

  it('has every operation with a call of its own, which src/build/docs/rest-examples.ts holds', () => {
    const calls = blocksByHeading(pages.rest, 'sh')
    expect([...calls.keys()].toSorted()).toEqual(operations.toSorted())
    expect([...calls].filter(([, blocks]) => !blocks[0]?.startsWith('curl ')).map(([name]) => name)).toEqual([])
  })

  it('has calls that a server answers', async () => {
    const calls = blocksByHeading(pages.rest, 'sh')
    const environment: Record<string, string> = {}
    // What makes an object comes before what reads it, and what ends it last.
    const rank = (name: string) => (name.startsWith('DELETE') ? 2 : name.startsWith('POST') ? 0 : 1)
    const refused: string[] = []
    for (const name of [...calls.keys()].toSorted((a, b) => rank(a) - rank(b))) {
      const output = await run(calls.get(name)![0]!, environment)
      if (name === 'POST /v1/responses') environment['RESPONSE_ID'] = /"id":"(resp_[^"]+)"/.exec(output)![1]!
      if (name === 'POST /v1/gpu/rent') environment['RENTAL_ID'] = /"rental_id":"([^"]+)"/.exec(output)![1]!
      if (name === 'POST /mcp') environment['MCP_SESSION'] = /^mcp-session-id: (\S+)/m.exec(output)![1]!
      if (!/\n2\d\d$/.test(output)) refused.push(`${name}: ${output}`)
    }
    expect(refused).toEqual([])
    expect(Object.keys(environment)).toEqual(['RESPONSE_ID', 'RENTAL_ID', 'MCP_SESSION'])
    // Some forty shells, one after the other.
  }, 180_000)

  it('has every parameter, every status and every object', () => {
    for (const [path, item] of Object.entries(api.paths)) {
      for (const method of METHODS) {
        const operation = item[method]
        if (!operation) continue
        const section = pages.rest.split(`### ${method.toUpperCase()} ${path}\n`)[1]!.split(/^#{2,3} /m)[0]!
        for (const { name } of operation.parameters ?? []) expect(section).toContain(`| \`${name}\` |`)
        for (const status of Object.keys(operation.responses)) expect(section).toContain(`\n| ${status} |`)
      }
    }
    const named = [...pages['rest-schemas'].matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(named).toEqual(Object.keys(api.components.schemas))
  })
})

describe('the GraphQL reference', () => {
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!]

  const examples = () =>
    [
      ...blocksByHeading(pages['graphql-operations'], '(?:graphql|json)'),
      ...blocksByHeading(pages.graphql, '(?:graphql|json)'),
    ].map(([name, [query = '', variables = '{}']]) => ({
      name,
      query,
      variables: JSON.parse(variables) as Record<string, unknown>,
    }))

  it('has every query, mutation, subscription and type', () => {
    const operations = [...pages['graphql-operations'].matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(operations).toEqual(roots.flatMap((type) => Object.keys(type.getFields())))
    const types = [...pages['graphql-types'].matchAll(/^### (\w+)$/gm)].map(([, name]) => name!)
    const own = Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'))
    const builtIn = ['Boolean', 'Float', 'ID', 'Int', 'String']
    expect(types.toSorted()).toEqual(
      own.filter((name) => !builtIn.includes(name) && !roots.some((type) => type.name === name)).toSorted(),
    )
  })

  it('has examples that fit the schema, with variables that fit them', () => {
    expect(examples().length).toBeGreaterThan(60)
    for (const { name, query, variables } of examples()) {
      const document = parse(query)
      expect([name, validate(schema, document)]).toEqual([name, []])
      const { variableDefinitions = [] } = getOperationAST(document)!
      expect([name, getVariableValues(schema, variableDefinitions, variables).errors]).toEqual([name, undefined])
    }
  })

  it('has queries that a server answers, where they need no object that the reader has to have', async () => {
    const queries = examples().filter(
      ({ query, variables }) => query.startsWith('query') && !JSON.stringify(variables).includes('...'),
    )
    expect(queries.length).toBeGreaterThan(20)
    const faults: unknown[] = []
    for (const { name, query, variables } of queries) {
      const answer = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      const { errors } = (await answer.json()) as { errors?: unknown }
      if (errors) faults.push([name, errors])
    }
    expect(faults).toEqual([])
  })
})
