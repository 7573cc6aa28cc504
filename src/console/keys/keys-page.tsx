/** Keys: who may ask, for what and how much. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ban, KeyRound, Pencil, PiggyBank, Plus, RefreshCw } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useSubscription } from 'urql'
import {
  KeysChangedDocument,
  KeysTableDocument,
  type KeysChangedSubscription,
  type KeysTableQuery,
} from '../../generated/console-keys.js'
import { useNow } from '../ui/use-now.js'
import { useViewer } from '../app/session/viewer.js'
import { shareOf } from '../format/decimal.js'
import { Money } from '../format/money.js'
import { BudgetsDialog } from '../budgets/budgets-dialog.js'
import { Moment } from '../format/time.js'
import { useAllPages } from '../graph/use-all-pages.js'
import { Badge } from '../ui/badge.js'
import { Button, IconButton } from '../ui/forms/button.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { FilterBar, FilterText } from '../ui/forms/filter-bar.js'
import { Meter } from '../ui/meter.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { Framed } from '../ui/layout/section.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { ChangeKey } from './change-key.js'
import { CreateKey } from './create-key.js'
import { RevokeKey, RotateKey, Secret } from './key-dialogs.js'
import { isUsable, mayManage, newestId, stateOf, TONES, type KeyRow, type KeyState } from './key-state.js'

type Act = { readonly kind: 'create' } | { readonly kind: 'change' | 'budgets' | 'rotate' | 'revoke'; readonly key: KeyRow }
type Row = KeyRow & { readonly state: KeyState }
/** What the key of the session may do. */
type Own = Pick<KeyRow, 'scopes' | 'models'>

export function KeysPage() {
  const { ended = false, find = '' } = useSearch({ from: '/keys' })
  const navigate = useNavigate({ from: '/keys' })
  const { id: ownId, scopes } = useViewer().key
  const [act, setAct] = useState<Act | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const { rows, fault } = useKeys()
  const shown = useMemo(() => rows?.filter((row) => (ended || isUsable(row.state)) && holds(row, find)), [rows, ended, find])
  const models = rows?.find(({ id }) => id === ownId)?.models ?? null
  const columns = useMemo(() => columnsWith(setAct, { scopes, models }), [scopes, models])
  const onSecret = (made: string) => {
    setAct(null)
    setSecret(made)
  }
  const close = () => setAct(null)
  return (
    <>
      <PageHeader title="Keys">
        <Button variant="primary" onClick={() => setAct({ kind: 'create' })}>
          <Plus className="size-4" aria-hidden="true" />
          Create key
        </Button>
      </PageHeader>
      <FilterBar>
        <FilterText
          label="Filter keys"
          value={find}
          onChange={(text) => void navigate({ search: (before) => ({ ...before, find: text || undefined }), replace: true })}
        />
        <label className="flex h-8 items-center gap-2 whitespace-nowrap text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={ended}
            onChange={() =>
              void navigate({ search: (before) => ({ ...before, ended: ended ? undefined : true }), replace: true })
            }
          />
          Show ended keys
        </label>
      </FilterBar>
      <div className="flex min-h-0 flex-1 flex-col px-4 pb-4 md:px-5">
        {fault && <FaultNotice fault={fault} />}
        {!rows && !fault && <Waiting />}
        {shown && shown.length === 0 && (
          <EmptyState icon={KeyRound} title={find === '' ? 'No keys' : `No key fits “${find}”`}>
            {find === ''
              ? 'Create one: its secret is shown once.'
              : 'Keys that have ended are only shown when they are asked for.'}
          </EmptyState>
        )}
        {shown && shown.length > 0 && (
          <Framed isFitted>
            <DataTable label="Keys" columns={columns} rows={shown} keyOf={({ id }) => id} />
          </Framed>
        )}
      </div>
      <Dialogs act={act} keys={rows ?? []} onClose={close} onSecret={onSecret} />
      <Secret secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}

interface DialogsProps {
  readonly act: Act | null
  readonly keys: readonly KeyRow[]
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

function Dialogs({ act, keys, onClose, onSecret }: DialogsProps) {
  const { account, key: own } = useViewer()
  switch (act?.kind) {
    case undefined:
      return null
    case 'create':
      return <CreateKey onClose={onClose} onCreated={onSecret} />
    case 'change':
      return <ChangeKey of={act.key} onClose={onClose} />
    case 'budgets':
      return (
        <BudgetsDialog of={{ accountId: account.id, keyId: newestId(act.key, keys), name: act.key.name }} onClose={onClose} />
      )
    case 'rotate':
      return <RotateKey of={act.key} onClose={onClose} onRotated={onSecret} />
    case 'revoke':
      return <RevokeKey of={act.key} onClose={onClose} isOwn={act.key.id === own.id} />
  }
}

/** States change by themselves when a key expires. */
const LOOKED_AT_EVERY_MS = 15_000

/** Each that was heard of: two changes may come before either is drawn. */
const withChanged = (before: readonly string[] = [], { apiKeysChanged: { id } }: KeysChangedSubscription): readonly string[] =>
  before.includes(id) ? before : [...before, id]

/** The newest first. */
const pageOf = ({ viewer }: KeysTableQuery) => viewer?.keys

function useKeys() {
  const { nodes, fault, readAgain } = useAllPages(KeysTableDocument, pageOf)
  const [{ data: heardOf = [] }] = useSubscription({ query: KeysChangedDocument }, withChanged)
  const missing = nodes ? heardOf.filter((id) => !nodes.some((key) => key.id === id)).length : 0
  useEffect(() => {
    if (missing > 0) readAgain('first')
  }, [missing, readAgain])
  const now = useNow(LOOKED_AT_EVERY_MS)
  const rows = useMemo(() => nodes?.map((key): Row => ({ ...key, state: stateOf(key, now) })), [nodes, now])
  return { rows, fault }
}

const holds = ({ name, prefix }: KeyRow, find: string): boolean => `${name} ${prefix}`.toLowerCase().includes(find.toLowerCase())

const columnsWith = (act: (what: Act) => void, own: Own): readonly Column<Row>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => (
      <span className="block max-w-48 truncate font-medium" title={name}>
        {name}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, expiresAt }) => (
      <span className="flex items-center gap-2">
        <Badge tone={TONES[state]}>{state}</Badge>
        {isUsable(state) && expiresAt !== null && (
          <span className="text-xs text-muted">
            ends <Moment at={expiresAt} shape="relative" />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'prefix',
    header: 'Begins with',
    cell: ({ prefix }) => <Prefix prefix={prefix} />,
  },
  { id: 'scopes', header: 'May', cell: ({ scopes }) => scopes.map((scope) => scope.toLowerCase()).join(', ') },
  {
    id: 'models',
    header: 'Models',
    cell: ({ models }) =>
      models === null ? (
        'every'
      ) : (
        <span className="block max-w-48 truncate" title={models.join('\n')}>
          {models.join(', ')}
        </span>
      ),
  },
  { id: 'cap', header: 'Spent of cap', cell: (row) => <Cap row={row} />, isNumeric: true },
  { id: 'rate', header: 'A minute', cell: (row) => <Rates row={row} /> },
  { id: 'code', header: 'Code scan', cell: ({ answerScan }) => <AnswerScan policy={answerScan} /> },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} shape="relative" />),
  },
  { id: 'created', header: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} shape="date" /> },
  {
    id: 'acts',
    header: 'Actions',
    cell: (row) => isUsable(row.state) && mayManage(own, row) && <Actions row={row} act={act} own={own} />,
  },
]

