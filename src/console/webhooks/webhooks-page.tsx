/** Webhooks: the addresses that are told what happens here, and what became of each message. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { WebhooksTableDocument } from '../../generated/console-webhooks.js'
import { count } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { useWatched } from '../graph/use-watched.js'
import { Badge } from '../ui/badge.js'
import { classes } from '../ui/classes.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { Button } from '../ui/forms/button.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { SecretDialog } from '../ui/layout/secret-dialog.js'
import { Framed } from '../ui/layout/section.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { useNow } from '../ui/use-now.js'
import { Actions, type Act } from './actions.js'
import { Messages } from './messages.js'
import { AddWebhook, RemoveWebhook, RotateSecret, TurnOff } from './webhook-dialogs.js'
import { eventName, type WebhookRow } from './words.js'

export function WebhooksPage() {
  const { webhook: chosen } = useSearch({ from: '/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  const { data, fault, readAgain } = useWatched(WebhooksTableDocument, {})
  const [act, setAct] = useState<Act | { readonly kind: 'add' } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const rows = data?.webhooks?.nodes
  const shown = rows?.find(({ id }) => id === chosen) ?? rows?.[0]
  const columns = useMemo(() => columnsWith(setAct, shown?.id), [shown?.id])
  const show = (webhook?: string) => void navigate({ search: { webhook }, replace: true })
  const close = () => setAct(null)
  const changed = (made: string | null) => {
    close()
    setSecret(made)
    readAgain()
  }
  return (
    <>
      <PageHeader title="Webhooks">
        <Button variant="primary" onClick={() => setAct({ kind: 'add' })}>
          <Plus className="size-4" aria-hidden="true" />
          Add webhook
        </Button>
      </PageHeader>
      <div
        className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-6 overflow-y-auto p-4 md:px-5"
        tabIndex={0}
        role="region"
        aria-label="Webhooks and their messages"
      >
        {fault && <FaultNotice fault={fault} />}
        {!rows && !fault && <Skeleton className="h-24 w-full" />}
        {rows?.length === 0 && <NoWebhooks />}
        {rows && rows.length > 0 && (
          <Framed>
            <DataTable label="Webhooks" columns={columns} rows={rows} keyOf={({ id }) => id} onOpen={({ id }) => show(id)} />
          </Framed>
        )}
        {shown && <Messages key={shown.id} webhook={shown} onRead={readAgain} />}
      </div>
      {act?.kind === 'add' && (
        <AddWebhook
          onClose={close}
          onAdded={(id, made) => {
            show(id)
            changed(made)
          }}
        />
      )}
      {act?.kind === 'rotate' && <RotateSecret of={act.webhook} onClose={close} onRotated={changed} />}
      {act?.kind === 'off' && <TurnOff of={act.webhook} onClose={() => changed(null)} />}
      {act?.kind === 'remove' && (
        <RemoveWebhook
          of={act.webhook}
          onClose={close}
          onRemoved={() => {
            show()
            changed(null)
          }}
        />
      )}
      <SecretDialog title="The secret of your webhook" what="the secret" secret={secret} onClose={() => setSecret(null)}>
        Its receiver verifies messages with it, by any library of Standard Webhooks.
      </SecretDialog>
    </>
  )
}

const NoWebhooks = () => (
  <EmptyState icon={WebhookIcon} title="Nobody is told yet">
    Add an address of yours, and it is sent signed messages about low balances, failing providers, prices that wait, rentals and
    keys.{' '}
    <a className="text-accent underline" href="/docs/webhooks">
      How they look
    </a>
  </EmptyState>
)

const columnsWith = (act: (what: Act) => void, shown: string | undefined): readonly Column<WebhookRow>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <span
        className={classes('flex max-w-48 items-center font-medium max-md:max-w-32', id === shown && 'text-accent')}
        title={`${name} (${id})`}
      >
        <span className="truncate">{name}</span>
        {id === shown && <span className="sr-only">, its messages are below</span>}
      </span>
    ),
  },
  { id: 'state', header: 'State', cell: (row) => <State webhook={row} /> },
  { id: 'waiting', header: 'Waiting', cell: ({ waiting }) => count(waiting.totalCount), isNumeric: true },
  {
    id: 'dead',
    header: 'Given up',
    cell: ({ dead }) => <span className={dead.totalCount > 0 ? 'text-bad' : undefined}>{count(dead.totalCount)}</span>,
    isNumeric: true,
  },
  {
    id: 'url',
    header: 'Address',
    cell: ({ url }) => (
      <span className="block max-w-72 truncate font-mono text-xs" title={url}>
        {url}
      </span>
    ),
  },
  {
    id: 'types',
    header: 'Told of',
    cell: ({ types }) => <Types types={types} />,
  },
  { id: 'created', header: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} shape="date" /> },
  { id: 'actions', header: 'Actions', className: 'text-right', cell: (row) => <Actions webhook={row} act={act} /> },
]

function Types({ types }: { readonly types: WebhookRow['types'] }) {
  if (types === null) return 'everything'
  const names = types.map(eventName)
  return (
    <span className="block max-w-48 truncate" title={names.join('\n')}>
      {names.join(', ')}
    </span>
  )
}

/** How near the end of a grace is looked at. */
const LOOKED_AT_EVERY_MS = 30_000

function State({ webhook: { offBecause, offSince, earlierSecretUntil } }: { readonly webhook: WebhookRow }) {
  const now = useNow(LOOKED_AT_EVERY_MS)
  if (offSince !== null) {
    const isGone = offBecause === 'GONE'
    return (
      <span className="flex items-center gap-2">
        <Badge tone="bad">off</Badge>
        <span className="text-xs text-muted">
          {isGone && 'its receiver answered 410, '}
          <Moment at={offSince} shape="relative" />
        </span>
      </span>
    )
  }
  return (
    <span className="flex items-center gap-2">
      <Badge tone="good">on</Badge>
      {earlierSecretUntil !== null && Date.parse(earlierSecretUntil) > now && (
        <span className="text-xs text-muted">
          both secrets until <Moment at={earlierSecretUntil} shape="minute" />
        </span>
      )}
    </span>
  )
}
