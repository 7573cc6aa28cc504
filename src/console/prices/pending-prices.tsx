/** Deployments that wait for a price: take what a price list proposes, refuse it, or set one. For administrators. */
import { CircleCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMutation } from 'urql'
import { PricesResolveDocument, type PricesTermsFragment } from '../../generated/console-prices.js'
import { Money } from '../format/money.js'
import { faultOf } from '../graph/faults.js'
import { Button } from '../ui/forms/button.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Framed } from '../ui/layout/section.js'
import { toast } from '../ui/notices/toasts.js'
import type { Pending } from './pending.js'
import { SetPriceDialog } from './set-price-dialog.js'

interface PendingPricesProps {
  readonly pending: readonly Pending[]
  /** After something was decided. */
  readonly onChanged: () => void
}

const Terms = ({ terms }: { readonly terms: PricesTermsFragment | null }) =>
  terms?.inputPerMillion == null || terms.outputPerMillion === null ? (
    <span className="text-muted">none</span>
  ) : (
    <span>
      <Money amount={terms.inputPerMillion} /> in, <Money amount={terms.outputPerMillion} /> out
    </span>
  )

/** With what can be done about it. */
interface Row extends Pending {
  readonly isBusy: boolean
  readonly decide: (accept: boolean) => void
  readonly ask: () => void
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'id', header: 'Deployment', cell: ({ deploymentId }) => <span className="font-mono text-xs">{deploymentId}</span> },
  { id: 'current', header: 'In force', cell: ({ current }) => <Terms terms={current} /> },
  { id: 'proposal', header: 'Proposed', cell: ({ proposal }) => <Terms terms={proposal} /> },
  { id: 'reason', header: 'Why it waits', cell: ({ proposal }) => proposal?.reason ?? 'Nobody has said a price.' },
  { id: 'decide', header: 'Decide', cell: (row) => <Decision row={row} /> },
]

const Decision = ({ row: { proposal, isBusy, decide, ask } }: { readonly row: Row }) => (
  <span className="flex gap-1.5">
    {proposal && (
      <>
        <Button className="h-7" disabled={isBusy} onClick={() => decide(true)}>
          Accept
        </Button>
        <Button className="h-7" variant="ghost" disabled={isBusy} onClick={() => decide(false)}>
          Refuse
        </Button>
      </>
    )}
    <Button className="h-7" onClick={ask}>
      Set…
    </Button>
  </span>
)

export function PendingPrices({ pending, onChanged }: PendingPricesProps) {
  const [asked, setAsked] = useState<Pending | null>(null)
  const [{ error, fetching }, resolve] = useMutation(PricesResolveDocument)
  const rows = useMemo(() => {
    const decide = async (deploymentId: string, accept: boolean) => {
      const result = await resolve({ input: { deploymentId, accept } })
      if (result.error) return
      toast(accept ? 'The price is in force' : 'The proposal was refused')
      onChanged()
    }
    return pending.map((one): Row => ({
      ...one,
      isBusy: fetching,
      decide: (accept) => void decide(one.deploymentId, accept),
      ask: () => setAsked(one),
    }))
  }, [pending, resolve, fetching, onChanged])
  return (
    <>
      {error && <FaultNotice fault={faultOf(error)} />}
      {pending.length === 0 ? (
        <EmptyState icon={CircleCheck} title="No price waits">
          Every deployment has one, and no price list proposes another.
        </EmptyState>
      ) : (
        <Framed>
          <DataTable label="Pending prices" columns={COLUMNS} rows={rows} keyOf={({ deploymentId }) => deploymentId} />
        </Framed>
      )}
      <SetPriceDialog
        key={asked?.deploymentId}
        pending={asked}
        onClose={() => setAsked(null)}
        onSet={() => {
          setAsked(null)
          onChanged()
        }}
      />
    </>
  )
}
