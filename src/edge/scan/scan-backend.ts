/**
 * What the five tools stand on: scans with the contract's field names, wherever they are done. The server answers from its
 * graph, `sluice mcp` from an engine in its own process or from a server elsewhere.
 */
import type { BatchScanBody, ConfigBody, HealthBody, RulesBody, ScanCodeBody } from './scan-output.js'
import type { BatchScanRequest, ScanCodeRequest } from './scan-input.js'
import type { RequestContext } from '#platform/requests/context.js'

/** One call of a tool. */
export interface ToolCall {
  /** Aborts when the client cancels or leaves. */
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
  /** The caller, where the call came over HTTP. */
  readonly context: RequestContext | null
}

/** Every method throws an AppError, or a RemoteFault that has the contract's body already. */
export interface ScanBackend {
  scanCode(request: ScanCodeRequest, call: ToolCall): Promise<ScanCodeBody>
  batchScan(request: BatchScanRequest, call: ToolCall): Promise<BatchScanBody>
  config(call: ToolCall): Promise<ConfigBody>
  rules(standard: string | null, call: ToolCall): Promise<RulesBody>
  health(call: ToolCall): Promise<HealthBody>
}

/** The contract's error body. */
export interface FaultBody {
  readonly error: string
  readonly code: string
  readonly details?: string
  readonly retry_after_seconds?: number
}

/** A fault that another server has put into the contract's words. */
export class RemoteFault extends Error {
  override readonly name = 'RemoteFault'

  constructor(readonly body: FaultBody) {
    super(body.error)
  }
}
