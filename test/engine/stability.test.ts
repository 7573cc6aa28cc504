/**
 * Findings do not hang on how a program is written: renamed variables, braces, casts, comments, temporary variables, helpers.
 *
 * `npm run scan:stability` prints the share for each language and, with `--verbose`, every example that an edit changes.
 */
import { expect, it } from 'vitest'
import { measureStability } from '../../subgraphs/compliance/engine/dev/stability.js'
import { type Language, languages } from '../../subgraphs/compliance/engine/languages.js'
import { byEffort } from '../kit/effort.js'

/** Languages whose rules still lean on names. */
const floors: Partial<Record<Language, number>> = { scala: 0.88, swift: 0.94 }

const measured = byEffort<readonly Language[]>({ brief: ['python'], short: languages, long: languages })

it.each(measured)(
  '%s: at least 95 of 100 findings outlive edits that keep the meaning',
  { timeout: 300_000 },
  async (language) => {
    const { pairs, unstable } = await measureStability(language)
    expect(1 - unstable.length / pairs).toBeGreaterThanOrEqual(floors[language] ?? 0.95)
  },
)
