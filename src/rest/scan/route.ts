/** The scanner: /api/scan, /api/batch-scan, /api/config, /api/rules, /api/health. */
import type { Request, Response } from 'express'
import type { z } from 'zod'
import {
  RestBatchScanDocument,
  RestRulesDocument,
  RestScanCodeDocument,
  RestScannerConfigDocument,
  RestScannerHealthDocument,
} from '../../generated/operations.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'
import type { RestEdge } from '../../edge/route.js'
import { batchScanBody, fileBody, healthBody, rulesBody, scanCodeBody } from '../../edge/scan/scan-body.js'
import {
  batchScanResult,
  ruleList,
  scannerConfig,
  scannerHealth,
  scanResult,
  type FileBody,
} from '../../edge/scan/scan-output.js'
import { SARIF_TYPE, sarifLog } from '../../edge/scan/scan-sarif.js'
import { restEndpoint } from '../rest-endpoint.js'
import * as input from './input.js'
import * as output from './output.js'

export interface ScanEdge extends RestEdge {
  /** The version that SARIF names. */
  readonly version: string
}

const tag = 'scanner'
const faultShape = 'scanner'
const orSarif = (schema: z.ZodType) => ({ 'application/json': { schema }, [SARIF_TYPE]: { schema: output.sarifLog } })

const scanCode = restEndpoint({
  method: 'post',
  path: '/api/scan',
  faultShape,
  operationId: 'scanCode',
  tag,
  summary: 'Scans one file.',
  description: `With \`Accept: application/sarif+json\` the answer is a SARIF 2.1.0 log. Limits apply to an account by its tier; a file that cannot
be analyzed is a 200 with the status \`error\`.
`,
  input: { body: input.scanBody },
  answers: { 200: { description: 'The violations.', content: orSarif(scanResult) } },
  faults: [403, 429, 504],
  handle:
    ({ graph, version }: ScanEdge) =>
    async ({ body }, response, context, request) => {
      const { scan } = whole(await graph.execute(RestScanCodeDocument, { input: body }, context)).scanCode
      const [file] = scan.files
      if (!file) throw new Error('A scan of one file has one result.')
      if (wantsSarif(request)) sendSarif(response, [fileBody(file)], version)
      else sendJson(response, 200, scanCodeBody(file))
    },
})

const batchScan = restEndpoint({
  method: 'post',
  path: '/api/batch-scan',
  faultShape,
  operationId: 'batchScan',
  tag,
  summary: 'Scans several files as one request.',
  description:
    'A file that cannot be analyzed does not fail the others: it has no violations and an `error`. SARIF as for one file.\n',
  input: { body: input.batchScanBody },
  answers: { 200: { description: 'A result for each file, in the order of the request.', content: orSarif(batchScanResult) } },
  faults: [403, 429, 504],
  handle:
    ({ graph, version }: ScanEdge) =>
    async ({ body }, response, context, request) => {
      const { scan } = whole(await graph.execute(RestBatchScanDocument, { input: body }, context)).batchScan
      if (wantsSarif(request)) sendSarif(response, scan.files.map(fileBody), version)
      else sendJson(response, 200, batchScanBody(scan.files, scan.summary))
    },
})

const readConfig = restEndpoint({
  method: 'get',
  path: '/api/config',
  faultShape,
  operationId: 'readScannerConfig',
  tag,
  summary: 'Names the enabled standards.',
  input: {},
  answers: { 200: { description: 'The configuration.', body: scannerConfig } },
  faults: [403],
  handle:
    ({ graph }: ScanEdge) =>
    async (_input, response, context) => {
      const { scannerConfig: config } = whole(await graph.execute(RestScannerConfigDocument, {}, context))
      const { standards, serverUrl, version } = config
      sendJson(response, 200, { standards: standards.map(({ name }) => name), server_url: serverUrl, version })
    },
})

const listRules = restEndpoint({
  method: 'get',
  path: '/api/rules',
  faultShape,
  operationId: 'listRules',
  tag,
  summary: 'Lists the rules.',
  input: { query: input.rulesQuery },
  answers: { 200: { description: 'The rules.', body: ruleList } },
  faults: [403],
  handle:
    ({ graph }: ScanEdge) =>
    async ({ query }, response, context) => {
      const { rules } = whole(await graph.execute(RestRulesDocument, query, context))
      sendJson(response, 200, rulesBody(rules.rules))
    },
})

const readHealth = restEndpoint({
  method: 'get',
  path: '/api/health',
  access: 'open',
  faultShape,
  operationId: 'readScannerHealth',
  tag,
  summary: 'Whether the scanner answers; probes an analyzer. Needs no key.',
  input: {},
  answers: { 200: { description: 'Its health, which may be bad.', body: scannerHealth } },
  handle:
    ({ graph }: ScanEdge) =>
    async (_input, response, context) => {
      const { scannerHealth: health } = whole(await graph.execute(RestScannerHealthDocument, {}, context))
      sendJson(response, 200, healthBody(health))
    },
})

export const scanEndpoints = [scanCode, batchScan, readConfig, listRules, readHealth]

const wantsSarif = (request: Request): boolean => (request.headers.accept ?? '').toLowerCase().includes(SARIF_TYPE)

function sendSarif(response: Response, files: readonly FileBody[], version: string): void {
  const text = JSON.stringify(sarifLog(files, version))
  response.writeHead(200, { 'content-type': SARIF_TYPE, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
