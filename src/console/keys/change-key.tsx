/** The dialog by which administrators change what a key may ask. */
import { useState } from 'react'
import { useMutation } from 'urql'
import { KeysChangeDocument } from '../../generated/console-keys.js'
import { ModelList } from '../budgets/model-list.js'
import { faultOf } from '../graph/faults.js'
import { FormDialog } from '../ui/layout/form-dialog.js'
import { AnswerScanFields, answerScanOf, typedAnswerScan } from './answer-scan-fields.js'
import { areRates, RateFields, rateOrNull } from './key-limits.js'
import { toggled } from '../ui/forms/toggled.js'
import type { KeyRow } from './key-state.js'

interface ChangeKeyProps {
  readonly of: KeyRow
  readonly onClose: () => void
}

export function ChangeKey({ of: key, onClose }: ChangeKeyProps) {
  const [rates, setRates] = useState({
    requests: String(key.requestsPerMinute ?? ''),
    tokens: String(key.tokensPerMinute ?? ''),
  })
  const [answerScan, setAnswerScan] = useState(typedAnswerScan(key.answerScan))
  const [models, setModels] = useState<readonly string[]>(key.models ?? [])
  const [{ fetching, error }, change] = useMutation(KeysChangeDocument)
  const submit = async () => {
    const { id } = key
    const changed = await change({
      rates: { id, requestsPerMinute: rateOrNull(rates.requests), tokensPerMinute: rateOrNull(rates.tokens) },
      answerScan: { id, answerScan: answerScanOf(answerScan) },
      models: { id, models: models.length > 0 ? [...models] : null },
    })
    if (!changed.error) onClose()
  }
  return (
    <FormDialog
      title="Change a key"
      isOpen
      onClose={onClose}
      action="Change"
      isBusy={fetching}
      isReady={areRates(rates)}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        <b className="wrap-anywhere font-medium">{key.name}</b>: what is changed counts at once, everywhere.
      </p>
      <div className="grid gap-4 md:grid-cols-2">
        <RateFields rates={rates} onChange={setRates} />
        <AnswerScanFields typed={answerScan} onChange={setAnswerScan} />
      </div>
      <ModelList chosen={models} onToggle={(id) => setModels(toggled(models, id))} />
    </FormDialog>
  )
}
