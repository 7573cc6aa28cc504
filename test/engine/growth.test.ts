/**
 * Work that is proportional to the file, counted and not timed: how often lowering and analysis ask whether their limit is over.
 *
 * The same texts at larger sizes, in processor time: `npm run scan:growth`.
 */
import { expect, it } from 'vitest'
import { lowerFile } from '../../subgraphs/compliance/engine/analyzer/scan-file.js'
import { growthTexts } from '../../subgraphs/compliance/engine/dev/growth-texts.js'
import { analyze } from '../../subgraphs/compliance/engine/flow/analyze.js'
import { type Language, languages } from '../../subgraphs/compliance/engine/languages.js'
import { compileRulebook } from '../../subgraphs/compliance/engine/rulebook/compile.js'
import { lowerTree } from '../../subgraphs/compliance/engine/syntax/lowering/lower.js'
import { parseText } from '../../subgraphs/compliance/engine/syntax/parse.js'
import { languageTables } from '../../subgraphs/compliance/engine/syntax/tables/index.js'
import { noLimit, type TimeLimit, TimeLimitError } from '../../subgraphs/compliance/engine/syntax/time-limit.js'
import { byEffort } from '../kit/effort.js'

const SMALL = 400
const LARGE = 4 * SMALL
/** More than any text of this size needs that is not exponential. */
const MAX_ASKED = 200_000

interface Counter extends TimeLimit {
  asked: number
}

const counter = (): Counter => ({
  asked: 0,
  isOver() {
    return ++this.asked > MAX_ASKED
  },
})

/** How often lowering and the analysis looked at their limits. What parsers do is theirs: their limit ends them. */
async function workOf(language: Language, text: string): Promise<{ lowering: number; analysis: number }> {
  const [lowering, analysis] = [counter(), counter()]
  const table = language === 'sql' ? null : languageTables[language]
  const root =
    language === 'sql' || table === null
      ? (await lowerFile(text, language, 'main', () => noLimit)).root
      : lowerTree((await parseText(text, language, () => noLimit)).tree, text, table, lowering)
  analyze(compileRulebook(language, [], []), table, text, root, { maxSteps: 1_000_000, limit: analysis })
  return { lowering: lowering.asked, analysis: analysis.asked }
}

const measured = byEffort<readonly Language[]>({ brief: ['javascript', 'python', 'csharp'], short: languages, long: languages })

it.each(measured)('%s: nestings and long files cost in proportion to their size', async (language) => {
  const growing: string[] = []
  // What is repeated side by side is the long form's: it costs the parsers most.
  for (const { name, textOf } of growthTexts(language).filter((one) => !one.name.startsWith('repeated'))) {
    const [small, large] = [await workOf(language, textOf(SMALL)), await workOf(language, textOf(LARGE))]
    const isLowered = large.lowering <= 8 * small.lowering + 50
    const isAnalyzed = large.analysis <= 8 * small.analysis + 50
    if (!isLowered || !isAnalyzed) growing.push(`${name}: ${JSON.stringify(small)} -> ${JSON.stringify(large)}`)
  }
  expect(growing).toEqual([])
})

it('calls in calls of C# are lowered once each', async () => {
  const nested = (count: number): string => `${'f('.repeat(count)}${')'.repeat(count)}`
  const [one, two] = [await workOf('csharp', nested(16)), await workOf('csharp', nested(32))]
  expect(two.lowering).toBeLessThan(4 * one.lowering + 8)
})

it('a limit that is over ends every stage', async () => {
  const over: TimeLimit = { isOver: () => true }
  const text = 'f(a, b)\n'.repeat(400)
  await expect(lowerFile(text, 'javascript', 'main', () => over)).rejects.toThrow(TimeLimitError)
  const { root } = await lowerFile(text, 'javascript', 'main', () => noLimit)
  const { isTruncated } = analyze(compileRulebook('javascript', [], []), languageTables.javascript, text, root, {
    maxSteps: 300_000,
    limit: over,
  })
  expect(isTruncated).toBe(true)
})
