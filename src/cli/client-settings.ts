/** Where commands that talk to a running server find it. */

export interface ClientSettings {
  /** Without a path. */
  readonly url: string
  readonly apiKey: string | null
}

/**
 * `SLUICE_URL` (with or without `/v1`) and `SLUICE_API_KEY`; on the server's own machine its `SLUICE_PORT` and
 * `SLUICE_ADMIN_KEY` do as well.
 */
export function clientSettings(env: Readonly<Record<string, string | undefined>>): ClientSettings {
  const url = env['SLUICE_URL'] || `http://127.0.0.1:${env['SLUICE_PORT'] || '8787'}`
  return {
    url: url.replace(/\/+$/, '').replace(/\/v1$/, ''),
    apiKey: env['SLUICE_API_KEY'] || env['SLUICE_ADMIN_KEY'] || null,
  }
}
