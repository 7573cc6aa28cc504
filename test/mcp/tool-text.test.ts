/** What a client that shows only text is told of a scan. */
import { describe, expect, it } from 'vitest'
import { batchText, scanText } from '../../src/mcp/tool-text.js'

const summary = { total_violations: 0, critical: 0, high: 0, medium: 0, low: 0 }
const warnings = ['Line 3: there is no rule "nope" to suppress.']

describe('the text of a scan', () => {
  it('says what is wrong with suppressions and that the list was cut, before the violations', () => {
    const text = scanText({ status: 'completed', violations: [], summary, warnings, is_truncated: true }, 'a.py')
    expect(text.split('\n')).toEqual([
      'No violations.',
      'a.py: warning: there are more violations than are listed.',
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
