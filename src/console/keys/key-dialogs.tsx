/** What is done with a key that exists, and the one look at the secret of a new one. */
import { useState } from 'react'
import { useMutation } from 'urql'
import { KeysRevokeDocument, KeysRotateDocument } from '../../generated/console-keys.js'
import { faultOf } from '../graph/faults.js'
import { FormDialog } from '../ui/layout/form-dialog.js'
import { SecretDialog } from '../ui/layout/secret-dialog.js'
import { SelectField } from '../ui/forms/select-field.js'
import type { KeyRow } from './key-state.js'

const GRACES = [
  ['0', 'None: the old key ends at once'],
  ['3600', 'An hour'],
  ['86400', 'A day'],
  ['604800', 'A week'],
] as const

interface DialogProps {
  readonly of: KeyRow
  readonly onClose: () => void
}

export function RotateKey({ of: key, onClose, onRotated }: DialogProps & { readonly onRotated: (secret: string) => void }) {
  const [grace, setGrace] = useState<(typeof GRACES)[number][0]>('86400')
  const [{ fetching, error }, rotate] = useMutation(KeysRotateDocument)
  const submit = async () => {
    const { data } = await rotate({ input: { id: key.id, graceSeconds: Number(grace) } })
    if (data?.rotateApiKey) onRotated(data.rotateApiKey.secret)
  }
  return (
    <FormDialog
      title="Rotate a key"
      isOpen
      onClose={onClose}
      action="Rotate"
      isBusy={fetching}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        A new key takes the place of <b className="wrap-anywhere font-medium">{key.name}</b>, with the same scopes, models and
        cap. The old one goes on for the time that you give yourself to change it everywhere.
      </p>
      <SelectField label="Grace" value={grace} choices={GRACES} onChange={setGrace} />
    </FormDialog>
  )
}

export function RevokeKey({ of: key, onClose, isOwn }: DialogProps & { readonly isOwn: boolean }) {
  const [{ fetching, error }, revoke] = useMutation(KeysRevokeDocument)
  const submit = async () => {
    const { data } = await revoke({ id: key.id })
    if (data?.revokeApiKey) onClose()
  }
  return (
    <FormDialog
      title="Revoke a key"
      isOpen
      onClose={onClose}
      action="Revoke"
      isDangerous
      isBusy={fetching}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        <b className="wrap-anywhere font-medium">{key.name}</b> (<span className="font-mono text-xs">{key.prefix}…</span>) ends at
        once, everywhere, and for good. What it has under way is broken off.
      </p>
      {isOwn && <p className="text-bad">It is the key that you have signed in with: you will be signed out.</p>}
    </FormDialog>
  )
}

export const Secret = (props: { readonly secret: string | null; readonly onClose: () => void }) => (
  <SecretDialog title="Your new key" what="the key" {...props}>
    Send it as <code className="font-mono text-xs">Authorization: Bearer</code>, or set it as the key of any OpenAI client.
  </SecretDialog>
)
