/**
 * Sends prompts of 9 MB at once, from a process of its own; prints the statuses of the answers as JSON.
 * `node test/bench/large-sender.ts rest|graphql|mcp <url> <key> <how many>`
 */
import { constants, setPriority } from 'node:os'

// It stands for other machines: where cores are few it gives way to the server.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const [path = '', url = '', key = '', count = ''] = process.argv.slice(2)
const prompt = 'Some words of a long prompt. '.repeat(Math.ceil(9_000_000 / 29))

const post = (to: string, payer: string, body: string, headers: Record<string, string> = {}) =>
  fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${payer}`, ...headers },
    body,
  })

const CHAT = `mutation ($input: ChatCompletionInput!) { createChatCompletion(input: $input) { __typename } }`
const SCAN = (code: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'scan_code', arguments: { code, language: 'python' } },
  })

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})

const large: Record<string, () => Promise<Response>> = {
  rest: () =>
    post(`${url}/v1/chat/completions`, key, JSON.stringify({ model: 'large', messages: [{ role: 'user', content: prompt }] })),
  graphql: () =>
    post(
      `${url}/graphql`,
      key,
      JSON.stringify({ query: CHAT, variables: { input: { model: 'large', messages: [{ role: 'USER', content: prompt }] } } }),
    ),
  mcp: async () => {
    const headers = { accept: 'application/json, text/event-stream' }
    const begun = await post(`${url}/mcp`, key, INITIALIZE, headers)
    await begun.text()
    return post(`${url}/mcp`, key, SCAN(prompt), { ...headers, 'mcp-session-id': begun.headers.get('mcp-session-id')! })
  },
}

const send = large[path]
if (!send) throw new Error(`no such path: ${path}`)
const statuses = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const answer = await send()
    await answer.text()
    return answer.status
  }),
)
process.stdout.write(JSON.stringify(statuses))
