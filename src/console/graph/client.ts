/** The one way to the server: its public GraphQL API, with what was read kept in a normalised cache. */
import { cacheExchange, type KeyGenerator, type KeyingConfig } from '@urql/exchange-graphcache'
import { Client, fetchExchange, mapExchange, subscriptionExchange, type CombinedError, type Exchange, type Operation } from 'urql'
import { merge, makeSubject, pipe, tap } from 'wonka'
import { connection } from './connection.js'
import { CONSOLE_HEADERS, follow } from './events.js'
import { isSignedOut } from './faults.js'

const SERVER = {
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: { headers: CONSOLE_HEADERS, credentials: 'same-origin' },
} as const

/** For what is read once and kept elsewhere: the cache would hold it for as long as the tab is open. */
export const uncached = new Client({ ...SERVER, exchanges: [fetchExchange], requestPolicy: 'network-only' })

/** @param onSignedOut called when the server knows the session no longer */
export function createGraphClient(onSignedOut: () => void): Client {
  return new Client({
    ...SERVER,
    exchanges: [
      mapExchange({ onError: (error: CombinedError) => void (isSignedOut(error) && onSignedOut()) }),
      readAgainOnceHeard,
      cacheExchange({ keys }),
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables, operationName }) => ({
          subscribe(sink) {
            const unsubscribe = follow({ query, ...(variables && { variables }), ...(operationName && { operationName }) }, sink)
            return { unsubscribe }
          },
        }),
      }),
      fetchExchange,
    ],
  })
}

/** Of every type: an object without an id of its own belongs to what holds it. */
const keys = new Proxy<KeyingConfig>(
  {},
  {
    get:
      (): KeyGenerator =>
      ({ id }) =>
        id == null ? null : String(id),
  },
)

interface Shown {
  readonly operation: Operation
  isAnswered: boolean
  /** Whether a subscription was opened since it was asked for. */
  isBehind: boolean
}

/**
 * What is on the screen is read again when a subscription was opened behind it, at first or after a break: what happened between
 * the reading and the opening was told to nobody.
 */
const readAgainOnceHeard: Exchange = ({ client, forward }) => {
  const shown = new Map<number, Shown>()
  const { source: again, next } = makeSubject<Operation>()
  const readAgain = (one: Shown) => {
    Object.assign(one, { isAnswered: false, isBehind: false })
    const { operation } = one
    next(client.createRequestOperation('query', operation, { ...operation.context, requestPolicy: 'cache-and-network' }))
  }
  connection.onOpening(() => {
    for (const one of shown.values()) {
      // An answer that is on its way would be written over the newer one.
      if (one.isAnswered) readAgain(one)
      else one.isBehind = true
    }
  })
  return (operations) =>
    pipe(
      merge([
        pipe(
          operations,
          tap((operation) => {
            if (operation.kind === 'query') shown.set(operation.key, { operation, isAnswered: false, isBehind: false })
            else if (operation.kind === 'teardown') shown.delete(operation.key)
          }),
        ),
        again,
      ]),
      forward,
      tap(({ operation, stale }) => {
        const one = shown.get(operation.key)
        if (!one || stale) return
        one.isAnswered = true
        if (one.isBehind) readAgain(one)
      }),
    )
}
