/** The prompt `fix_violations`: scans a file and asks the assistant to fix what was found, and nothing else. */
import { ErrorCode, McpError, type GetPromptResult, type Prompt } from '@modelcontextprotocol/sdk/types.js'
import type { ViolationBody } from '../edge/scan/scan-output.js'
import type { ScanBackend, ToolCall } from '../edge/scan/scan-backend.js'

export const fixPrompt: Prompt = {
  name: 'fix_violations',
  title: 'Fix compliance violations',
  description: 'Scans a file and asks for a version without violations that does the same.',
  arguments: [
    { name: 'code', description: 'The text of the file.', required: true },
    { name: 'language', description: 'The language of the code.', required: true },
    { name: 'filename', description: 'The name of the file.', required: false },
  ],
}

export interface FixSource {
  readonly backend: ScanBackend
  readonly filenameFor: (language: string) => string
}

export async function fixViolations(
  { backend, filenameFor }: FixSource,
  call: ToolCall,
  args: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const { code, language, filename } = args
  if (code === undefined || language === undefined) throw new McpError(ErrorCode.InvalidParams, 'code and language are required.')
  const { violations, error } = await backend.scanCode({ code, language, filename: filename ?? null, standards: [] }, call)
  if (error !== undefined) throw new McpError(ErrorCode.InternalError, error)
  const text =
    violations.length === 0
      ? NOTHING_TO_FIX
      : request({ code, language, filename: filename ?? filenameFor(language) }, violations)
  return { description: fixPrompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

const NOTHING_TO_FIX = 'A compliance scan of this file found no violations. Say so, and change nothing.'

interface CodeFile {
  readonly code: string
  readonly language: string
  readonly filename: string
}

function request({ code, language, filename }: CodeFile, violations: readonly ViolationBody[]): string {
  const list = violations.map(
    ({ line, column, severity, rule, message, suggestion }) =>
      `- ${filename}, line ${line}, column ${column}, ${severity}: ${rule}. ${message} ${suggestion}`,
  )
  const fence = '`'.repeat(Math.max(3, longestBackticks(code) + 1))
  return [
    'A compliance scan found these violations:',
    '',
    ...list,
    '',
    'Fix each of them at its cause. Keep what the code does, its style and its interfaces, and change nothing else. Do not silence a rule with a comment. Then scan the result again with scan_code.',
    '',
    `${fence}${language}`,
    code,
    fence,
  ].join('\n')
}

/** The code may itself hold fences; ours must be longer. */
const longestBackticks = (code: string): number =>
  Math.max(0, ...(code.match(/`+/g) ?? []).slice(0, 10_000).map(({ length }) => length))
