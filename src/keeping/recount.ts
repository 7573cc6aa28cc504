/** Balances and holds added up from rows, by arithmetic of its own: what the ledger's queries say is not asked here. */
import type { TableRow, Value } from './table-rows.js'

export interface Recount {
  add(table: string, page: readonly TableRow[]): void
  /** Sentences, one for each account that does not add up, and what all of them have, in nano-USD. */
  result(): { readonly faults: readonly string[]; readonly balance: bigint }
}

export function createRecount(): Recount {
  const accounts = new Map<string, { balance: bigint; held: bigint }>()
  const entries = new Map<string, bigint>()
  const holds = new Map<string, bigint>()
  const readers: Readonly<Record<string, (row: TableRow) => void>> = {
    ledger_account: (row) => accounts.set(nameIn(row), { balance: amount(row['balance']), held: amount(row['held']) }),
    ledger_entry: (row) => plus(entries, nameIn(row), amount(row['amount'])),
    ledger_lease: (row) => plus(holds, nameIn(row), amount(row['amount'])),
    ledger_hold: (row) => {
      if (row['state'] === 'open') plus(holds, nameIn(row), amount(row['amount']) - amount(row['captured']))
    },
  }
  return {
    add(table, page) {
      const read = readers[table]
      if (read) page.forEach(read)
    },
    result() {
      const faults = [...new Set([...accounts.keys(), ...entries.keys(), ...holds.keys()])].flatMap((id) => {
        const account = accounts.get(id)
        if (!account) return [`${id} has entries or holds and no account.`]
        const balance = entries.get(id) ?? 0n
        const held = holds.get(id) ?? 0n
        if (account.balance !== balance) return [`${id} has ${account.balance}, its entries sum to ${balance}.`]
        return account.held === held ? [] : [`${id} holds ${account.held}, its open holds and leases sum to ${held}.`]
      })
      return { faults, balance: [...accounts.values()].reduce((sum, { balance }) => sum + balance, 0n) }
    },
  }
}

const nameIn = (row: TableRow): string => String(row['account_id'])
const amount = (value: Value | undefined): bigint => BigInt(String(value))

function plus(totals: Map<string, bigint>, id: string, value: bigint): void {
  totals.set(id, (totals.get(id) ?? 0n) + value)
}
