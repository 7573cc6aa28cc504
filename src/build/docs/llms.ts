/** https://llmstxt.org: what a language model reads first, and everything at once. */
import { GROUPS } from './chapters.js'
import { markdownAddressOf, type Page } from './layout.js'

const line = (page: Page) => `- [${page.title}](${markdownAddressOf(page)}): ${page.summary}`

const isDecision = ({ name }: Page) => name.startsWith('decisions/')

export function llmsTxt(pages: readonly Page[]): string {
  const sections = GROUPS.map((group) => {
    const own = pages.filter((page) => page.group === group && !isDecision(page))
    return [`## ${group}`, own.map(line).join('\n')].join('\n\n')
  })
  return `${[
    '# Sluice',
    '> A self-hosted inference gateway: one OpenAI-compatible REST API (`/v1`), one federated GraphQL API (`/graphql`) over the same resolvers, a compliance scanner for code (`/api`, MCP at `/mcp`), and a credit ledger that bills every request to the token.',
    'Every page below is Markdown. All of them in one file are at [/llms-full.txt](/llms-full.txt), the REST API as OpenAPI 3.1 at [/openapi.json](/openapi.json). Requests carry `Authorization: Bearer <API_KEY>`.',
    ...sections,
    ['## Optional', pages.filter(isDecision).map(line).join('\n')].join('\n\n'),
  ].join('\n\n')}\n`
}

export const llmsFullTxt = (pages: readonly Page[]): string =>
  pages.map((page) => `<!-- ${markdownAddressOf(page)} -->\n\n${page.markdown.trim()}\n`).join('\n')
