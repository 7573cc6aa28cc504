/** What the subscriptions of accounts are told, from the news of any process. */
import { EVENTS_RESUMED, eventStream, type EventBus, type EventPayload } from '#platform/events/events.js'
import { requirePrincipal } from '#platform/requests/context.js'
import type { SubscriptionSource } from '#platform/subgraph.js'
import type { Accounts } from './accounts/accounts.js'
import type { Books } from './books/books.js'
import { KEY_CHANGED, type Keys } from './keys/keys.js'
import { CREDITS_CHANGED, USAGE_RECORDED } from './ledger/announced-ledger.js'

interface AccountNews {
  readonly accounts: Accounts
  readonly keys: Keys
  readonly books: Books
  readonly events: EventBus
}

export function accountSources({ accounts, keys, books, events }: AccountNews): Readonly<Record<string, SubscriptionSource>> {
  return {
    creditBalance(_args, context) {
      const { accountId } = requirePrincipal(context)
      // A bus that was interrupted names no account.
      const isMine = ({ accountId: whose = accountId }: EventPayload) => whose === accountId
      // Listens before it reads, so a change between the two is not missed.
      const changes = eventStream(events, [CREDITS_CHANGED, EVENTS_RESUMED], context.signal, isMine)
      return balances(accounts, accountId, changes)
    },
    usageRecorded(_args, context) {
      const { accountId } = requirePrincipal(context)
      return records(
        books,
        eventStream(events, USAGE_RECORDED, context.signal, (news) => news['accountId'] === accountId),
      )
    },
    apiKeysChanged(_args, context) {
      const { accountId } = requirePrincipal(context)
      return changedKeys(
        keys,
        eventStream(events, KEY_CHANGED, context.signal, (news) => news['accountId'] === accountId),
      )
    },
  }
}

async function* balances(accounts: Accounts, accountId: string, changes: AsyncIterable<EventPayload>) {
  yield await accounts.find(accountId)
  for await (const _ of changes) yield await accounts.find(accountId)
}

async function* changedKeys(keys: Keys, news: AsyncIterable<EventPayload>) {
  for await (const { id, accountId } of news) {
    const key = await keys.find(String(id), String(accountId))
    if (key) yield key
  }
}

async function* records(books: Books, news: AsyncIterable<EventPayload>) {
  for await (const { ids } of news) {
    for (const record of await books.usageByIds(String(ids).split(' '))) if (record) yield record
  }
}
