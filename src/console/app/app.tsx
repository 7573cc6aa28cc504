/** From an opened page to the console: sign in with the code of the address, or go on with the session, or ask for a key. */
import { RouterProvider } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Provider, useQuery } from 'urql'
import { ConsoleViewerDocument } from '../../generated/console.js'
import { createGraphClient } from '../graph/client.js'
import { faultOf, isSignedOut, type Fault } from '../graph/faults.js'
import { Button } from '../ui/forms/button.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Mark } from '../ui/mark.js'
import { router } from './router.js'
import { signIn, signOut, takeCode } from './session/session.js'
import { SignInPage } from './session/sign-in-page.js'
import { ViewerContext, type Viewer } from './session/viewer.js'

type Stage =
  | { readonly kind: 'opening' }
  /** Until it was seen that there is a session, it is only tried. */
  | { readonly kind: 'inside'; readonly isKnown: boolean }
  | { readonly kind: 'outside'; readonly notice: string | null; readonly fault: Fault | null }

const INSIDE: Stage = { kind: 'inside', isKnown: false }
const OUTSIDE = { kind: 'outside', notice: null, fault: null } as const satisfies Stage
const ENDED: Stage = { ...OUTSIDE, notice: 'Your session has ended. Sign in again.' }

/** Taken before anything is drawn, and once: a page that is drawn twice in development has one code. */
const code = takeCode()
const opened = code === null ? null : signIn({ code })

export function App() {
  const [stage, setStage] = useState<Stage>(opened ? { kind: 'opening' } : INSIDE)
  /** What was wrong with the code of the address, for whoever has no session either. */
  const [codeFault, setCodeFault] = useState<Fault | null>(null)
  useEffect(() => {
    void opened?.then((fault) => {
      setCodeFault(fault)
      setStage(INSIDE)
    })
  }, [])
  const onIn = useCallback(() => setStage({ kind: 'inside', isKnown: true }), [])
  const onLeft = useCallback(() => setStage(OUTSIDE), [])
  const onSignedOut = useCallback(() => {
    // Everything that is open tells of it.
    setStage((before) => {
      if (before.kind !== 'inside') return before
      return before.isKnown ? ENDED : { ...OUTSIDE, fault: codeFault }
    })
  }, [codeFault])
  if (stage.kind === 'opening') return <Splash />
  if (stage.kind === 'inside') return <Inside onIn={onIn} onLeft={onLeft} onSignedOut={onSignedOut} />
  const enter = () => {
    setCodeFault(null)
    setStage(INSIDE)
  }
  return <SignInPage notice={stage.notice} fault={stage.fault} onSignedIn={enter} />
}

interface ConsoleProps {
  readonly onIn: () => void
  readonly onLeft: () => void
}

/** Its client, and with it all that was read, ends with the session. */
function Inside({ onSignedOut, ...rest }: ConsoleProps & { readonly onSignedOut: () => void }) {
  const client = useMemo(() => createGraphClient(onSignedOut), [onSignedOut])
  return (
    <Provider value={client}>
      <Console {...rest} />
    </Provider>
  )
}

function Console({ onIn, onLeft }: ConsoleProps) {
  const [{ data, error }, ask] = useQuery({ query: ConsoleViewerDocument })
  const isIn = data?.viewer != null && data.viewerKey != null
  useEffect(() => {
    if (isIn) onIn()
  }, [isIn, onIn])
  const told = useMemo<Viewer | null>(() => {
    if (!data?.viewer || !data.viewerKey) return null
    return { account: data.viewer, key: data.viewerKey, signOut: () => void signOut().then(onLeft) }
  }, [data, onLeft])
  // A server that is started again may refuse to say it once more: whoever was in stays, and what finds the server again is there.
  const [known, setKnown] = useState(told)
  if (told && told !== known) setKnown(told)
  const viewer = told ?? known
  if (viewer) {
    return (
      <ViewerContext value={viewer}>
        <RouterProvider router={router} context={{ scopes: viewer.key.scopes }} />
      </ViewerContext>
    )
  }
  if (!error || isSignedOut(error)) return <Splash />
  return (
    <main className="grid h-full place-content-center gap-4 p-6">
      <FaultNotice fault={faultOf(error)} />
      <Button onClick={() => ask({ requestPolicy: 'network-only' })}>Try again</Button>
    </main>
  )
}

const Splash = () => (
  <main aria-busy="true" aria-label="Opening the console" className="grid h-full place-content-center">
    <Mark className="size-9 animate-pulse" />
  </main>
)
