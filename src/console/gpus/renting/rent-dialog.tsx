/** The dialog that rents a GPU: which one, what for, and what it costs before anything is set aside. */
import { useMemo, useState } from 'react'
import { useMutation, useQuery, useSubscription } from 'urql'
import { GpusModelIdsDocument, GpusOffersDocument, GpusRentDocument } from '../../../generated/console-gpus.js'
import { CONSOLE_HEADERS } from '../../graph/events.js'
import { faultOf } from '../../graph/faults.js'
import { TextAreaField, TextField } from '../../ui/forms/field.js'
import { FormDialog } from '../../ui/layout/form-dialog.js'
import { SelectField } from '../../ui/forms/select-field.js'
import { KINDS } from '../gpus-search.js'
import { choicesOf, type OfferRow } from '../offers/offers.js'
import { QuoteBox } from './quote-box.js'
import { faultsOf, formFor, rentInput, type RentForm } from './rent-form.js'
import type { Rental } from '../rentals/rental-words.js'
import { useQuote } from './use-quote.js'

const SPOT_CHOICES = [
  ['any', 'The cheapest'],
  ['demand', `${KINDS.demand}: it stays`],
  ['spot', `${KINDS.spot}: it may be taken away`],
] as const

interface RentDialogProps {
  /** What the fields begin with. */
  readonly offer: OfferRow | null
  readonly onClose: () => void
  readonly onRented: (rental: Rental) => void
}

export function RentDialog({ offer, onClose, onRented }: RentDialogProps) {
  const [form, setForm] = useState(() => formFor(offer))
  const quoted = useQuote(form)
  const { rent, isBusy, refusal } = useRent(form)
  const faults = faultsOf(refusal ?? quoted.fault, form)
  const field = <Name extends keyof RentForm>(name: Name) => ({
    value: form[name],
    onChange: (value: RentForm[Name]) => setForm((before) => ({ ...before, [name]: value })),
    error: faults.at(name),
  })
  const submit = async () => {
    const rental = await rent()
    if (rental) onRented(rental)
  }
  return (
    <FormDialog
      title="Rent a GPU"
      isOpen
      onClose={onClose}
      action="Rent it"
      isBusy={isBusy}
      isReady={quoted.quote !== null && quoted.fault === null && quoted.isCurrent}
      fault={faults.other}
      onSubmit={() => void submit()}
      summary={<QuoteBox quoted={quoted} />}
    >
      <Market form={form} field={field} />
      <Purpose form={form} field={field} />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Label" placeholder="A name of your own" {...field('label')} />
        <TextField
          label="Most USD per GPU and hour"
          placeholder="Whatever it costs"
          inputMode="decimal"
          {...field('maxPricePerGpuHour')}
        />
      </div>
    </FormDialog>
  )
}

/** Rents once, however often the same request is sent. */
function useRent(form: RentForm) {
  const [{ fetching, error }, send] = useMutation(GpusRentDocument)
  const input = useMemo(() => rentInput(form), [form])
  // A refusal is of the request that was refused.
  const [refused, setRefused] = useState<RentForm | null>(null)
  const key = useMemo(() => ({ input, id: crypto.randomUUID() }), [input]).id
  const rent = async (): Promise<Rental | null> => {
    const headers = { ...CONSOLE_HEADERS, 'idempotency-key': key }
    const { data } = await send({ input }, { fetchOptions: { headers, credentials: 'same-origin' } })
    setRefused(data?.rentGpu ? null : form)
    return data?.rentGpu?.rental ?? null
  }
  return { rent, isBusy: fetching, refusal: error && refused === form ? faultOf(error) : null }
}

interface PartProps {
  readonly form: RentForm
  readonly field: <Name extends keyof RentForm>(
    name: Name,
  ) => { readonly value: RentForm[Name]; readonly onChange: (value: RentForm[Name]) => void; readonly error: string | null }
}

const choices = (every: string, values: readonly string[], chosen: string) =>
  [['', every], ...[...new Set(chosen === '' ? values : [...values, chosen])].map((value) => [value, value])] as [
    string,
    string,
  ][]

/** Which machine. */
function Market({ form, field }: PartProps) {
  const [{ data }] = useSubscription({ query: GpusOffersDocument })
  const all = data?.gpuOffersChanged ?? []
  const ofGpu = all.filter(({ gpuModel }) => form.gpuModel === '' || gpuModel === form.gpuModel)
  const { providers, regions } = choicesOf(
    ofGpu.filter(({ providerId }) => form.providerId === '' || providerId === form.providerId),
  )
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <SelectField label="GPU" choices={choices('Choose one', choicesOf(all).gpus, form.gpuModel)} {...field('gpuModel')} />
      <SelectField label="Kind" choices={SPOT_CHOICES} {...field('spot')} />
      <SelectField
        label="Provider"
        choices={choices('The cheapest', form.providerId === '' ? providers : choicesOf(ofGpu).providers, form.providerId)}
        {...field('providerId')}
      />
      <SelectField label="Region" choices={choices('The cheapest', regions, form.region)} {...field('region')} />
    </div>
  )
}

/** What for: at least one of three. */
function Purpose({ form, field }: PartProps) {
  const [{ data }] = useQuery({ query: GpusModelIdsDocument })
  const { value: isTuned, onChange: setTuned, error } = field('fineTuned')
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4">
      <legend className="sr-only">What it is for</legend>
      <TextField
        label="Model to serve"
        placeholder="Such as qwen3-8b"
        suggestions={data?.models?.models.map(({ id }) => id) ?? []}
        {...field('modelId')}
      />
      {form.modelId.trim() !== '' && (
        <label className="-mt-2 flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isTuned}
            onChange={(event) => setTuned(event.target.checked)}
          />
          It is a fine-tuned variant
          {error !== null && <span className="text-xs text-bad">{error}</span>}
        </label>
      )}
      <TextField label="Image to run" placeholder="Such as vllm/vllm-openai:v0.11.0" isMonospaced {...field('dockerImage')} />
      <TextAreaField
        label="Public SSH key that it accepts"
        rows={2}
        placeholder="ssh-ed25519 AAAA… me@host"
        isMonospaced
        {...field('sshKey')}
      />
    </fieldset>
  )
}
