/** Stored responses: keep, read, go on from, delete. Each account sees its own. */
import { DAY_MS, type Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { inSmallSteps, STEP_ROWS } from '#platform/database/small-steps.js'
import { tablesOf } from '#platform/database/tables.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import type { JsonObject } from '../tokens/usage.js'
import type { StoredResponse, StoredResponseEntity } from './stored-response.js'
import { createRoom } from './stored-room.js'

export interface StoredResponseLimits {
  readonly keepDays: number
  /** Characters of one conversation. */
  readonly conversationSize: number
  /** Characters of one account: above it the oldest give way. */
  readonly accountSize: number
}

export interface NewStoredResponse {
  readonly id: string
  readonly accountId: string
  readonly previousId: string | null
  readonly response: JsonObject
  readonly items: readonly JsonObject[]
}

export interface StoredResponses {
  /** @throws AppError 400 when it is too large, 404 when it goes on from what is not there, 409 when its id is taken */
  keep(stored: NewStoredResponse): Promise<void>
  /** null for what does not exist, any more or for this account. */
  find(id: string, accountId: string): Promise<StoredResponse | null>
  /** The same for several; only those that exist. */
  findMany(ids: readonly string[], accountId: string): Promise<StoredResponse[]>
  /** A response after all that it goes on from, oldest first. @throws AppError 404, 400 when it is too large */
  conversation(id: string, accountId: string): Promise<StoredResponse[]>
  /** Whether there was one. */
  remove(id: string, accountId: string): Promise<boolean>
  /** Forgets what is kept no longer. */
  prune(): Promise<number>
}

/** Responses of one conversation that are looked through. */
const MOST_TURNS = 1_000
const MOST_IDS = 500

export function createStoredResponses(database: Database, clock: Clock, limits: StoredResponseLimits): StoredResponses {
  const db = tablesOf<typeof StoredResponseEntity>(database)
  const oldest = () => clock.now() - limits.keepDays * DAY_MS
  const rows = (accountId: string) =>
    db.selectFrom('stored_response').where('accountId', '=', accountId).where('createdAt', '>', oldest())
  const findMany = async (ids: readonly string[], accountId: string) =>
    ids.length === 0
      ? []
      : rows(accountId)
          .selectAll()
          .where('id', 'in', [...ids])
          .execute()
  const find = async (id: string, accountId: string) => (await findMany([id], accountId))[0] ?? null

  const conversationOf = async (id: string, accountId: string): Promise<string> => {
    const found = await rows(accountId).select('conversationId').where('id', '=', id).executeTakeFirst()
    if (!found) throw noSuchResponse()
    return found.conversationId
  }

  const makeRoom = createRoom(database, limits.accountSize)

  return {
    find,
    findMany: (ids, accountId) => findMany(ids.slice(0, MOST_IDS), accountId),

    async keep({ id, accountId, previousId, response, items }) {
      const size = JSON.stringify(response).length + JSON.stringify(items).length
      if (size > limits.conversationSize) {
        throw invalidRequest(`A response of more than ${limits.conversationSize} characters is not stored.`, 'store')
      }
      const conversationId = previousId === null ? id : await conversationOf(previousId, accountId)
      const stored = { id, accountId, previousId, conversationId, createdAt: clock.now(), size, response, items }
      const insert = db
        .insertInto('stored_response')
        .values(stored)
        .onConflict((on) => on.column('id').doNothing())
      const { numInsertedOrUpdatedRows: inserted } = await insert.executeTakeFirstOrThrow()
      if (inserted === 0n) throw new AppError('conflict', 'There is a stored response with this id already.', { param: 'id' })
      await makeRoom(accountId, size)
    },

    async conversation(id, accountId) {
      const conversationId = await conversationOf(id, accountId)
      const outline = rows(accountId).select(['id', 'previousId', 'size']).where('conversationId', '=', conversationId)
      const path = pathTo(id, await outline.execute(), limits.conversationSize)
      const found: StoredResponse[] = []
      for (let at = 0; at < path.length; at += MOST_IDS) found.push(...(await findMany(path.slice(at, at + MOST_IDS), accountId)))
      const contents = new Map(found.map((row) => [row.id, row]))
      return path.flatMap((turn) => contents.get(turn) ?? [])
    },

    async remove(id, accountId) {
      const { numDeletedRows } = await db
        .deleteFrom('stored_response')
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    prune() {
      const old = db.selectFrom('stored_response').select('id').where('createdAt', '<=', oldest()).limit(STEP_ROWS)
      return inSmallSteps(() => db.deleteFrom('stored_response').where('id', 'in', old).executeTakeFirstOrThrow())
    },
  }
}

type Outline = Pick<StoredResponse, 'id' | 'previousId' | 'size'>

/** The responses on the way to one, oldest first. @throws AppError 404, 400 */
function pathTo(id: string, conversation: readonly Outline[], mostSize: number): string[] {
  const byId = new Map(conversation.map((row) => [row.id, row]))
  const path: string[] = []
  let size = 0
  for (let next: string | null = id; next !== null;) {
    const row = byId.get(next)
    if (!row) throw noSuchResponse()
    size += row.size
    if (path.unshift(next) > MOST_TURNS || size > mostSize) {
      const message = `A conversation of more than ${mostSize} characters or ${MOST_TURNS} responses is not gone on with.`
      throw invalidRequest(message, 'previous_response_id')
    }
    next = row.previousId
  }
  return path
}

const noSuchResponse = (): AppError =>
  new AppError('not_found', 'There is no such stored response, or one that it goes on from is gone.', { param: 'id' })
