/** What callers may pass: amounts and ids within bounds, and usage that any database can store. */
import { invalidRequest } from '#platform/errors.js'
import { MAX_AMOUNT, type Usage } from './ledger.js'
import { type ColumnKind, USAGE_FACTS } from './ledger-columns.js'

const MAX_ID_LENGTH = 200

export function checkAmount(amount: bigint): bigint {
  if (amount < 0n || amount > MAX_AMOUNT) throw invalidRequest('The amount is out of range.')
  return amount
}

export function checkId(id: string): string {
  if (id === '' || id.length > MAX_ID_LENGTH || id.includes('\0'))
    throw invalidRequest('The id is empty, too long or unprintable.')
  return id
}

/** Whole numbers, short labels, and no NUL characters, which Postgres cannot store: a charge must not fail on its description. */
export function cleanUsage(usage: Usage): Usage {
  // What comes from our own gateway needs no cleaning, and is not copied at each charge.
  if (USAGE_FACTS.every(({ field, kind }) => cleanValue(kind, usage[field]) === usage[field])) return usage
  const clean: Record<string, unknown> = {}
  for (const { field, kind } of USAGE_FACTS) clean[field] = cleanValue(kind, usage[field])
  return clean as unknown as Usage
}

function cleanValue(kind: ColumnKind, value: Usage[keyof Usage]): Usage[keyof Usage] {
  if (typeof value === 'string') {
    if (!value.includes('\0') && (kind === 'text' || value.length <= MAX_ID_LENGTH)) return value
    const printable = value.replaceAll('\0', '')
    return kind === 'text' ? printable : printable.slice(0, MAX_ID_LENGTH)
  }
  if (typeof value !== 'number') return value
  return kind === 'count' ? whole(value) : Math.round(value)
}

/** Into a non-negative int4. */
const whole = (value: number): number => Math.min(Math.max(Math.round(value) || 0, 0), 2_147_483_647)
