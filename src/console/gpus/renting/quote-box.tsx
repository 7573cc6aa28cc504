/** What a rental would cost: by the hour, and what is set aside first. */
import { useViewer } from '../../app/session/viewer.js'
import { compareDecimals } from '../../format/decimal.js'
import { Money } from '../../format/money.js'
import { duration } from '../../format/numbers.js'
import { classes } from '../../ui/classes.js'
import { gpus, kindOf } from '../rentals/rental-words.js'
import type { Quoted } from './use-quote.js'

export function QuoteBox({ quoted: { quote, isCurrent } }: { readonly quoted: Quoted }) {
  const { available } = useViewer().account
  return (
    <section
      aria-label="What it costs"
      className="min-h-29 shrink-0 border-t border-line bg-sunken px-4 py-3 text-sm"
      aria-live="polite"
      aria-busy={!isCurrent}
    >
      {quote ? (
        <div className={classes('grid gap-2 transition-opacity', !isCurrent && 'opacity-50')}>
          <div className="grid grid-cols-2 gap-3">
            <p>
              <span className="block text-xs text-muted">An hour</span>
              <span className="text-lg font-semibold">
                <Money amount={quote.pricePerHour} digits={4} />
              </span>
            </p>
            <p>
              <span className="block text-xs text-muted">Set aside first</span>
              <span className="text-lg font-semibold">
                <Money amount={quote.hold} digits={4} />
              </span>
            </p>
          </div>
          <p className="text-xs text-muted">
            {gpus({ gpuCount: quote.gpuCount, gpuModel: quote.offer.gpuModel })}, {quote.offer.vramGb} GB each,{' '}
            {quote.offer.region}, {quote.offer.providerId}. {kindOf(quote.offer)}. Runs in about{' '}
            {duration(quote.estimatedReadySeconds * 1000)}; billed by the second from then on, and what is not used comes back.
          </p>
          {compareDecimals(available, quote.hold) < 0 && (
            <p className="text-xs text-bad">
              You have <Money amount={available} digits={4} isBalance />, which is less than what is set aside.
            </p>
          )}
        </div>
      ) : (
        <p className="text-muted">Say which GPU and what it is for, and its price stands here before you rent it.</p>
      )}
    </section>
  )
}
