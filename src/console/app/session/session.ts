/** Signing in and out. The browser holds no key: it presents one once, or a code, and keeps a cookie that scripts cannot read. */
import { CONSOLE_HEADERS } from '../../graph/events.js'
import { serverFault, UNREACHED, type Fault } from '../../graph/faults.js'

export type Credential = { readonly key: string } | { readonly code: string }

interface Refused {
  readonly error: { readonly message: string; readonly code: string }
}

const ask = (method: string, body?: Credential): Promise<Response | null> =>
  fetch('/console/session', {
    method,
    headers: { ...CONSOLE_HEADERS, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => null)

/** What is wrong with the credential; null when a session has begun. */
export async function signIn(credential: Credential): Promise<Fault | null> {
  const response = await ask('POST', credential)
  if (!response) return UNREACHED
  if (response.ok) return null
  const { error } = (await response.json()) as Refused
  return serverFault({ message: error.message, extensions: { code: error.code } }, response.headers.get('x-request-id'))
}

export async function signOut(): Promise<void> {
  await ask('DELETE')
}

/** The code that the page was opened with. It is taken out of the address, where it would stay in the history. */
export function takeCode(): string | null {
  const url = new URL(location.href)
  const code = url.searchParams.get('code')
  if (code === null) return null
  url.searchParams.delete('code')
  history.replaceState(null, '', url)
  return code
}
