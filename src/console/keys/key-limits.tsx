/** The fields of how much a key may ask in a minute. */
import { TextField } from '../ui/forms/field.js'

/** As they are typed. */
interface Rates {
  readonly requests: string
  readonly tokens: string
}

const RATES = [
  ['requests', 'Requests a minute'],
  ['tokens', 'Tokens a minute'],
] as const

export const NO_RATES: Rates = { requests: '', tokens: '' }

export const RateFields = ({ rates, onChange }: { readonly rates: Rates; readonly onChange: (rates: Rates) => void }) =>
  RATES.map(([name, label]) => (
    <TextField
      key={name}
      label={label}
      value={rates[name]}
      onChange={(text) => onChange({ ...rates, [name]: text })}
      placeholder="Any number"
      inputMode="numeric"
      error={rateFault(rates[name])}
    />
  ))

export const areRates = ({ requests, tokens }: Rates): boolean => rateFault(requests) === null && rateFault(tokens) === null

export const rateOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const rateFault = (text: string): string | null =>
  text.trim() === '' || /^[1-9]\d{0,8}$/.test(text.trim()) ? null : 'A whole number from 1.'
