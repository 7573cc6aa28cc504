/** The dialogs of webhooks: one is added, gets a new secret, is turned off, is removed. */
import { useState } from 'react'
import { useMutation } from 'urql'
import {
  WebhooksCreateDocument,
  WebhooksRemoveDocument,
  WebhooksRotateDocument,
  WebhooksSetEnabledDocument,
  type WebhookEvent,
} from '../../generated/console-webhooks.js'
import { faultOf } from '../graph/faults.js'
import { TextField } from '../ui/forms/field.js'
import { SelectField } from '../ui/forms/select-field.js'
import { toggled } from '../ui/forms/toggled.js'
import { FormDialog } from '../ui/layout/form-dialog.js'
import { EVENTS, eventName, type WebhookRow } from './words.js'

interface AddWebhookProps {
  readonly onClose: () => void
  readonly onAdded: (id: string, secret: string) => void
}

export function AddWebhook({ onClose, onAdded }: AddWebhookProps) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const [types, setTypes] = useState<readonly WebhookEvent[]>([])
  const [{ fetching, error }, create] = useMutation(WebhooksCreateDocument)
  const fault = error ? faultOf(error) : null
  const submit = async () => {
    const input = { url: url.trim(), name: name.trim() || null, types: types.length > 0 ? [...types] : null }
    const made = (await create({ input })).data?.createWebhook
    if (made) onAdded(made.webhook.id, made.secret)
  }
  return (
    <FormDialog
      title="Add a webhook"
      isOpen
      onClose={onClose}
      action="Add webhook"
      isBusy={fetching}
      isReady={url.trim() !== ''}
      fault={fault?.param === 'url' ? null : fault}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Address"
        value={url}
        onChange={setUrl}
        placeholder="https://hooks.example.com/sluice"
        error={fault?.param === 'url' ? fault.message : null}
        autoFocus
      />
      <TextField label="Name" value={name} onChange={setName} placeholder="The host of the address" />
      <fieldset className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 text-xs font-medium">
          It is told of: {types.length === 0 ? 'everything' : `only ${types.length} of ${EVENTS.length}`}
        </legend>
        {EVENTS.map(([event, says]) => (
          <label key={event} className="flex min-w-0 items-center gap-2">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={types.includes(event)}
              onChange={() => setTypes(toggled(types, event))}
            />
            <span className="truncate">{says}</span>
            <code className="ml-auto pl-2 font-mono text-2xs text-muted max-md:hidden">{eventName(event)}</code>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}

const GRACES = [
  ['0', 'Not at all: the old secret has leaked'],
  ['3600', 'For an hour'],
  ['86400', 'For a day'],
  ['604800', 'For a week'],
  ['2592000', 'For 30 days'],
] as const

interface DialogProps {
  readonly of: WebhookRow
  readonly onClose: () => void
}

export function RotateSecret({
  of: webhook,
  onClose,
  onRotated,
}: DialogProps & { readonly onRotated: (secret: string) => void }) {
  const [grace, setGrace] = useState<(typeof GRACES)[number][0]>('86400')
  const [{ fetching, error }, rotate] = useMutation(WebhooksRotateDocument)
  const submit = async () => {
    const { data } = await rotate({ input: { id: webhook.id, graceSeconds: Number(grace) } })
    if (data?.rotateWebhookSecret) onRotated(data.rotateWebhookSecret.secret)
  }
  return (
    <FormDialog
      title="Change the secret"
      isOpen
      onClose={onClose}
      action="Change the secret"
      isBusy={fetching}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        Messages to <b className="wrap-anywhere font-medium">{webhook.name}</b> are signed with a new secret. For a while they
        carry both signatures, so that its receiver can change over without losing one.
      </p>
      <SelectField label="The old secret signs too" value={grace} choices={GRACES} onChange={setGrace} />
    </FormDialog>
  )
}

export function TurnOff({ of: webhook, onClose }: DialogProps) {
  const [{ fetching, error }, turn] = useMutation(WebhooksSetEnabledDocument)
  const submit = async () => {
    const { data } = await turn({ id: webhook.id, isEnabled: false })
    if (data?.setWebhookEnabled) onClose()
  }
  return (
    <FormDialog
      title="Turn a webhook off"
      isOpen
      onClose={onClose}
      action="Turn it off"
      isDangerous
      isBusy={fetching}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        Nothing more is sent to <b className="wrap-anywhere font-medium">{webhook.name}</b>. What waits for it is given up; it can
        be sent again once the webhook is on. What happens while it is off it is never told.
      </p>
    </FormDialog>
  )
}

export function RemoveWebhook({ of: webhook, onClose, onRemoved }: DialogProps & { readonly onRemoved: () => void }) {
  const [{ fetching, error }, remove] = useMutation(WebhooksRemoveDocument)
  const submit = async () => {
    const { data } = await remove({ id: webhook.id })
    if (data?.removeWebhook) onRemoved()
  }
  return (
    <FormDialog
      title="Remove a webhook"
      isOpen
      onClose={onClose}
      action="Remove"
      isDangerous
      isBusy={fetching}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        <b className="wrap-anywhere font-medium">{webhook.name}</b> (
        <span className="wrap-anywhere font-mono text-xs">{webhook.url}</span>) is removed for good, with the record of all that
        was sent to it.
      </p>
    </FormDialog>
  )
}
