/** The contracts as files: schema/<subgraph>.graphql, supergraph.graphql, api.graphql and openapi.yaml, compared or written. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { createLog } from '#platform/log.js'
import { createMetrics } from '#platform/metrics.js'
import { createApp } from './compose.js'
import { loadConfig } from '../config/config.js'
import { composeSupergraph } from '../graph/composition/composition.js'
import { buildSubgraphSchema } from '../graph/composition/subgraph-schema.js'
import { describeApi } from '../server/http/described-api.js'
import { packageRoot } from '#platform/package-root.js'

/** File name (below schema/) to text. */
async function composeFiles(): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-compose-'))
  try {
    const env = {
      SLUICE_DATABASE_URL: `sqlite:${join(folder, 'compose.db')}`,
      SLUICE_LOG_LEVEL: 'silent',
      SLUICE_SANDBOX: 'false',
    }
    const app = await createApp(loadConfig({ env, workingDirectory: folder }), {
      log: createLog({ level: 'silent' }),
      metrics: createMetrics(),
      work: new Set(),
    })
    try {
      const schemas = app.subgraphs.map(buildSubgraphSchema)
      const { supergraphSdl, apiSdl } = composeSupergraph(schemas)
      const files = new Map(schemas.map(({ name, sdl }) => [`${name}.graphql`, sdl]))
      return files
        .set('supergraph.graphql', supergraphSdl)
        .set('api.graphql', apiSdl)
        .set('openapi.yaml', await openApiYaml())
    } finally {
      await app.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const openApiYaml = async (): Promise<string> => `${GENERATED}${stringify(await describeApi(), STYLE)}`

const GENERATED = '# The REST API of Sluice, written from its routes by "npm run schema".\n'
const STYLE = { lineWidth: 128, aliasDuplicateObjects: false }

const pathOf = (file: string) => join(packageRoot, 'schema', file)
const differs = ([file, text]: [string, string]) => !existsSync(pathOf(file)) || readFileSync(pathOf(file), 'utf8') !== text

/** The files that are not what the subgraphs say. */
export async function checkSchemaFiles(): Promise<string[]> {
  return [...(await composeFiles())].filter(differs).map(([file]) => file)
}

/** Writes what differs and answers its names. */
export async function writeSchemaFiles(): Promise<string[]> {
  const changed = [...(await composeFiles())].filter(differs)
  for (const [file, text] of changed) writeFileSync(pathOf(file), text)
  return changed.map(([file]) => file)
}
