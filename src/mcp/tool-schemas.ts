/** Parameters and results of the five tools. The names are the contract's; clients check results against these. */
import { z } from 'zod'

const text = (description: string) => z.string().meta({ description })
const count = (description: string) => z.int().meta({ description })

/**
 * Languages as clients see them: an enumeration. Short forms such as "ts" are accepted as well, and what is none of them is
 * refused by the scanner in the contract's words, so here it is any text.
 */
const language = (languages: readonly string[]) =>
  z.string().meta({ description: 'The language of the code.', enum: [...languages] })

const standards = z
  .array(z.string())
  .nullish()
  .transform((names) => names ?? [])
  .meta({ description: 'Standards to check; all enabled ones when left out. get_config lists them.' })

const filename = z
  .string()
  .nullish()
  .transform((name) => name ?? null)
  .meta({ description: 'The name of the file; main.{ext} when left out.' })

export const inputSchemas = (languages: readonly string[]) => {
  const file = { code: text('The text of the file.'), language: language(languages), filename }
  return {
    scanCode: z.object({ ...file, standards }),
    batchScan: z.object({ files: z.array(z.object(file)).meta({ description: 'The files, 500 at most.' }), standards }),
    getConfig: z.object({}),
    getRules: z.object({ standard: z.string().nullish().meta({ description: 'Only rules of this standard.' }) }),
    healthCheck: z.object({}),
  }
}

const severity = z.enum(['critical', 'high', 'medium', 'low'])
const texts = z.array(z.string())

const flowStep = z.object({
  kind: z.enum(['source', 'assignment', 'call', 'sink']),
  message: text('What happens there.'),
  line: count('1-based.'),
  column: count('1-based.'),
  end_line: count('1-based.'),
  end_column: count('The column behind the end.'),
})

const violation = z.object({
  severity,
  standard: text('The standard that is broken.'),
  rule: text('The identifier and the title of the rule.'),
  message: text('What is wrong.'),
  line: count('1-based.'),
  column: count('1-based.'),
  suggestion: text('How to fix it.'),
  code_snippet: text('The code at that line.').optional(),
  rule_id: text('The identifier of the rule, which suppression comments name.'),
  standards: texts.meta({ description: 'All clauses that are broken.' }),
  cwe: texts.meta({ description: 'Such as "CWE-89".' }),
  confidence: z.enum(['high', 'medium', 'low']),
  end_line: count('1-based.'),
  end_column: count('The column behind the end.'),
  fingerprint: text('Stays the same when the code moves.'),
  fix: text('Code that would be right.').optional(),
  flow: z.array(flowStep).meta({ description: 'The way of the data from its source to this place.' }).optional(),
})

const summary = z.object({
  total_violations: count('All of them.'),
  critical: count('With this severity.'),
  high: count('With this severity.'),
  medium: count('With this severity.'),
  low: count('With this severity.'),
})

const status = z.enum(['completed', 'error'])

const findings = {
  violations: z.array(violation),
  summary,
  error: text('Why the file could not be analyzed.').optional(),
  warnings: texts.meta({ description: 'What is wrong with suppression comments.' }).optional(),
  is_truncated: z.boolean().meta({ description: 'The analysis stopped early: violations may be missing.' }).optional(),
}

export const outputSchemas = {
  scanCode: z.object({ status, ...findings }),
  batchScan: z.object({
    status,
    results: z.array(z.object({ filename: z.string(), ...findings })),
    overall_summary: summary,
  }),
  getConfig: z.object({
    standards: texts.meta({ description: 'The enabled standards.' }),
    server_url: z.string(),
    version: z.string(),
  }),
  getRules: z.object({
    rules: z.array(
      z.object({
        id: z.string(),
        standard: z.string(),
        category: z.string(),
        severity,
        description: z.string(),
        title: z.string(),
        cwe: texts,
        languages: texts,
        suggestion: z.string(),
      }),
    ),
    total_rules: z.int(),
  }),
  healthCheck: z.object({
    status: z.enum(['healthy', 'degraded', 'down']),
    server_url: z.string(),
    latency_ms: z.number(),
    version: z.string(),
  }),
}
