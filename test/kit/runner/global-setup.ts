/** Before a run: a folder for browsers, one PostgreSQL installation, and one cluster for all tests that only need a schema of their own in some server. */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BROWSER_FOLDER } from '../chromium.js'
import { DATABASES_FOLDER } from '../database.js'
import { INSTALLATION, installPostgres, startPostgres } from '../postgres.js'

const stack = new AsyncDisposableStack()

/** A file system in memory, on Linux. Containers often have only 64 MB of it. */
const IN_MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4e9

/** `TEST_POSTGRES_URL` names a server to use instead. */
export async function setup(): Promise<void> {
  const browsers = mkdtempSync(join(tmpdir(), 'sluice-browsers-'))
  stack.defer(() => rmSync(browsers, { recursive: true, force: true, maxRetries: 20 }))
  process.env[BROWSER_FOLDER] = browsers
  const databases = mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'sluice-databases-'))
  stack.defer(() => rmSync(databases, { recursive: true, force: true, maxRetries: 20 }))
  process.env[DATABASES_FOLDER] = databases
  process.env[INSTALLATION] = stack.use(installPostgres()).folder
  if (process.env['TEST_POSTGRES_URL']) return
  process.env['TEST_POSTGRES_URL'] = stack.use(await startPostgres()).url
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ENOUGH_BYTES
  } catch {
    return false
  }
}

export const teardown = (): Promise<void> => stack.disposeAsync()
