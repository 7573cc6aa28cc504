/** Several servers that start at the same moment on an empty PostgreSQL, as replicas of one deployment do. */
import { expect, it } from 'vitest'
import { startTestApp } from '../kit/app.js'
import { testLocation } from '../kit/database.js'

it('servers that start together make the tables, the administrator and its credits once', async () => {
  await using location = await testLocation('postgres')
  const env = {
    SLUICE_DATABASE_URL: location.url,
    SLUICE_DATABASE_MIGRATE: 'true',
    SLUICE_ADMIN_KEY: 'a-key-of-the-administrator-for-all',
  }
  await using stack = new AsyncDisposableStack()
  const started = await Promise.allSettled([1, 2, 3].map(async () => stack.use(await startTestApp({ env }))))
  const apps = started.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  for (const app of apps) {
    const { accounts } = await app.graphql<{ accounts: { nodes: object[] } }>(
      '{ accounts { nodes { name balance keys { nodes { name } } } } }',
    )
    const keys = { nodes: [{ name: 'SLUICE_ADMIN_KEY' }] }
    expect(accounts.nodes).toEqual([{ name: 'administrator', balance: '10.00', keys }])
  }
})
