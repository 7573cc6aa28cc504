/** Asks before a rental ends, and says what it will have cost. */
import { useMutation } from 'urql'
import { GpusEndDocument } from '../../../generated/console-gpus.js'
import { compareDecimals, differenceOf } from '../../format/decimal.js'
import { Money } from '../../format/money.js'
import { faultOf } from '../../graph/faults.js'
import { FormDialog } from '../../ui/layout/form-dialog.js'
import { toast } from '../../ui/notices/toasts.js'
import { useNow } from '../../ui/use-now.js'
import { costAt } from './rental-cost.js'
import { nameOf, type Rental } from './rental-words.js'

export function EndRental({ rental, onClose }: { readonly rental: Rental; readonly onClose: () => void }) {
  const [{ fetching, error }, end] = useMutation(GpusEndDocument)
  const submit = async () => {
    const ended = (await end({ id: rental.id })).data?.terminateRental?.rental
    if (!ended) return
    onClose()
    toast(`${nameOf(ended)} has ended.`)
  }
  return (
    <FormDialog
      title="End the rental"
      isOpen
      onClose={onClose}
      action="End it now"
      isDangerous
      isBusy={fetching}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        <b className="wrap-anywhere font-medium">{nameOf(rental)}</b> ends at once and for good: the machine is removed with all
        that is on it.
      </p>
      <Charge rental={rental} />
    </FormDialog>
  )
}

function Charge({ rental }: { readonly rental: Rental }) {
  const now = useNow(1_000)
  if (rental.startedAt === null) return <p>It has not run yet, so nothing is charged and all that is set aside comes back.</p>
  const cost = costAt(rental, now)
  const isCovered = compareDecimals(rental.hold, cost) > 0
  return (
    <p>
      It costs <Money amount={cost} digits={4} /> until now
      {isCovered && (
        <>
          ; <Money amount={differenceOf(rental.hold, cost)} digits={4} /> of what is set aside comes back
        </>
      )}
      .
    </p>
  )
}
