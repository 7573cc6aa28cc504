/** What operators see of the scanner: files and scans, how long they take, and what waits. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { AnalyzedFile } from './engine/index.js'

export interface ComplianceMetrics {
  file(file: AnalyzedFile): void
  /** One scan has ended, from its admission. */
  scan(kind: 'file' | 'batch', outcome: 'done' | 'failed', seconds: number): void
  watchWaitingFiles(count: () => number): void
}

const FILE_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const SCAN_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]

export function createComplianceMetrics(registry: Registry): ComplianceMetrics {
  const registers = [registry]
  const files = new Counter({
    name: 'sluice_scan_files_total',
    help: 'Files that analyzers have ended, by language and outcome.',
    labelNames: ['language', 'outcome'],
    registers,
  })
  const fileSeconds = new Histogram({
    name: 'sluice_scan_file_seconds',
    help: 'Seconds that an analyzer was at one file.',
    labelNames: ['language'],
    buckets: FILE_SECONDS,
    registers,
  })
  const scanSeconds = new Histogram({
    name: 'sluice_scan_seconds',
    help: 'Seconds from the request of a scan to its end, by kind (file, batch) and outcome (done, failed).',
    labelNames: ['kind', 'outcome'],
    buckets: SCAN_SECONDS,
    registers,
  })
  let waitingFiles = () => 0
  const waiting = new Gauge({
    name: 'sluice_scan_waiting_files',
    help: 'Files that no analyzer has taken yet.',
    registers,
    collect() {
      waiting.set(waitingFiles())
    },
  })
  return {
    file({ language, outcome, seconds }) {
      files.inc({ language, outcome })
      fileSeconds.observe({ language }, seconds)
    },
    scan: (kind, outcome, seconds) => scanSeconds.observe({ kind, outcome }, seconds),
    watchWaitingFiles(count) {
      waitingFiles = count
    },
  }
}
