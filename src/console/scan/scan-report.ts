/** A scan as a file to keep: the reports that the REST API and the command line give, made by the same functions. */
import { fileBody } from '../../edge/scan/scan-body.js'
import { sarifLog, SARIF_TYPE } from '../../edge/scan/scan-sarif.js'
import type { ScanResultQuery } from '../../generated/console-scan.js'

type Files = NonNullable<ScanResultQuery['scan']>['files']

const FORMS = { sarif: SARIF_TYPE, json: 'application/json' } as const
export type ReportForm = keyof typeof FORMS

export function saveReport(form: ReportForm, id: string, files: Files, version: string): void {
  const bodies = files.map(fileBody)
  const report = form === 'sarif' ? sarifLog(bodies, version) : { scan_id: id, results: bodies }
  const url = URL.createObjectURL(new Blob([JSON.stringify(report, null, 2)], { type: FORMS[form] }))
  const link = Object.assign(document.createElement('a'), { href: url, download: `${id}.${form}` })
  link.click()
  URL.revokeObjectURL(url)
}
