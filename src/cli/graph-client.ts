/** The command line as a client of a running server: its GraphQL API with the caller's key. */
import { print } from 'graphql'
import { createClient, type Client } from 'graphql-sse'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { clientSettings } from '../config.js'

/** What the server said no to, in its own words. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault'

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }

  /** Whether the command was wrong, rather than the answer no. */
  get isUsage(): boolean {
    return this.code !== 'not_found' && this.code !== 'rental_not_found' && this.code !== 'model_not_found'
  }
}

export interface GraphClient {
  request<TData, TVariables extends object>(document: TypedDocumentNode<TData, TVariables>, variables: TVariables): Promise<TData>
  /** Events of a subscription, until the signal aborts. */
  subscribe<TData, TVariables extends object>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
  ): AsyncIterable<TData>
}

interface GraphError {
  readonly message: string
  readonly extensions?: { readonly code?: string; readonly param?: string | null }
}

/** @throws ServerFault when there is no key in SLUICE_API_KEY, no server at SLUICE_URL, or the server refuses. */
export function createGraphClient(): GraphClient {
  const { url, apiKey } = clientSettings()
  if (!apiKey) throw new ServerFault('Set SLUICE_API_KEY to a key of this server (and SLUICE_URL when it is not local).', 'usage')
  const endpoint = `${url}/graphql`
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    async request(document, variables) {
      const body = JSON.stringify({ query: print(document), variables })
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      }).catch(() => {
        throw new ServerFault(`No server answers at ${url}. Start one with "npm start", or set SLUICE_URL.`, 'unreachable')
      })
      const answer = (await response.json()) as { data?: unknown; errors?: GraphError[] }
      const error = answer.errors?.[0]
      if (error) throw faultOf(error)
      return answer.data as never
    },
    subscribe(document, variables) {
      const client: Client = createClient({ url: endpoint, headers, retryAttempts: 5 })
      return eachData(client, print(document), variables as Record<string, unknown>) as never
    },
  }
}

async function* eachData(client: Client, query: string, variables: Record<string, unknown>): AsyncGenerator {
  try {
    for await (const { data, errors } of client.iterate({ query, variables })) {
      if (errors?.[0]) throw faultOf(errors[0] as GraphError)
      yield data
    }
  } finally {
    client.dispose()
  }
}

function faultOf({ message, extensions }: GraphError): ServerFault {
  const param = extensions?.param
  return new ServerFault(param ? `${message} (${param})` : message, extensions?.code ?? 'server_error')
}
