/** The tools on an engine in this process: no server, no key, no limits but those of size and time. */
import { createScanner, currentStandards, addSummaries, parseScanFile } from '../../../subgraphs/compliance/engine/index.js'
import { packageVersion } from '#platform/package-root.js'
import type { ScanBackend, ToolCall } from '../../edge/scan/scan-backend.js'
import { batchScanBody, healthBody, rulesBody, scanCodeBody } from '../../edge/scan/scan-body.js'

/** Where a scanner without an address is reached. */
const STDIO_URL = 'stdio:'

export function createEngineBackend(): { backend: ScanBackend; close: () => Promise<void> } {
  const scanner = createScanner()
  const version = packageVersion()
  const scan = (files: Parameters<typeof scanner.scan>[0], standards: readonly string[], { signal, onProgress }: ToolCall) =>
    scanner.scan(files, { standards }, signal, onProgress)
  const backend: ScanBackend = {
    async scanCode({ standards, ...file }, call) {
      const [result] = await scan([parseScanFile(file)], standards, call)
      if (!result) throw new Error('A scan of one file has one result.')
      return scanCodeBody(result)
    },
    async batchScan({ files, standards }, call) {
      const parsed = files.map((file, at) => parseScanFile(file, `files[${at}].`))
      const results = await scan(parsed, standards, call)
      return batchScanBody(results, addSummaries(results.map(({ summary }) => summary)))
    },
    config: async () => ({
      standards: currentStandards(scanner.standards).map(({ name }) => name),
      server_url: STDIO_URL,
      version,
    }),
    async rules(standard) {
      const rules = scanner.rules(standard ?? undefined).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      return rulesBody(rules.map((rule) => ({ ...rule, standard: rule.standards[0]?.standard ?? '' })))
    },
    health: async () => healthBody({ ...(await scanner.health()), serverUrl: STDIO_URL, version }),
  }
  return { backend, close: () => scanner.close() }
}
