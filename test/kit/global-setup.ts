/** Before a run: one PostgreSQL installation, and one cluster for all tests that only need a schema of their own in some server. */
import { INSTALLATION, installPostgres, startPostgres } from './postgres.js'

const stack = new AsyncDisposableStack()

/** `TEST_POSTGRES_URL` names a server to use instead. */
export async function setup(): Promise<void> {
  process.env[INSTALLATION] = stack.use(installPostgres()).folder
  if (process.env['TEST_POSTGRES_URL']) return
  process.env['TEST_POSTGRES_URL'] = stack.use(await startPostgres()).url
}

export const teardown = (): Promise<void> => stack.disposeAsync()
