/** What of the scanner is in the address: the part of the page, the scan, and which of its findings are shown. */
import type { Severity } from '../../generated/console-scan.js'

export const VIEWS = ['scan', 'past', 'rules'] as const
export type ScanView = (typeof VIEWS)[number]

export const SEVERITIES: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']

export interface ScanSearch {
  readonly view?: ScanView
  /** The scan whose findings are shown. */
  readonly scan?: string
  readonly severity?: Severity
  readonly standard?: string
  /** What was typed: a file, a rule, a clause. */
  readonly q?: string
  /** The finding that is open, by its fingerprint. */
  readonly finding?: string
}

export function readScanSearch(search: Record<string, unknown>): ScanSearch {
  const text = (name: 'scan' | 'standard' | 'q' | 'finding') => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? { [name]: value } : {}
  }
  const view = VIEWS.find((one) => one === search['view'])
  const severity = SEVERITIES.find((one) => one === search['severity'])
  return {
    ...(view && { view }),
    ...(severity && { severity }),
    ...text('scan'),
    ...text('standard'),
    ...text('q'),
    ...text('finding'),
  }
}
