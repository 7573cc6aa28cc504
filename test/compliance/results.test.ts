/** What a file that could not be analyzed means for its scan, in every form that results take. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatScan } from '../../src/cli/scan/scan-formats.js'
import { batchScanBody, fileBody, scanCodeBody, type FileFields } from '../../src/edge/scan/scan-body.js'
import { sarifLog } from '../../src/edge/scan/scan-sarif.js'
import { endStatus } from '../../subgraphs/compliance/scans/scan.js'

const zeros = { totalViolations: 0, critical: 0, high: 0, medium: 0, low: 0 }
const good: FileFields = { filename: 'a.go', violations: [], summary: zeros, error: null, warnings: [], isTruncated: false }
const failed: FileFields = { ...good, filename: 'b.go', error: 'The analysis of this file failed.', isTruncated: true }

it('a scan of one file that failed has status error, no violations and the reason', () => {
  const summary = { total_violations: 0, critical: 0, high: 0, medium: 0, low: 0 }
  expect(scanCodeBody(failed)).toEqual({ status: 'error', violations: [], summary, error: failed.error, is_truncated: true })
})

it.each([
  [[], 'completed'],
  [[good], 'completed'],
  [[good, failed], 'completed'],
  [[failed, failed], 'error'],
])('one file never fails a batch: %j', (files, status) => {
  expect(batchScanBody(files, zeros).status).toBe(status)
  expect(endStatus(files)).toBe(status)
})

it('SARIF, JUnit and text name the file that failed', () => {
  const files = [fileBody(good), fileBody(failed)]
  const [run] = (sarifLog(files, '1.0.0') as { runs: { invocations: object[] }[] }).runs
  expect(run?.invocations).toMatchObject([
    { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error', message: { text: failed.error } }] },
  ])
  const body = batchScanBody([good, failed], zeros)
  const options = { version: '1.0.0', hasColors: false }
  expect(formatScan('junit', body, options)).toContain('<error message="The analysis of this file failed."/>')
  expect(formatScan('text', body, options)).toContain('b.go: The analysis of this file failed.')
})

it('no file name breaks SARIF’s addresses or JUnit’s XML', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (filename) => {
      const named = { ...failed, filename }
      const text = JSON.stringify(sarifLog([fileBody(named)], '1.0.0'))
      const [, uri = ''] = /"uri":("(?:[^"\\]|\\.)*")/.exec(text) ?? []
      expect(JSON.parse(uri)).toMatch(/^[\w.!~*'()%/-]*$/)
      const xml = formatScan('junit', batchScanBody([named], zeros), { version: '1.0.0', hasColors: false })
      expect(xml.match(/<testsuite /g)).toHaveLength(1)
      expect(xml.isWellFormed()).toBe(true)
    }),
  )
})
