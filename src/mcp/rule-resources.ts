/** Rules as resources that an assistant can read: `sluice://rules/{id}`, as text. */
import { ErrorCode, McpError, type Resource, type TextResourceContents } from '@modelcontextprotocol/sdk/types.js'
import type { RuleBody } from '../edge/scan/scan-output.js'
import type { ScanBackend, ToolCall } from '../edge/scan/scan-backend.js'

const PREFIX = 'sluice://rules/'
const PAGE = 100
const MIME_TYPE = 'text/markdown'

export const ruleTemplate = {
  name: 'rule',
  title: 'Rule',
  uriTemplate: `${PREFIX}{id}`,
  description: 'What a rule looks for, why, and how to fix what it finds.',
  mimeType: MIME_TYPE,
}

/** A page of rules; the cursor is the id of the last rule of the page before. */
export async function listRuleResources(
  backend: ScanBackend,
  call: ToolCall,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const { rules } = await backend.rules(null, call)
  const begin = cursor === undefined ? 0 : rules.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && begin === 0) throw new McpError(ErrorCode.InvalidParams, 'The cursor is unknown.')
  const page = rules.slice(begin, begin + PAGE)
  const last = page.at(-1)
  const hasMore = begin + PAGE < rules.length
  return { resources: page.map(resource), ...(hasMore && last && { nextCursor: last.id }) }
}

/** @throws McpError -32002 for a rule that does not exist. */
export async function readRuleResource(backend: ScanBackend, call: ToolCall, uri: string): Promise<TextResourceContents> {
  const { rules } = await backend.rules(null, call)
  const rule = uri.startsWith(PREFIX) ? rules.find(({ id }) => id === uri.slice(PREFIX.length)) : undefined
  if (!rule) throw new McpError(RESOURCE_NOT_FOUND, 'There is no such resource.', { uri })
  return { uri, mimeType: MIME_TYPE, text: ruleText(rule) }
}

const RESOURCE_NOT_FOUND = -32_002

const resource = (rule: RuleBody): Resource => ({
  uri: `${PREFIX}${rule.id}`,
  name: rule.id,
  title: rule.title,
  description: rule.description,
  mimeType: MIME_TYPE,
})

const ruleText = (rule: RuleBody): string =>
  [
    `# ${rule.title}`,
    '',
    rule.description,
    '',
    `Fix: ${rule.suggestion}`,
    '',
    `- Rule: ${rule.id}`,
    `- Severity: ${rule.severity}`,
    `- Category: ${rule.category}`,
    `- Weakness: ${rule.cwe.join(', ')}`,
    `- Languages: ${rule.languages.join(', ')}`,
    '',
  ].join('\n')
