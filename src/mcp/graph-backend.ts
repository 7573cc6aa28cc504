/** The tools of a server: the operations of /api on the graph, as the caller whose key the request carries. */
import type { RequestContext } from '#platform/requests/context.js'
import {
  RestBatchScanDocument,
  RestRulesDocument,
  RestScanCodeDocument,
  RestScannerConfigDocument,
  RestScannerHealthDocument,
} from '../generated/operations.js'
import { whole, type Graph } from '../edge/execute.js'
import { batchScanBody, healthBody, rulesBody, scanCodeBody } from '../edge/scan/scan-body.js'
import type { ScanBackend, ToolCall } from '../edge/scan/scan-backend.js'

/** Calls `listener` while the request with this id scans a batch, until the returned function is called. */
export type FollowProgress = (requestId: string, listener: (done: number, total: number) => void) => () => void

export function createGraphBackend(graph: Graph, followProgress: FollowProgress): ScanBackend {
  return {
    async scanCode(input, call) {
      const { scan } = whole(await graph.execute(RestScanCodeDocument, { input }, contextOf(call))).scanCode
      const [file] = scan.files
      if (!file) throw new Error('A scan of one file has one result.')
      return scanCodeBody(file)
    },
    async batchScan(input, call) {
      const context = contextOf(call)
      const unfollow = followProgress(context.requestId, call.onProgress)
      try {
        const { scan } = whole(await graph.execute(RestBatchScanDocument, { input }, context)).batchScan
        return batchScanBody(scan.files, scan.summary)
      } finally {
        unfollow()
      }
    },
    async config(call) {
      const { scannerConfig } = whole(await graph.execute(RestScannerConfigDocument, {}, contextOf(call)))
      const { standards, serverUrl, version } = scannerConfig
      return { standards: standards.map(({ name }) => name), server_url: serverUrl, version }
    },
    async rules(standard, call) {
      const { rules } = whole(await graph.execute(RestRulesDocument, { standard }, contextOf(call)))
      return rulesBody(rules.rules)
    },
    async health(call) {
      const { scannerHealth } = whole(await graph.execute(RestScannerHealthDocument, {}, contextOf(call)))
      return healthBody(scannerHealth)
    },
  }
}

/** The call's own signal also aborts when the client cancels the call without leaving. */
function contextOf({ context, signal }: ToolCall): RequestContext {
  if (!context) throw new Error('A call over HTTP has a context.')
  return { ...context, signal: AbortSignal.any([context.signal, signal]) }
}
