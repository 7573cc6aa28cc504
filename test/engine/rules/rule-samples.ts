/** A rule of a test on two pieces of code: on the bad one it fires, on the good one it does not. */
import { parse } from 'yaml'
import { scanFile } from '../../../subgraphs/compliance/engine/analyzer/scan-file.js'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'
import { compileRulebook } from '../../../subgraphs/compliance/engine/rulebook/compile.js'
import { packSchema } from '../../../subgraphs/compliance/engine/rulebook/model-schema.js'
import { ruleSchema } from '../../../subgraphs/compliance/engine/rulebook/schema.js'
import { wordPacks } from '../flow/kit.js'

/** Whether a rule with this body (and this pack) fires on the code. */
async function fires(language: Language, body: string, code: string, pack = ''): Promise<boolean> {
  const rule = ruleSchema.parse({
    id: 'test-rule',
    title: 'A rule of a test',
    cwe: [20],
    category: 'test',
    severity: 'high',
    languages: [language],
    message: 'A message of enough length.',
    suggestion: 'Do something else.',
    examples: { bad: ['x'], good: ['x'] },
    ...(parse(body) as object),
  })
  const own = packSchema.parse({ pack: 'test', languages: [language], ...(pack === '' ? {} : (parse(pack) as object)) })
  const result = await scanFile(compileRulebook(language, [rule], [own, ...wordPacks]), code, language, 'main', {
    maxSteps: 300_000,
    timeoutMs: 60_000,
  })
  return result.findings.length > 0
}

export type Row = readonly [name: string, language: Language, body: string, bad: string, good: string, pack?: string]

export const samples = (rows: readonly Row[]) =>
  rows.map(([name, language, body, bad, good, pack]) => ({ name, language, body, bad, good, pack }))
type Sample = ReturnType<typeof samples>[number]

export async function outcome({ language, body, bad, good, pack }: Sample): Promise<{ bad: boolean; good: boolean }> {
  return { bad: await fires(language, body, bad, pack), good: await fires(language, body, good, pack) }
}
