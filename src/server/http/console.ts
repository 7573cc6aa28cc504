/** The console behind one server: who may sign in to it, its files, and the sessions that /graphql knows. */
import { join } from 'node:path'
import type { Router } from 'express'
import { packageRoot } from '#platform/package-root.js'
import { createContextSource, type ContextSource } from '#platform/requests/request-context.js'
import { systemClock } from '#platform/clock.js'
import type { App } from '../../app/compose.js'
import type { Config } from '../../config/config.js'
import { createConsoleRequests } from '../../edge/console-requests.js'
import type { RestEdge } from '../../edge/route.js'
import { consoleFiles } from '../../rest/console/files.js'
import { consoleSessionRouter } from '../../rest/console/session-route.js'
import { documentation } from '../../rest/docs/files.js'

export interface Console {
  /** Of /graphql, where a caller may come with a key or with a session of the console. */
  readonly contexts: ContextSource
  routers(edge: RestEdge): readonly Router[]
}

export function createConsole({ keys, consolePasses }: App, contexts: ContextSource, config: Config): Console {
  const requests = createConsoleRequests(config.server.public_url ?? null)
  const attemptsPerMinute = config.console.sign_ins_per_minute
  return {
    contexts: createContextSource({
      // A process behind a gateway gets the token of a session as that passes it on.
      authenticate: (token) => consolePasses.authenticate(token) ?? keys.authenticate(token),
      clock: systemClock,
      tokenOf: requests.tokenOf,
      requests: contexts.requests,
    }),
    routers: (edge) => [
      consoleFiles(join(packageRoot, 'dist', 'console')),
      documentation(join(packageRoot, 'dist', 'docs')),
      consoleSessionRouter(edge, requests, { authenticateKey: keys.authenticate, attemptsPerMinute, ...consolePasses }),
    ],
  }
}

/**
 * A code for whoever has started the server, in the name of the administrator's oldest key; null where none is valid.
 */
export async function startCode({ accounts, keys, consolePasses }: App): Promise<string | null> {
  const account = await accounts.administrator()
  const key = account && (await keys.administrative(account.id))
  return key && (await consolePasses.issueCode(key.id)).token
}
