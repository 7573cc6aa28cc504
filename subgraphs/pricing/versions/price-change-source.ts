/** The stream behind the subscription `priceChanged`: the prices in force first, then every change of one. */
import { isAdministrator, requirePrincipal, type RequestContext } from '#platform/requests/context.js'
import { createInProcessEvents, eventStream } from '#platform/events/events.js'
import type { CatalogSource } from '../ports.js'
import type { PriceBook } from './price-book.js'
import type { PriceChangeType } from './price-change-type.js'
import { priceChange } from './price-changes.js'

const VERSION = 'version'

/**
 * Reads the version anew at each event, so what is sent is always the price in force; a version that was replaced before it
 * could be sent is in the history.
 */
export function priceChangeSource(book: PriceBook, catalog: CatalogSource) {
  const events = createInProcessEvents()
  book.onChange(({ priceId, modelId, id }) => events.publish(VERSION, { priceId, modelId, id }))
  return (args: Readonly<Record<string, unknown>>, context: RequestContext): AsyncIterable<PriceChangeType> => {
    const principal = requirePrincipal(context)
    const model = typeof args['model'] === 'string' ? args['model'] : null
    const changes = eventStream(events, VERSION, context.signal)
    return priceChanges(model, changes, book, catalog, isAdministrator(principal))
  }
}

async function* priceChanges(
  model: string | null,
  changes: AsyncIterable<Readonly<Record<string, unknown>>>,
  book: PriceBook,
  catalog: CatalogSource,
  isAdministrator: boolean,
): AsyncGenerator<PriceChangeType> {
  const sent = new Map<string, string>()
  if (model !== null) {
    for (const point of catalog.pricePoints().filter(({ modelId }) => modelId === model)) {
      const version = book.versionOf(point.priceId)
      if (!version) continue
      sent.set(point.priceId, version.id)
      yield priceChange(version, isAdministrator, true)
    }
  }
  for await (const { priceId, modelId } of changes) {
    if (typeof priceId !== 'string' || (model !== null && modelId !== model)) continue
    const version = book.versionOf(priceId)
    if (!version || sent.get(priceId) === version.id) continue
    sent.set(priceId, version.id)
    yield priceChange(version, isAdministrator, catalog.model(version.modelId) !== undefined)
  }
}
