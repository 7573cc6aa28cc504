/**
 * How operations and outcomes cross between the threads: one flat array of values for a whole batch. A clone of objects writes
 * the name of every property of every object and looks it up again on the other side, which costs three times as much.
 */
import { ACCOUNT, type AccountRow, type Column, HOLD_FACTS, type HoldFacts, type Usage, USAGE_FACTS } from '../ledger-columns.js'
import type { BillOperation, ChargeOperation, Operation, Outcome, ReserveOperation } from '../operations/operation.js'

/** Values in the order in which the reader takes them; only this file knows it. */
export type Packed = readonly unknown[]

export function packOperations(operations: readonly Operation[]): Packed {
  const values: unknown[] = []
  for (const operation of operations) {
    if (operation.kind === 'reserve') packReserve(values, operation)
    else if (operation.kind === 'bill') packBill(values, operation)
    else if (operation.kind === 'charge') packCharge(values, operation)
    else values.push('other', operation)
  }
  return values
}

export function unpackOperations(packed: Packed): Operation[] {
  const reader = new Reader(packed)
  const operations: Operation[] = []
  while (!reader.isDone) {
    const kind: 'reserve' | 'bill' | 'charge' | 'other' = reader.next()
    if (kind === 'reserve') operations.push(unpackReserve(reader))
    else if (kind === 'bill') operations.push(unpackBill(reader))
    else if (kind === 'charge') operations.push(unpackCharge(reader))
    else operations.push(reader.next())
  }
  return operations
}

export function packOutcomes(outcomes: readonly Outcome[]): Packed {
  const values: unknown[] = []
  for (const { code, captured, count, holds, budgets, account } of outcomes) {
    values.push(code, captured, count, holds, budgets, account ? 'account' : account)
    if (account) packRow(values, ACCOUNT.columns, account)
  }
  return values
}

export function unpackOutcomes(packed: Packed): Outcome[] {
  const reader = new Reader(packed)
  const outcomes: Outcome[] = []
  while (!reader.isDone) outcomes.push(unpackOutcome(reader))
  return outcomes
}

/** Takes the values one after the other. What is read where is the business of the pairs below. */
class Reader {
  #at = 0

  constructor(private readonly packed: Packed) {}

  get isDone(): boolean {
    // More was taken than there was: the two threads run different builds, and reading on would never end.
    if (this.#at > this.packed.length) throw new Error('The ledger thread is of another build than this process.')
    return this.#at === this.packed.length
  }

  next(): never {
    return this.packed[this.#at++] as never
  }
}

/** A row as its values in the order of its columns, and back. */
function packRow<Row>(values: unknown[], columns: readonly Column<keyof Row & string>[], row: Row): void {
  for (const { field } of columns) values.push(row[field])
}

function unpackRow<Row>(reader: Reader, columns: readonly Column<keyof Row & string>[]): Row {
  const row: Record<string, unknown> = {}
  for (const { field } of columns) row[field] = reader.next()
  return row as Row
}

function packReserve(values: unknown[], operation: ReserveOperation): void {
  values.push(operation.kind)
  packRow(values, HOLD_FACTS, operation)
}

const unpackReserve = (reader: Reader): ReserveOperation => ({ ...unpackRow<HoldFacts>(reader, HOLD_FACTS), kind: 'reserve' })

function packBill(values: unknown[], { kind, holdId, total, close, usage }: BillOperation): void {
  values.push(kind, holdId, total, close)
  packUsage(values, usage)
}

const unpackBill = (reader: Reader): BillOperation => ({
  kind: 'bill',
  holdId: reader.next(),
  total: reader.next(),
  close: reader.next(),
  usage: unpackUsage(reader),
})

function packCharge(values: unknown[], operation: ChargeOperation): void {
  values.push(operation.kind)
  packRow(values, HOLD_FACTS, operation)
  values.push(operation.total)
  packUsage(values, operation.usage)
}

const unpackCharge = (reader: Reader): ChargeOperation => ({
  ...unpackRow<HoldFacts>(reader, HOLD_FACTS),
  kind: 'charge',
  total: reader.next(),
  usage: unpackUsage(reader),
})

function packUsage(values: unknown[], usage: Usage | null): void {
  values.push(usage !== null)
  if (usage) packRow(values, USAGE_FACTS, usage)
}

const unpackUsage = (reader: Reader): Usage | null => ((reader.next() as boolean) ? unpackRow<Usage>(reader, USAGE_FACTS) : null)

function unpackOutcome(reader: Reader): Outcome {
  const code: Outcome['code'] = reader.next()
  const captured: bigint | undefined = reader.next()
  const count: number | undefined = reader.next()
  const holds: Outcome['holds'] = reader.next()
  const budgets: Outcome['budgets'] = reader.next()
  const account: 'account' | null | undefined = reader.next()
  return {
    code,
    ...(captured !== undefined && { captured }),
    ...(count !== undefined && { count }),
    ...(holds !== undefined && { holds }),
    ...(budgets !== undefined && { budgets }),
    ...(account !== undefined && { account: account && unpackRow<AccountRow>(reader, ACCOUNT.columns) }),
  }
}
