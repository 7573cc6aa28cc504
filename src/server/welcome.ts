/** What `sluice serve` prints: where it listens, and on the first start the key with a request that is ready to paste. */
import { missingFrom, type ServerMode } from './modes.js'

export interface Welcome {
  readonly url: string
  readonly mode: ServerMode
  readonly firstKey: string | null
  /** Signs in to the console once; null when none is to be shown. */
  readonly code: string | null
  /** Whether the embedded sandbox answers chat requests. */
  readonly isSandboxed: boolean
}

export function welcomeText({ url, mode, firstKey, code, isSandboxed }: Welcome): string {
  if (mode.kind === 'subgraph') return `Sluice serves the subgraph "${mode.name}" at ${url}/graphql`
  const lines = [
    `Sluice is ready at ${url}`,
    '',
    `  Console                  ${url}/${code === null ? '' : `?code=${code}`}`,
    `  OpenAI-compatible REST   ${url}/v1`,
    `  GraphQL and GraphiQL     ${url}/graphql`,
    `  OpenAPI description      ${url}/openapi.json`,
  ]
  const inside = mode.kind === 'gateway' ? missingFrom(mode.urls) : []
  if (inside.length > 0) lines.push('', `These subgraphs run inside this gateway: ${inside.join(', ')}.`)
  if (isSandboxed) {
    lines.push(
      '',
      'No provider is configured: the built-in sandbox answers. Set a key such as OPENAI_API_KEY or write a sluice.config.yaml.',
    )
  }
  if (firstKey === null && mode.kind === 'serve') {
    lines.push(
      '',
      'No key at hand? Start once with SLUICE_ADMIN_KEY set to 32 or more characters of your own: that key opens the',
      "administrator's account, and `sluice keys create` makes others.",
    )
  }
  if (firstKey !== null)
    lines.push('', 'Your first key (shown once):', '', `  ${firstKey}`, '', 'Try it:', '', curl(url, firstKey))
  return lines.join('\n')
}

const curl = (url: string, key: string) =>
  [
    `  curl ${url}/v1/chat/completions \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '{"model": "light", "messages": [{"role": "user", "content": "Hello, who are you?"}]}'`,
    '',
  ].join('\n')
