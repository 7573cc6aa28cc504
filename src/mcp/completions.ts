/** Completion while somebody types: languages for the prompt, rule ids for the resource template. */
import { ErrorCode, McpError, type CompleteRequest, type CompleteResult } from '@modelcontextprotocol/sdk/types.js'
import { fixPrompt } from './fix-prompt.js'
import { ruleTemplate } from './rule-resources.js'
import type { ScanBackend, ToolCall } from '../edge/scan/scan-backend.js'

/** The protocol's limit for one answer. */
const MAX_VALUES = 100

/** @throws McpError -32602 for a prompt or a template that does not exist. */
export async function complete(
  { ref, argument }: CompleteRequest['params'],
  languages: readonly string[],
  backend: ScanBackend,
  call: ToolCall,
): Promise<CompleteResult> {
  const known = ref.type === 'ref/prompt' ? fixPrompt.name === ref.name : ruleTemplate.uriTemplate === ref.uri
  if (!known) throw new McpError(ErrorCode.InvalidParams, 'There is no such prompt or resource template.')
  if (ref.type === 'ref/prompt') return completion(argument.name === 'language' ? languages : [], argument.value)
  const ids = argument.name === 'id' ? (await backend.rules(null, call)).rules.map(({ id }) => id) : []
  return completion(ids, argument.value)
}

function completion(candidates: readonly string[], typed: string): CompleteResult {
  const fitting = candidates.filter((name) => name.startsWith(typed.toLowerCase()))
  return { completion: { values: fitting.slice(0, MAX_VALUES), total: fitting.length, hasMore: fitting.length > MAX_VALUES } }
}