interface ActionsProps {
  readonly row: Row
  readonly act: (what: Act) => void
  readonly own: Own
}

const Actions = ({ row, act, own }: ActionsProps) => (
  <span className="-my-1 -ml-2 flex">
    {own.scopes.includes('ADMIN') && (
      <>
        <IconButton label={`Change ${row.name}`} onClick={() => act({ kind: 'change', key: row })}>
          <Pencil className="size-4" />
        </IconButton>
        <IconButton label={`Budgets of ${row.name}`} onClick={() => act({ kind: 'budgets', key: row })}>
          <PiggyBank className="size-4" />
        </IconButton>
      </>
    )}
    <IconButton label={`Rotate ${row.name}`} disabled={row.replacedBy !== null} onClick={() => act({ kind: 'rotate', key: row })}>
      <RefreshCw className="size-4" />
    </IconButton>
    <IconButton label={`Revoke ${row.name}`} onClick={() => act({ kind: 'revoke', key: row })}>
      <Ban className="size-4" />
    </IconButton>
  </span>
)

/** Its first letters tell it apart. */
const Prefix = ({ prefix }: { readonly prefix: string }) => (
  <span className="block max-w-22 truncate font-mono text-xs" title={prefix}>
    {prefix}…
  </span>
)

const Cap = ({ row: { monthlyCap, spentThisMonth } }: { readonly row: KeyRow }) =>
  monthlyCap === null ? (
    <span className="text-muted">no cap</span>
  ) : (
    <span className="inline-grid w-32 gap-0.5">
      <span>
        <Money amount={spentThisMonth ?? '0'} digits={4} /> of <Money amount={monthlyCap} digits={2} />
      </span>
      <Meter label="Spent of the cap" share={shareOf(spentThisMonth ?? '0', monthlyCap)} />
    </span>
  )

const Rates = ({ row: { requestsPerMinute, tokensPerMinute } }: { readonly row: KeyRow }) =>
  requestsPerMinute === null && tokensPerMinute === null ? (
    <span className="text-muted">no limit</span>
  ) : (
    [requestsPerMinute !== null && `${requestsPerMinute} requests`, tokensPerMinute !== null && `${tokensPerMinute} tokens`]
      .filter(Boolean)
      .join(', ')
  )

const AnswerScan = ({ policy }: { readonly policy: KeyRow['answerScan'] }) =>
  policy === null ? (
    <span className="text-muted">not scanned</span>
  ) : (
    <span title={policy.standards.join('\n') || 'By every standard'}>
      {policy.mode === 'BLOCK' ? 'withheld' : 'told'} from {policy.minSeverity.toLowerCase()}
    </span>
  )

const Waiting = () => (
  <div aria-busy="true" className="grid gap-px overflow-hidden rounded-md border border-line">
    {Array.from({ length: 6 }, (_, at) => (
      <div key={at} className="flex h-9 items-center px-3">
        <Skeleton className="h-3 w-full" />
      </div>
    ))}
  </div>
)
