/** What can be done with one webhook, at the end of its row. */
import { Power, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useMutation } from 'urql'
import { WebhooksSetEnabledDocument, WebhooksTestDocument } from '../../generated/console-webhooks.js'
import { faultOf } from '../graph/faults.js'
import { IconButton } from '../ui/forms/button.js'
import { toast } from '../ui/notices/toasts.js'
import type { WebhookRow } from './words.js'

export interface Act {
  readonly kind: 'rotate' | 'off' | 'remove'
  readonly webhook: WebhookRow
}

interface ActionsProps {
  readonly webhook: WebhookRow
  readonly act: (what: Act) => void
}

export function Actions({ webhook, act }: ActionsProps) {
  const { id, name, offSince } = webhook
  const [{ fetching: isTesting }, test] = useMutation(WebhooksTestDocument)
  const [{ fetching: isTurning }, turn] = useMutation(WebhooksSetEnabledDocument)
  const sendTest = async () => {
    const { data, error } = await test({ id })
    if (error) return toast(faultOf(error).message)
    const outcome = data?.testWebhook
    if (!outcome) return
    toast(outcome.isDelivered ? `${name} has taken the test message.` : `${name} has not taken it: ${outcome.failure}.`)
  }
  const turnOn = async () => {
    const { error } = await turn({ id, isEnabled: true })
    toast(error ? faultOf(error).message : `${name} is told of what happens from now on.`)
  }
  const isOn = offSince === null
  return (
    <span
      className="flex justify-end"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <IconButton label={`Send ${name} a test message`} disabled={isTesting} onClick={() => void sendTest()}>
        <Send className="size-4" />
      </IconButton>
      <IconButton label={`Change the secret of ${name}`} onClick={() => act({ kind: 'rotate', webhook })}>
        <RefreshCw className="size-4" />
      </IconButton>
      <IconButton
        label={`Turn ${name} ${isOn ? 'off' : 'on'}`}
        disabled={isTurning}
        onClick={() => (isOn ? act({ kind: 'off', webhook }) : void turnOn())}
      >
        <Power className="size-4" />
      </IconButton>
      <IconButton label={`Remove ${name}`} onClick={() => act({ kind: 'remove', webhook })}>
        <Trash2 className="size-4" />
      </IconButton>
    </span>
  )
}
