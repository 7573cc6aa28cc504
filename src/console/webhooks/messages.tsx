/** What was sent to a webhook and what waits: newest first, asked again every quarter of a minute. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useMutation } from 'urql'
import { WebhooksMessagesDocument, WebhooksReplayDocument, type WebhookDeliveryState } from '../../generated/console-webhooks.js'
import { count } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { useWatched } from '../graph/use-watched.js'
import { Badge } from '../ui/badge.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { Button, IconButton } from '../ui/forms/button.js'
import { FilterChoice } from '../ui/forms/filter-bar.js'
import { Framed, Section } from '../ui/layout/section.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { toast } from '../ui/notices/toasts.js'
import { MessageDialog } from './message-dialog.js'
import { STATES } from './webhooks-search.js'
import { eventName, STATE_TONES, type Message, type WebhookRow } from './words.js'

const CHOICES = (['PENDING', 'DELIVERED', 'DEAD'] as const satisfies readonly WebhookDeliveryState[]).map(
  (state) => [state, STATES[state]] as const,
)

/** What is shown at first, and the most that is shown. */
const SHOWN = 50
const MOST_SHOWN = 500

/** Sends messages again: these, or all that were given up. Answers whether it was done. */
function useReplay(webhook: WebhookRow, onReplayed: () => void) {
  const [{ fetching }, replay] = useMutation(WebhooksReplayDocument)
  const send = async (deliveryIds: string[] | null): Promise<boolean> => {
    const { data, error } = await replay({ id: webhook.id, deliveryIds })
    const replayed = data?.replayWebhook?.replayed
    if (replayed === undefined) {
      if (error) toast(faultOf(error).message)
      return false
    }
    toast(replayed === 1 ? 'The message is sent again.' : `${count(replayed)} messages are sent again.`)
    onReplayed()
    return true
  }
  return { send, isSending: fetching }
}

interface MessagesProps {
  readonly webhook: WebhookRow
  /** What is told of the webhook may be other now. */
  readonly onRead: () => void
}

export function Messages({ webhook, onRead }: MessagesProps) {
  const { state, message: opened } = useSearch({ from: '/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  const [first, setFirst] = useState(SHOWN)
  const { data, fault, readAgain } = useWatched(WebhooksMessagesDocument, { id: webhook.id, state: state ?? null, first })
  const readBoth = () => {
    readAgain()
    onRead()
  }
  const { send, isSending } = useReplay(webhook, readBoth)
  const messages = data?.webhook?.deliveries
  const isOff = webhook.offSince !== null
  const choose = (chosen: WebhookDeliveryState | undefined) =>
    void navigate({ search: (before) => ({ ...before, state: chosen, message: undefined }), replace: true })
  const sendOne = async (id: string) => {
    if (await send([id])) open(undefined)
  }
  const open = (message: string | undefined) => void navigate({ search: (before) => ({ ...before, message }), replace: true })
  return (
    <Section
      title={`Messages to ${webhook.name}`}
      aside={
        <>
          {webhook.dead.totalCount > 0 && (
            <Button disabled={isOff || isSending} onClick={() => void send(null)}>
              <RotateCcw className="size-4" aria-hidden="true" />
              Send all that were given up again
            </Button>
          )}
          <FilterChoice label="State of messages" every="Every state" value={state} choices={CHOICES} onChange={choose} />
          <IconButton label="Read again" onClick={readBoth}>
            <RefreshCw className="size-4" />
          </IconButton>
        </>
      }
    >
      {fault && <FaultNotice fault={fault} />}
      {!messages && !fault && <Skeleton className="h-24 w-full" />}
      {messages?.nodes.length === 0 && (
        <p className="text-sm text-muted">
          {state === undefined ? 'Nothing has happened since it was added that it is told of.' : 'No message is in this state.'}
        </p>
      )}
      {messages && messages.nodes.length > 0 && <List rows={messages.nodes} onOpen={({ id }) => open(id)} />}
      {messages && messages.nodes.length > 0 && (
        <More shown={messages.nodes.length} total={messages.totalCount} onMore={() => setFirst(MOST_SHOWN)} />
      )}
      <MessageDialog
        id={opened}
        message={messages?.nodes.find(({ id }) => id === opened)}
        isRead={messages !== undefined}
        isOff={isOff}
        isSending={isSending}
        onSend={(id) => void sendOne(id)}
        onClose={() => open(undefined)}
      />
    </Section>
  )
}

const COLUMNS: readonly Column<Message>[] = [
  { id: 'at', header: 'Happened', cell: ({ occurredAt }) => <Moment at={occurredAt} shape="short" /> },
  { id: 'type', header: 'Event', cell: ({ type }) => <span className="font-medium">{eventName(type)}</span> },
  { id: 'state', header: 'State', cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{STATES[state].toLowerCase()}</Badge> },
  {
    id: 'subject',
    header: 'About',
    cell: ({ subject }) => (
      <span className="block max-w-56 truncate font-mono text-xs" title={subject}>
        {subject}
      </span>
    ),
  },
  { id: 'attempts', header: 'Tried', cell: ({ attempts }) => count(attempts), isNumeric: true },
  {
    id: 'answer',
    header: 'Last answer',
    cell: ({ answered, failure }) => (
      <span className="block max-w-72 truncate" title={failure ?? undefined}>
        {failure ?? answered ?? '–'}
      </span>
    ),
  },
]

const keyOf = ({ id }: Message): string => id

const List = ({ rows, onOpen }: { readonly rows: readonly Message[]; readonly onOpen: (row: Message) => void }) => (
  <Framed>
    <DataTable label="Messages" columns={COLUMNS} rows={rows} keyOf={keyOf} onOpen={onOpen} />
  </Framed>
)

interface MoreProps {
  readonly shown: number
  readonly total: number
  readonly onMore: () => void
}

const More = ({ shown, total, onMore }: MoreProps) => (
  <p className="flex items-center gap-2 text-xs text-muted">
    {count(shown)} of {count(total)} shown
    {shown < Math.min(total, MOST_SHOWN) && (
      <Button variant="ghost" onClick={onMore}>
        Show more
      </Button>
    )}
  </p>
)
