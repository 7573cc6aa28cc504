/** What a GraphQL request over HTTP costs the server: one entity, and a join of all shipped models with their prices. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { closedLoop } from './load.ts'
import type { Service } from './processes.ts'
import { Figures, figure, table } from './report.ts'
import { startSluice } from './systems.ts'

const operations = {
  'one entity': {
    query: 'query One($id: ID!) { model(id: $id) { id ownedBy displayName contextWindow availability } }',
    variables: { id: 'llama-3.3-70b-instruct' },
  },
  'models with prices': {
    query: '{ models(limit: 50) { models { id ownedBy prices { providerId pricing { inputPerMillion outputPerMillion } } } } }',
  },
}

interface Options {
  readonly folder: string
  readonly seconds: number
  readonly rounds: number
  readonly print: (text: string) => void
}

export async function benchGraphql({ folder, seconds, rounds, print }: Options): Promise<void> {
  const key = randomBytes(24).toString('hex')
  const figures = new Figures()
  const server = await startSluice(join(folder, 'graphql'), key, {})
  const request = (body: object) => ({
    origin: server.url,
    path: '/graphql',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  await answersWithData(server, key)
  for (const operation of Object.values(operations)) await closedLoop(server.pid, request(operation), 16, seconds)
  for (let round = 0; round < rounds; round++) {
    for (const [name, operation] of Object.entries(operations)) {
      const { cpuUsPerRequest } = await closedLoop(server.pid, request(operation), 16, seconds)
      figures.add(name, 'cpu', cpuUsPerRequest)
    }
  }
  await server.stop()
  const rows = Object.keys(operations).map((name) => [name, figure(figures.median(name, 'cpu'))] as const)
  print(table('GraphQL over HTTP, CPU us/request of one process', ['', 'sluice'], rows))
}

/** An answer of errors is cheap too. */
async function answersWithData({ url }: Service, key: string): Promise<void> {
  for (const operation of Object.values(operations)) {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(operation),
    })
    const { errors } = (await answer.json()) as { errors?: unknown[] }
    if (errors) throw new Error(`The operation does not run: ${JSON.stringify(errors)}`)
  }
}
