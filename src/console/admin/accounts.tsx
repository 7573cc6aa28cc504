/** Every account with its credits and its caps: opened, given credits, limited. */
import { Coins, Pencil, PiggyBank, Plus, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import { AdminAccountsDocument, type AdminAccountFragment, type AdminAccountsQuery } from '../../generated/console-admin.js'
import { BudgetsDialog } from '../budgets/budgets-dialog.js'
import { compareDecimals } from '../format/decimal.js'
import { Money } from '../format/money.js'
import { count } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { useAllPages } from '../graph/use-all-pages.js'
import { Button, IconButton } from '../ui/forms/button.js'
import { DataTable, type Column, type Sort } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { FilterBar, FilterText } from '../ui/forms/filter-bar.js'
import { Framed } from '../ui/layout/section.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { AddCredits, CreateAccount, EditAccount } from './account-dialogs.js'

type Act = { readonly kind: 'create' } | { readonly kind: 'credits' | 'edit' | 'budgets'; readonly account: AdminAccountFragment }

interface AccountsProps {
  readonly find: string
  readonly setFind: (find: string) => void
}

/** The oldest first. */
const pageOf = ({ accounts }: AdminAccountsQuery) => accounts

export function Accounts({ find, setFind }: AccountsProps) {
  const { nodes: accounts, totalCount, fault, readAgain } = useAllPages(AdminAccountsDocument, pageOf)
  const [act, setAct] = useState<Act | null>(null)
  const [sort, setSort] = useState<Sort>({ column: 'created', isDescending: true })
  const columns = useMemo(() => columnsWith(setAct), [])
  const rows = useMemo(
    () => accounts?.filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(find.toLowerCase())),
    [accounts, find],
  )
  const close = () => setAct(null)
  const onCreated = () => {
    close()
    readAgain('last')
  }
  return (
    <>
      <FilterBar>
        <FilterText label="Filter accounts" value={find} onChange={setFind} />
        <span className="mr-auto whitespace-nowrap text-xs text-muted">{accounts && read(accounts.length, totalCount)}</span>
        <Button onClick={() => setAct({ kind: 'create' })}>
          <Plus className="size-4" aria-hidden="true" />
          <span className="max-md:sr-only">Open account</span>
        </Button>
      </FilterBar>
      <div className="flex min-h-0 flex-1 flex-col px-4 pb-4 md:px-5">
        {fault && <FaultNotice fault={fault} />}
        {!accounts && !fault && <Skeleton className="h-60 w-full" />}
        {rows && rows.length === 0 && <EmptyState icon={Users} title={`No account fits “${find}”`} />}
        {rows && rows.length > 0 && (
          <Framed isFitted>
            <DataTable label="Accounts" columns={columns} rows={rows} keyOf={({ id }) => id} sort={sort} onSort={setSort} />
          </Framed>
        )}
      </div>
      {act?.kind === 'create' && <CreateAccount onClose={close} onCreated={onCreated} />}
      {act?.kind === 'credits' && <AddCredits account={act.account} onClose={close} />}
      {act?.kind === 'budgets' && (
        <BudgetsDialog of={{ accountId: act.account.id, keyId: null, name: act.account.name }} onClose={close} />
      )}
      {act?.kind === 'edit' && <EditAccount account={act.account} onClose={close} />}
    </>
  )
}

const read = (known: number, total: number): string =>
  known < total ? `${count(known)} of ${count(total)} accounts read…` : total === 1 ? '1 account' : `${count(total)} accounts`

const columnsWith = (act: (what: Act) => void): readonly Column<AdminAccountFragment>[] => [
  {
    id: 'name',
    header: 'Account',
    cell: ({ name, id }) => (
      <span className="block max-w-56 truncate font-medium" title={`${name} (${id})`}>
        {name}
      </span>
    ),
    compare: (a, b) => a.name.localeCompare(b.name),
  },
  {
    id: 'available',
    header: 'Available',
    cell: ({ available }) => <Money amount={available} digits={4} isBalance />,
    compare: (a, b) => compareDecimals(a.available, b.available),
    isNumeric: true,
  },
  {
    id: 'held',
    header: 'Held',
    cell: ({ held }) => <Money amount={held} digits={4} />,
    compare: (a, b) => compareDecimals(a.held, b.held),
    isNumeric: true,
  },
  {
    id: 'spent',
    header: 'Spent this month',
    cell: ({ spentThisMonth }) => <Money amount={spentThisMonth} digits={4} />,
    compare: (a, b) => compareDecimals(a.spentThisMonth, b.spentThisMonth),
    isNumeric: true,
  },
  {
    id: 'cap',
    header: 'Monthly cap',
    cell: ({ monthlyCap }) => (monthlyCap === null ? <NoLimit /> : <Money amount={monthlyCap} digits={2} />),
    isNumeric: true,
  },
  {
    id: 'hourly',
    header: 'GPU $/hour',
    cell: ({ maxHourlySpend }) => (maxHourlySpend === null ? <NoLimit /> : <Money amount={maxHourlySpend} digits={2} />),
    isNumeric: true,
  },
  { id: 'tier', header: 'Scans', cell: ({ scanTier }) => scanTier.toLowerCase() },
  {
    id: 'created',
    header: 'Opened',
    cell: ({ createdAt }) => <Moment at={createdAt} shape="date" />,
    compare: (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
  },
  {
    id: 'acts',
    header: 'Actions',
    cell: (account) => (
      <span className="-my-1 -ml-2 flex">
        <IconButton label={`Add credits to ${account.name}`} onClick={() => act({ kind: 'credits', account })}>
          <Coins className="size-4" />
        </IconButton>
        <IconButton label={`Change ${account.name}`} onClick={() => act({ kind: 'edit', account })}>
          <Pencil className="size-4" />
        </IconButton>
        <IconButton label={`Budgets of ${account.name}`} onClick={() => act({ kind: 'budgets', account })}>
          <PiggyBank className="size-4" />
        </IconButton>
      </span>
    ),
  },
]

const NoLimit = () => <span className="text-muted">none</span>
