/** The price of a deployment, as an administrator says it. */
import { useState, type FormEvent } from 'react'
import { useMutation } from 'urql'
import { PricesSetDocument } from '../../generated/console-prices.js'
import { faultOf } from '../graph/faults.js'
import { Button } from '../ui/forms/button.js'
import { Dialog } from '../ui/layout/dialog.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { TextField } from '../ui/forms/field.js'
import { toast } from '../ui/notices/toasts.js'
import type { Pending } from './pending.js'

interface SetPriceDialogProps {
  readonly pending: Pending | null
  readonly onClose: () => void
  readonly onSet: () => void
}

const PRICE = /^\d+(?:\.\d+)?$/

export function SetPriceDialog({ pending, onClose, onSet }: SetPriceDialogProps) {
  const [input, setInput] = useState(pending?.proposal?.inputPerMillion ?? '')
  const [output, setOutput] = useState(pending?.proposal?.outputPerMillion ?? '')
  const [{ error, fetching }, set] = useMutation(PricesSetDocument)
  const isWhole = PRICE.test(input) && PRICE.test(output)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!pending || !isWhole) return
    const { deploymentId } = pending
    const result = await set({ input: { deploymentId, inputPerMillion: input, outputPerMillion: output } })
    if (result.error) return
    toast('The price is in force')
    onSet()
  }
  return (
    <Dialog title={`Price of ${pending?.deploymentId ?? ''}`} isOpen={pending !== null} onClose={onClose}>
      <form className="grid gap-4 overflow-y-auto p-4" onSubmit={(event) => void submit(event)}>
        <div className="grid grid-cols-2 gap-3">
          <TextField label="Input, USD / 1M tokens" inputMode="decimal" value={input} onChange={setInput} placeholder="0.10" />
          <TextField label="Output, USD / 1M tokens" inputMode="decimal" value={output} onChange={setOutput} placeholder="0.40" />
        </div>
        {error && <FaultNotice fault={faultOf(error)} />}
        <p className="text-xs text-muted">In force at once, for requests that begin from now on.</p>
        <Button type="submit" variant="primary" className="justify-self-end" disabled={!isWhole || fetching}>
          Set the price
        </Button>
      </form>
    </Dialog>
  )
}
