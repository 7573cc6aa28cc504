/** One message to a webhook: what it says, and how sending it went. */
import { Moment } from '../format/time.js'
import { Badge } from '../ui/badge.js'
import { CodeBlock } from '../ui/code-block.js'
import { Fact } from '../ui/fact.js'
import { Button } from '../ui/forms/button.js'
import { CopyButton } from '../ui/forms/copy-button.js'
import { Dialog } from '../ui/layout/dialog.js'
import { STATES } from './webhooks-search.js'
import { eventName, STATE_TONES, type Message } from './words.js'

interface MessageDialogProps {
  /** Undefined while none is open. */
  readonly id: string | undefined
  /** Undefined when it is not among those that were read. */
  readonly message: Message | undefined
  readonly isRead: boolean
  /** Nothing is sent to a webhook that is off. */
  readonly isOff: boolean
  readonly isSending: boolean
  readonly onSend: (id: string) => void
  readonly onClose: () => void
}

export const MessageDialog = ({ id, message, isRead, onClose, ...rest }: MessageDialogProps) => (
  <Dialog title="Message" isOpen={id !== undefined && isRead} onClose={onClose} isWide>
    {message ? (
      <Details message={message} {...rest} />
    ) : (
      <p className="p-4 text-sm text-muted">It is not among the messages that are shown, or it is too old to be kept.</p>
    )}
  </Dialog>
)

type DetailsProps = Pick<MessageDialogProps, 'isOff' | 'isSending' | 'onSend'> & { readonly message: Message }

function Details({ message, isOff, isSending, onSend }: DetailsProps) {
  const { id, type, subject, data, occurredAt, state, attempts, attemptedAt, answered, failure } = message
  return (
    <>
      <div
        className="grid min-h-0 gap-4 overflow-y-auto p-4 text-sm"
        tabIndex={0}
        role="region"
        aria-label="Details of the message"
      >
        <div className="flex min-w-0 items-center gap-1">
          <Badge tone={STATE_TONES[state]}>{STATES[state].toLowerCase()}</Badge>
          <span className="ml-2 font-medium">{eventName(type)}</span>
          <span className="ml-2 truncate font-mono text-xs" title={id}>
            {id}
          </span>
          <CopyButton text={id} label="Copy the id of the message" />
        </div>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-4">
          <Fact name="Happened">
            <Moment at={occurredAt} />
          </Fact>
          <Fact name="About">
            <span title={subject}>{subject}</span>
          </Fact>
          <Fact name="Tried">{attempts === 1 ? 'once' : `${attempts} times`}</Fact>
          <Fact name="Last tried">{attemptedAt === null ? 'not yet' : <Moment at={attemptedAt} />}</Fact>
          {answered !== null && <Fact name="Answer">{answered}</Fact>}
        </dl>
        {failure !== null && <p className="wrap-anywhere rounded-md bg-bad-soft px-3 py-2 text-bad">{failure}</p>}
        <CodeBlock code={JSON.stringify(data, null, 2)} what="the data of the message" />
      </div>
      {state !== 'PENDING' && (
        <div className="flex shrink-0 items-center justify-end gap-3 border-t border-line px-4 py-3 text-sm">
          {isOff && <p className="text-muted">Turn the webhook on to send it again.</p>}
          <Button variant="primary" disabled={isOff || isSending} onClick={() => onSend(id)}>
            Send again
          </Button>
        </div>
      )}
    </>
  )
}
