/** Migrations of this program: applied by operators, written by developers for both dialects at once. */
import { join, resolve } from 'node:path'
import { systemClock } from '#platform/clock.js'
import { openDatabase } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { contractingStatements } from '#platform/database/expanding.js'
import { createMigration, migrate } from '#platform/database/migrations.js'
import { ownSqliteFile } from '#platform/database/sqlite/sqlite-owner.js'
import { entities } from '../app/entities.js'
import type { Config } from '../config/config.js'
import { packageRoot } from '#platform/package-root.js'

/** Applies what is pending and answers one line each. */
export async function applyMigrations(config: Config): Promise<string[]> {
  const location = parseDatabaseUrl(config.database.url)
  // Tables are not changed under a running server.
  const owner = location.dialect === 'sqlite' ? ownSqliteFile(resolve(location.file), systemClock) : null
  try {
    return await migrateDatabase(config)
  } finally {
    owner?.release()
  }
}

async function migrateDatabase(config: Config): Promise<string[]> {
  const database = await openDatabase({ url: config.database.url, entities })
  try {
    return (await migrate(database)).map((name) => `applied ${name}`)
  } finally {
    await database.close()
  }
}

/** Writes the next migration of both dialects into the source tree. */
export async function writeMigrations(name: string): Promise<string[]> {
  const lines: string[] = []
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const source = { dialect, entities, migrationsPath: join(packageRoot, 'src', 'migrations') }
    const written = await createMigration(source, name)
    if (written) lines.push(`written ${dialect}: ${written.fileName}`)
    // One server uses a SQLite file, so no older version can meet what this leaves there.
    if (!written || dialect === 'sqlite') continue
    for (const sql of contractingStatements(written.sql)) lines.push(`the last release may not survive this: ${sql}`)
  }
  return lines
}
