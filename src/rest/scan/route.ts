/** The scanner: /api/scan, /api/batch-scan, /api/config, /api/rules, /api/health. */
import type { Request, Response } from 'express'
import type { RequestContext } from '#platform/requests/context.js'
import {
  RestBatchScanDocument,
  RestRulesDocument,
  RestScanCodeDocument,
  RestScannerConfigDocument,
  RestScannerHealthDocument,
} from '../../generated/operations.js'
import { largeReaderOf, type RestEdge, type RouteHandler } from '../../edge/route.js'
import { readJsonObject } from '../../edge/json-body.js'
import { textParameter } from '../query-parameters.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'
import { batchScanBody, fileBody, healthBody, rulesBody, scanCodeBody, type FileBody } from '../../edge/scan/scan-body.js'
import { parseBatchScan, parseScanCode } from '../../edge/scan/scan-request.js'
import { SARIF_TYPE, sarifLog } from '../../edge/scan/scan-sarif.js'

export interface ScanEdge extends RestEdge {
  /** The version that SARIF names. */
  readonly version: string
}

function readBody(edge: RestEdge, request: Request, response: Response, context: RequestContext) {
  const { maxBodyBytes: maxBytes, maxJsonDepth: maxDepth } = edge.limits
  return readJsonObject(request, { maxBytes, maxDepth }, largeReaderOf(edge, context, response))
}

export const scanCode =
  (edge: ScanEdge): RouteHandler =>
  async (request, response, context) => {
    const input = parseScanCode(await readBody(edge, request, response, context))
    const { scan } = whole(await edge.graph.execute(RestScanCodeDocument, { input }, context)).scanCode
    const [file] = scan.files
    if (!file) throw new Error('A scan of one file has one result.')
    if (wantsSarif(request)) sendSarif(response, [fileBody(file)], edge.version)
    else sendJson(response, 200, scanCodeBody(file))
  }

export const batchScan =
  (edge: ScanEdge): RouteHandler =>
  async (request, response, context) => {
    const input = parseBatchScan(await readBody(edge, request, response, context))
    const { scan } = whole(await edge.graph.execute(RestBatchScanDocument, { input }, context)).batchScan
    if (wantsSarif(request)) sendSarif(response, scan.files.map(fileBody), edge.version)
    else sendJson(response, 200, batchScanBody(scan.files, scan.summary))
  }

export const readConfig =
  ({ graph }: ScanEdge): RouteHandler =>
  async (_request, response, context) => {
    const { scannerConfig } = whole(await graph.execute(RestScannerConfigDocument, {}, context))
    const { standards, serverUrl, version } = scannerConfig
    sendJson(response, 200, { standards: standards.map(({ name }) => name), server_url: serverUrl, version })
  }

export const listRules =
  ({ graph }: ScanEdge): RouteHandler =>
  async (request, response, context) => {
    const { rules } = whole(await graph.execute(RestRulesDocument, { standard: textParameter(request, 'standard') }, context))
    sendJson(response, 200, rulesBody(rules.rules))
  }

export const readHealth =
  ({ graph }: ScanEdge): RouteHandler =>
  async (_request, response, context) => {
    const { scannerHealth } = whole(await graph.execute(RestScannerHealthDocument, {}, context))
    sendJson(response, 200, healthBody(scannerHealth))
  }

const wantsSarif = (request: Request): boolean => (request.headers.accept ?? '').toLowerCase().includes(SARIF_TYPE)

function sendSarif(response: Response, files: readonly FileBody[], version: string): void {
  const text = JSON.stringify(sarifLog(files, version))
  response.writeHead(200, { 'content-type': SARIF_TYPE, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
