/** How a running rental is used: its endpoint with what to paste into a terminal, and the way in over SSH. */
import { CodeBlock } from '../../ui/code-block.js'
import { isLive, type Rental } from './rental-words.js'

export function Access({ rental }: { readonly rental: Rental }) {
  const { endpoint, endpointKey, sshHost } = rental
  if (!isLive(rental)) return null
  return (
    <section aria-label="Use it" className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 text-sm">
      <h3 className="font-semibold">Use it</h3>
      {endpoint === null && sshHost === null && (
        <p className="text-muted">Its endpoint and what to paste into a terminal stand here as soon as it runs.</p>
      )}
      {endpoint !== null && endpointKey !== null && <Endpoint endpoint={endpoint} secret={endpointKey} model={rental.modelId} />}
      {sshHost !== null && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <p className="text-xs text-muted">SSH, with the key that you gave</p>
          <CodeBlock code={sshCommand(sshHost, rental.sshPort)} what="the SSH command" />
        </div>
      )}
    </section>
  )
}

interface EndpointProps {
  readonly endpoint: string
  readonly secret: string
  readonly model: string | null
}

function Endpoint({ endpoint, secret, model }: EndpointProps) {
  const snippet = (key: string) => curl(endpoint, key, model)
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <p className="text-xs text-muted">Endpoint</p>
        <CodeBlock code={endpoint} what="the endpoint" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <p className="text-xs text-muted">A request; its key is copied with it</p>
        <CodeBlock code={snippet(secret)} shown={snippet(`${secret.slice(0, 6)}…`)} what="the request" />
      </div>
    </>
  )
}

const sshCommand = (host: string, port: number | null): string =>
  port === null ? `ssh root@${host}` : `ssh -p ${port} root@${host}`

function curl(endpoint: string, key: string, model: string | null): string {
  const authorization = `-H "Authorization: Bearer ${key}"`
  if (model === null) return `curl ${endpoint}/models \\\n  ${authorization}`
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] }).replaceAll("'", String.raw`'\''`)
  return `curl ${endpoint}/chat/completions \\\n  ${authorization} \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`
}
