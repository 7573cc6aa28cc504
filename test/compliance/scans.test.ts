/** Scans as GraphQL serves them, on both databases: what is kept, for whom, and how it is followed. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createScanner, languages, type FileResult, type Scanner } from '../../subgraphs/compliance/engine/index.js'
import { createClient } from 'graphql-sse'
import { testDatabase, testLocation, type TestLocation } from '../kit/database.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { createOutbox, OutboxEventEntity } from '#platform/events/outbox.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { complianceEntities, type ScannedFile } from '../../subgraphs/compliance/scans/scan.js'
import { createScanStore } from '../../subgraphs/compliance/scans/scan-store.js'
import { ManualClock } from '../kit/manual-clock.js'
import { dangerous, flowing, harmless } from '../mcp/samples.js'

interface Page {
  nodes: { id: string; status: string; fileCount: number }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

const SCAN_FIELDS = `id status fileCount filesDone error standards durationMs createdAt finishedAt
  summary { totalViolations critical high medium low }
  files { filename language error isTruncated suppressed violations { ruleId severity codeSnippet line } }`

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  let app: TestApp
  let location: TestLocation

  beforeAll(async () => {
    location = await testLocation(dialect)
    app = await startTestApp({ env: { SLUICE_DATABASE_URL: location.url, SLUICE_DATABASE_MIGRATE: 'true' } })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await location[Symbol.asyncDispose]()
  })

  const scanCode = async (key: string, extra: object = {}) => {
    const { scanCode: payload } = await app.graphql<{
      scanCode: { scan: { id: string; files: { violations: { codeSnippet: string | null }[] }[] } }
    }>(
      `mutation ($input: ScanCodeInput!) { scanCode(input: $input) { scan { ${SCAN_FIELDS} } } }`,
      { input: { code: dangerous, language: 'python', ...extra } },
      key,
    )
    return payload.scan
  }
  const read = async (id: string, key: string) =>
    (
      await app.graphql<{ scan: typeof scanCode extends (...args: never[]) => Promise<infer T> ? T | null : never }>(
        `query ($id: ID!) { scan(id: $id) { ${SCAN_FIELDS} } }`,
        { id },
        key,
      )
    ).scan

  it('keeps a scan without the code; the answer itself shows it', async () => {
    const { key } = await app.account()
    const answer = await scanCode(key)
    expect(answer).toMatchObject({ status: 'COMPLETED', fileCount: 1, filesDone: 1, error: null, summary: { critical: 1 } })
    expect(answer.files[0]?.violations[0]?.codeSnippet).toContain('os.system')
    const kept = await read(answer.id, key)
    expect(kept).toEqual({
      ...answer,
      files: answer.files.map((file) => ({ ...file, violations: file.violations.map((one) => ({ ...one, codeSnippet: null })) })),
    })
  })

  it('keeps the lines of violations for whoever asks', async () => {
    const { key } = await app.account()
    const { id } = await scanCode(key, { keepSnippets: true })
    expect((await read(id, key))?.files[0]?.violations[0]?.codeSnippet).toContain('os.system')
  })

  it('keeps the way of the data without the names in the code, unless snippets are kept', async () => {
    const { key } = await app.account()
    const fields = 'id files { violations { flow { kind message line column endLine endColumn } } }'
    interface Flows {
      id: string
      files: { violations: { flow: { kind: string; message: string; line: number }[] }[] }[]
    }
    const scanned = async (keepSnippets: boolean): Promise<[Flows, Flows]> => {
      const input = { code: flowing, language: 'python', keepSnippets }
      const {
        scanCode: { scan: answer },
      } = await app.graphql<{ scanCode: { scan: Flows } }>(
        `mutation ($input: ScanCodeInput!) { scanCode(input: $input) { scan { ${fields} } } }`,
        { input },
        key,
      )
      const { scan: kept } = await app.graphql<{ scan: Flows }>(
        `query ($id: ID!) { scan(id: $id) { ${fields} } }`,
        { id: answer.id },
        key,
      )
      return [answer, kept]
    }
    const [answer, bare] = await scanned(false)
    expect(answer.files[0]?.violations.map(({ flow }) => flow.map(({ kind, line }) => `${kind} ${line}`))).toEqual([
      ['SOURCE 4', 'ASSIGNMENT 4', 'ASSIGNMENT 5', 'SINK 6'],
      [],
    ])
    expect(answer.files[0]?.violations[0]?.flow[2]?.message).toBe('passes into "command"')
    expect(bare.files[0]?.violations[0]?.flow.map(({ message }) => message)).toEqual([
      'request data enters here',
      'passes into a variable',
      'passes into a variable',
      'reaches the command sink',
    ])
    const [whole, kept] = await scanned(true)
    expect(kept).toEqual(whole)
  })

  it('reads scans that were stored before violations had a way of the data', async () => {
    await using database = await testDatabase(dialect, [...complianceEntities, OutboxEventEntity])
    const clock = new ManualClock()
    const store = createScanStore(database, createOutbox({ database, events: createInProcessEvents(), clock }))
    const zeros = { totalViolations: 0, critical: 0, high: 0, medium: 0, low: 0 }
    const old = { filename: 'a.py', violations: [{ ruleId: 'py-command-injection', standards: [] }] } as unknown as ScannedFile
    await store.insert({
      id: 'scan_1',
      accountId: 'acc_1',
      status: 'completed',
      fileCount: 1,
      filesDone: 1,
      summary: zeros,
      standards: [],
      files: [old],
      error: null,
      createdAt: 1,
      finishedAt: 2,
    })
    expect((await store.filesOf(['scan_1'])).get('scan_1')?.[0]?.violations[0]?.flow).toEqual([])
  })

  it('does not show a scan to another account', async () => {
    const [owner, other] = [await app.account(), await app.account()]
    const { id } = await scanCode(owner.key)
    expect(await read(id, other.key)).toBeNull()
    const { scans } = await app.graphql<{ scans: Page }>(
      '{ scans { nodes { id } pageInfo { hasNextPage endCursor } } }',
      {},
      other.key,
    )
    expect(scans).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } })
  })

  it('lists scans newest first, page by page, also below the account', async () => {
    const { key } = await app.account()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.unshift((await scanCode(key)).id)
    const query =
      'query ($after: String) { viewer { scans(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }'
    const seen: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const { viewer }: { viewer: { scans: Page } } = await app.graphql(query, { after }, key)
      seen.push(...viewer.scans.nodes.map(({ id }) => id))
      after = viewer.scans.pageInfo.endCursor
      more = viewer.scans.pageInfo.hasNextPage
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  it('follows a batch in the background to its end', async () => {
    const { key } = await app.account()
    const files = Array.from({ length: 8 }, (_, at) => ({ code: at === 5 ? dangerous : harmless, language: 'python' }))
    const {
      batchScan: { scan },
    } = await app.graphql<{ batchScan: { scan: { id: string; status: string } } }>(
      'mutation ($input: BatchScanInput!) { batchScan(input: $input) { scan { id status } } }',
      { input: { files, background: true } },
      key,
    )
    expect(scan.status).toBe('RUNNING')
    const client = createClient({ url: `${app.url}/graphql`, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 })
    const states: { status: string; filesDone: number; summary: { critical: number } }[] = []
    for await (const { data, errors } of client.iterate<{ scanProgress: { scan: (typeof states)[number] } }>({
      query: 'subscription ($id: ID!) { scanProgress(id: $id) { sequence scan { status filesDone summary { critical } } } }',
      variables: { id: scan.id },
    })) {
      expect(errors).toBeUndefined()
      states.push(data!.scanProgress.scan)
    }
    expect(states.at(-1)).toMatchObject({ status: 'COMPLETED', filesDone: 8, summary: { critical: 1 } })
    const done = states.map(({ filesDone }) => filesDone)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
  })

  it('refuses to follow a scan of another account', async () => {
    const [owner, other] = [await app.account(), await app.account()]
    const { id } = await scanCode(owner.key)
    const client = createClient({
      url: `${app.url}/graphql`,
      headers: { authorization: `Bearer ${other.key}` },
      retryAttempts: 0,
    })
    const events = []
    for await (const event of client.iterate({ query: `subscription { scanProgress(id: "${id}") { sequence } }` }))
      events.push(event)
    expect(events).toMatchObject([{ errors: [{ extensions: { code: 'not_found' } }] }])
  })

  it('needs the scope scan', async () => {
    const { id } = await app.account()
    const { createApiKey } = await app.graphql<{ createApiKey: { secret: string } }>(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { accountId: id, scopes: ['CHAT'] } },
    )
    for (const query of [
      '{ scans { nodes { id } } }',
      '{ rules { totalCount } }',
      '{ scannerConfig { version } }',
      '{ scan(id: "x") { id } }',
    ]) {
      await expect(app.graphql(query, {}, createApiKey.secret)).rejects.toThrow('insufficient_scope')
    }
    expect(await app.graphql('{ scannerHealth { status } }', {}, createApiKey.secret)).toEqual({
      scannerHealth: { status: 'HEALTHY' },
    })
  })

  it('counts requests of one account in its minute, and no others', async () => {
    const [first, second] = [await app.account({ scanTier: 'FREE' }), await app.account({ scanTier: 'FREE' })]
    const mutation = 'mutation { scanCode(input: { code: "", language: "go" }) { scan { id } } }'
    for (let at = 0; at < 60; at++) await app.graphql(mutation, {}, first.key)
    await expect(app.graphql(mutation, {}, first.key)).rejects.toThrow(/rate_limit.*retryAfterSeconds/)
    await app.graphql(mutation, {}, second.key)
  })
})

describe('a batch', () => {
  let scanner: Scanner
  beforeAll(() => {
    scanner = createScanner({ analyzers: 2 })
  })
  afterAll(() => scanner.close())

  const code = fc.oneof(
    fc.constantFrom(
      dangerous,
      harmless,
      'eval "$1"\n',
      'const password = "hunter2hunter2"\n',
      "db.query('select ' + req.query.a)\n",
    ),
    fc.string({ maxLength: 200 }),
  )
  const file = fc.record({ code, language: fc.constantFrom(...languages), filename: fc.constantFrom('a.txt', 'src/b', null) })

  it('answers what its files answer one by one, and its summaries add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 6 }), async (files) => {
        const batch = await scanner.scan(files)
        const single: FileResult[] = []
        for (const one of files) single.push(...(await scanner.scan([one])))
        expect(batch).toEqual(single)
        for (const { violations, summary } of batch) {
          const { critical, high, medium, low } = summary
          expect(summary.totalViolations).toBe(violations.length)
          expect(critical + high + medium + low).toBe(violations.length)
        }
      }),
      { numRuns: 25 },
    )
  }, 60_000)
})
