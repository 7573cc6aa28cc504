/** What a client that shows only text is told of a scan. */
import { describe, expect, it } from 'vitest'
import { batchText, scanText } from '../../src/mcp/tool-text.js'

const summary = { total_violations: 0, critical: 0, high: 0, medium: 0, low: 0 }
const warnings = ['Line 3: there is no rule "nope" to suppress.']
const cut = 'The analysis of this file reached its limit: violations may be missing.'

describe('the text of a scan', () => {
  it('says what is wrong with suppressions and how far the analysis came, before the violations, and no more than that', () => {
    const text = scanText(
      { status: 'completed', violations: [], summary, warnings: [cut, ...warnings], is_truncated: true },
      'a.py',
    )
    expect(text.split('\n')).toEqual([
      'No violations.',
      `a.py: warning: ${cut}`,
      'a.py: warning: Line 3: there is no rule "nope" to suppress.',
    ])
  })

  it('of several files names the file of each warning', () => {
    const file = { violations: [], summary }
    const text = batchText(
      [
        { ...file, filename: 'a.py' },
        { ...file, filename: 'b.py', warnings },
      ],
      summary,
    )
    expect(text.split('\n')).toEqual(['2 files: No violations.', 'b.py: warning: Line 3: there is no rule "nope" to suppress.'])
  })
})
