/** The command line as a client of a running server: its GraphQL API with the caller's key. */
import { createClient, NetworkError, type Client } from 'graphql-sse'
import { CliViewerDocument, type TypedDocumentString } from '../generated/cli.js'
import { clientSettings } from './client-settings.js'

/** What the server said no to, in its own words. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault'

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }

  /** Whether the command was wrong (its arguments, its key, where it looks for the server), rather than the answer no. */
  get isUsage(): boolean {
    return USAGE_CODES.has(this.code)
  }
}

const USAGE_CODES: ReadonlySet<string> = new Set([
  'usage',
  'unreachable',
  'not_sluice',
  'invalid_request_error',
  'UNAUTHENTICATED',
  'insufficient_scope',
  'BAD_USER_INPUT',
  'GRAPHQL_VALIDATION_FAILED',
])

export interface GraphClient {
  /** For what is always there. */
  request<TData, TVariables extends object>(
    document: TypedDocumentString<TData, TVariables>,
    variables: TVariables,
  ): Promise<WholeAnswer<TData>>
  /** For what may not exist, which is null. */
  find<TData, TVariables extends object>(document: TypedDocumentString<TData, TVariables>, variables: TVariables): Promise<TData>
  /** Events of a subscription until it ends. A broken connection is opened again, unless that would ask for the work twice. */
  subscribe<TData, TVariables extends object>(
    document: TypedDocumentString<TData, TVariables>,
    variables: TVariables,
    options?: { readonly isRepeatable?: boolean },
  ): AsyncIterable<TData>
}

/** A page of a list, as documents of this program ask for it. */
interface ListPage<T> {
  readonly nodes: readonly T[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** The whole of a list, page by page. */
export async function allOf<T>(page: (after: string | null) => Promise<ListPage<T>>): Promise<T[]> {
  const rows: T[] = []
  for (let after: string | null = null; ;) {
    const { nodes, pageInfo } = await page(after)
    rows.push(...nodes)
    if (!pageInfo.hasNextPage) return rows
    after = pageInfo.endCursor
  }
}

/** The account that is asked about: the one that is named, or that of the key. */
export const accountOf = async (client: GraphClient, { account }: { readonly account?: string }): Promise<string> =>
  account ?? (await client.request(CliViewerDocument, {})).viewer.id

/** Root fields are null when their service failed, which is thrown as a fault: without one nothing is missing. */
type WholeAnswer<TData> = { [Field in keyof TData]: NonNullable<TData[Field]> }

interface GraphError {
  readonly message: string
  readonly extensions?: { readonly code?: string; readonly param?: string | null }
}

/** @throws ServerFault when there is no key in SLUICE_API_KEY, no server at SLUICE_URL, or the server refuses. */
export function createGraphClient({ url, apiKey } = clientSettings(process.env)): GraphClient {
  if (!apiKey) throw new ServerFault('Set SLUICE_API_KEY to a key of this server (and SLUICE_URL when it is not local).', 'usage')
  const endpoint = `${url}/graphql`
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    async request(document, variables) {
      return (await this.find(document, variables)) as never
    },
    async find(document, variables) {
      const body = JSON.stringify({ query: document.toString(), variables })
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      }).catch(() => {
        throw unreachable(url)
      })
      const answer = (await response.json().catch(() => {
        throw notSluice(url, response.status)
      })) as { data?: unknown; errors?: GraphError[] }
      const error = answer.errors?.[0]
      if (error) throw faultOf(error)
      if (answer.data === undefined) throw notSluice(url, response.status)
      return answer.data as never
    },
    subscribe(document, variables, { isRepeatable = true } = {}) {
      const client = createClient({ url: endpoint, headers, retryAttempts: isRepeatable ? 5 : 0 })
      return eachData(client, { query: document.toString(), variables: variables as Record<string, unknown> }, url) as never
    },
  }
}

const unreachable = (url: string) =>
  new ServerFault(`No server answers at ${url}. Start one with "npm start", or set SLUICE_URL.`, 'unreachable')

const notSluice = (url: string, status: number) =>
  new ServerFault(
    `What answers at ${url} (status ${status}) is not the GraphQL API of a Sluice server. Set SLUICE_URL.`,
    'not_sluice',
  )

async function* eachData(client: Client, payload: { query: string; variables: Record<string, unknown> }, url: string) {
  let isOpen = false
  try {
    for await (const { data, errors } of client.iterate(payload)) {
      isOpen = true
      if (errors?.[0]) throw faultOf(errors[0] as GraphError)
      yield data
    }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { response } = error as NetworkError<Response>
    if (isOpen) throw new ServerFault(`The connection to ${url} broke.`, 'broken')
    throw response ? notSluice(url, response.status) : unreachable(url)
  } finally {
    client.dispose()
  }
}

function faultOf({ message, extensions }: GraphError): ServerFault {
  const param = extensions?.param
  return new ServerFault(param ? `${message} (${param})` : message, extensions?.code ?? 'server_error')
}
