/** The requests that fit the filters as a table for spreadsheets, read page by page from the API. */
import type { Client } from 'urql'
import { readPage, type Asked, type UsageRow } from './records.js'

/** The most of one answer of the API. */
const PAGE_ROWS = 500

const COLUMNS = {
  request_id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  model: ({ modelId }) => modelId,
  provider: ({ providerId }) => providerId,
  deployment: ({ deploymentId }) => deploymentId,
  key_id: ({ keyId }) => keyId,
  outcome: ({ outcome }) => outcome.toLowerCase(),
  api: ({ api }) => api?.toLowerCase() ?? null,
  input_tokens: ({ inputTokens }) => inputTokens,
  cached_input_tokens: ({ cachedInputTokens }) => cachedInputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  cost_usd: ({ cost }) => cost,
  first_token_ms: ({ firstTokenMs }) => firstTokenMs,
  duration_ms: ({ durationMs }) => durationMs,
  code_findings: ({ codeFindings }) => codeFindings,
} as const satisfies Record<string, (row: UsageRow) => string | number | null>

/** Spreadsheets run what begins with one of these. */
const FORMULA = /^[=+\-@\t\r]/

export function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const csvOf = (rows: readonly UsageRow[]): string =>
  [Object.keys(COLUMNS), ...rows.map((row) => Object.values(COLUMNS).map((read) => cell(read(row))))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

/** @param onRows called with how many are there so far */
export async function readAll(client: Client, asked: Asked, onRows: (rows: number) => void): Promise<UsageRow[]> {
  const rows: UsageRow[] = []
  let after: string | null = null
  for (let hasMore = true; hasMore;) {
    const page = await readPage(client, asked, after, PAGE_ROWS)
    rows.push(...page.rows)
    onRows(rows.length)
    after = page.cursor
    hasMore = page.hasMore
  }
  return rows
}
