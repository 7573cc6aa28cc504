/** Where a key is asked for. */
import { useState, type FormEvent } from 'react'
import type { Fault } from '../../graph/faults.js'
import { Button } from '../../ui/forms/button.js'
import { CopyButton } from '../../ui/forms/copy-button.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'
import { TextField } from '../../ui/forms/field.js'
import { Mark } from '../../ui/mark.js'
import { signIn } from './session.js'

interface SignInProps {
  /** Why somebody who was in is here. */
  readonly notice: string | null
  readonly fault: Fault | null
  readonly onSignedIn: () => void
}

const COMMAND = 'npx sluice console'

export function SignInPage({ notice, fault: given, onSignedIn }: SignInProps) {
  const [key, setKey] = useState('')
  const [fault, setFault] = useState(given)
  const [isAsking, setAsking] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
    const wrong = await signIn({ key: key.trim() })
    setAsking(false)
    setFault(wrong)
    if (!wrong) onSignedIn()
  }
  return (
    <main className="grid h-full place-items-center overflow-y-auto p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <Mark className="size-9" />
          <div>
            <h1 className="text-lg font-semibold">Sluice</h1>
            <p className="text-sm text-muted">Sign in to the console of this server</p>
          </div>
        </div>
        {notice !== null && (
          <p role="status" className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
            {notice}
          </p>
        )}
        <form
          onSubmit={(event) => void submit(event)}
          className="grid gap-4 rounded-lg border border-line bg-surface p-5 shadow-low"
        >
          <TextField
            label="API key"
            type="password"
            value={key}
            onChange={setKey}
            placeholder="slk_…"
            autoComplete="off"
            autoFocus
            isMonospaced
          />
          {fault && <FaultNotice fault={fault} />}
          <Button type="submit" variant="primary" disabled={key.trim() === '' || isAsking}>
            {isAsking ? 'Signing in…' : 'Sign in'}
          </Button>
        </form>
        <div className="mt-5 grid gap-2 text-sm text-muted">
          <p>No key at hand? On the machine of the server, this prints an address that signs you in:</p>
          <div className="flex items-center justify-between rounded-md border border-line bg-surface py-1 pl-3 pr-1">
            <code className="font-mono text-xs text-ink">{COMMAND}</code>
            <CopyButton text={COMMAND} label="Copy the command" />
          </div>
          <p>Your key is exchanged for a session of twelve hours. It is not kept in this browser.</p>
        </div>
      </div>
    </main>
  )
}
