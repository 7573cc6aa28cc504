/** What chat completions need of the scanner. */
import { invalidRequest, toAppError } from '#platform/errors.js'
import type { ComplianceSubgraph } from '../../../subgraphs/compliance/index.js'
import type { AnswerCode } from '../../../subgraphs/inference/index.js'
import { violationBody } from '../../edge/scan/scan-body.js'

/** Violations go with an answer in the form of the scan API. */
export const answerCode = (checks: () => ComplianceSubgraph['checks']): AnswerCode => ({
  checkStandards(names) {
    try {
      checks().standardsNamed(names)
    } catch (thrown) {
      throw invalidRequest(toAppError(thrown).message, 'scan')
    }
  },
  async scan(block, { standards, minSeverity, isDemanded }, { accountId, signal }) {
    const asked = { accountId, blocks: [block], standards, minSeverity, isUnmetered: isDemanded, signal }
    const { status, message, findings, scannedBlocks } = await checks().check(asked)
    const violations = findings.map(({ violation }) => ({ ...violationBody(violation) }))
    return { status, message, isRead: scannedBlocks > 0, language: findings[0]?.language ?? '', violations }
  },
})
