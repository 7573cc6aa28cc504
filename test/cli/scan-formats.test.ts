/** What the formats for CI say of a violation that dataflow found. */
import { expect, it } from 'vitest'
import { formatScan } from '../../src/cli/scan/scan-formats.js'

type ViolationBody = Parameters<typeof formatScan>[1]['results'][number]['violations'][number]
type FlowStepBody = NonNullable<ViolationBody['flow']>[number]

const step = (kind: FlowStepBody['kind'], line: number, message: string): FlowStepBody => ({
  kind,
  message,
  line,
  column: 5,
  end_line: line,
  end_column: 9,
})
const violation: ViolationBody = {
  severity: 'high',
  standard: 'OWASP Top 10',
  rule: 'SQL injection',
  message: 'A query is built from text.',
  line: 9,
  column: 3,
  suggestion: 'Use parameters.',
  rule_id: 'sql-injection',
  standards: [],
  cwe: ['CWE-89'],
  confidence: 'high',
  end_line: 9,
  end_column: 20,
  fingerprint: 'f',
  flow: [step('source', 4, 'read from the request'), step('sink', 9, 'runs as a query')],
}
const summary = { total_violations: 1, critical: 0, high: 1, medium: 0, low: 0 }
const format = (name: 'junit' | 'gitlab', more: Partial<ViolationBody> = {}) =>
  formatScan(
    name,
    {
      status: 'completed',
      results: [{ filename: 'a.py', violations: [{ ...violation, ...more }], summary }],
      overall_summary: summary,
    },
    { version: '1', hasColors: false },
  )

it('JUnit and GitLab say the way of the data, where it has more than one line', () => {
  expect(format('junit')).toContain('4:5: read from the request&#10;      9:5: runs as a query')
  const [issue] = JSON.parse(format('gitlab')) as { description: string }[]
  expect(issue!.description).toBe(
    'SQL injection. A query is built from text. Use parameters. The way of the data: 4:5: read from the request; 9:5: runs as a query.',
  )
  for (const name of ['junit', 'gitlab'] as const) expect(format(name, { flow: [step('sink', 9, 'here')] })).not.toContain('here')
})

it('JUnit and GitLab say what a reader must know of a file', () => {
  const none = { total_violations: 0, critical: 0, high: 0, medium: 0, low: 0 }
  const partial = {
    filename: 'big.js',
    violations: [],
    summary: none,
    warnings: ['Stopped after 10 s & left out <b>.'],
    is_truncated: true as const,
  }
  const broken = { filename: 'broken.py', violations: [], summary: none, error: 'Too large.' }
  const body = { status: 'completed' as const, results: [partial, broken], overall_summary: none }
  const said = (name: 'junit' | 'gitlab') => formatScan(name, body, { version: '1', hasColors: false })
  expect(said('junit').split('\n').slice(2)).toEqual([
    '  <testsuite name="big.js" tests="1" failures="0" errors="0" skipped="1">',
    '    <testcase classname="big.js" name="analysis"><skipped message="Stopped after 10 s &amp; left out &lt;b&gt;."/></testcase>',
    '    <system-err>Stopped after 10 s &amp; left out &lt;b&gt;.</system-err>',
    '  </testsuite>',
    '  <testsuite name="broken.py" tests="1" failures="0" errors="1">',
    '    <testcase classname="broken.py" name="analysis"><error message="Too large."/></testcase>',
    '  </testsuite>',
    '</testsuites>',
  ])
  const issues = JSON.parse(said('gitlab')) as { fingerprint: string }[]
  expect(issues).toMatchObject([
    {
      description: 'Stopped after 10 s & left out <b>.',
      check_name: 'scan',
      severity: 'info',
      location: { path: 'big.js', lines: { begin: 1 } },
    },
    { description: 'Too large.', check_name: 'scan', severity: 'info', location: { path: 'broken.py' } },
  ])
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(2)
})
