/** The five tools of the contract: what each takes, gives and does. */
import type { z } from 'zod'
import { AppError } from '#platform/errors.js'
import { readInput } from '../edge/input.js'
import type { ScanBackend, ToolCall } from '../edge/scan/scan-backend.js'
import { batchScanResult, ruleList, scannerConfig, scannerHealth, scanResult } from '../edge/scan/scan-output.js'
import { inputSchemas } from './tool-schemas.js'
import { batchText, rulesText, scanText } from './tool-text.js'

interface ToolAnswer {
  readonly structuredContent: object
  readonly text: string
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** @throws AppError 400 for arguments that do not fit `input`. */
  call(args: unknown, call: ToolCall): Promise<ToolAnswer>
}

interface Declaration<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: z.ZodObject
  readonly run: (args: z.output<Input>, call: ToolCall) => Promise<ToolAnswer>
}

const tool = <Input extends z.ZodObject>({ run, ...declared }: Declaration<Input>): Tool => ({
  ...declared,
  call: async (args, call) => run(readInput(declared.input, args ?? {}), call),
})

export interface ToolsOptions {
  readonly backend: ScanBackend
  readonly languages: readonly string[]
  readonly filenameFor: (language: string) => string
}

export function createTools({ backend, languages, filenameFor }: ToolsOptions): ReadonlyMap<string, Tool> {
  const inputs = inputSchemas(languages)
  const tools = [
    tool({
      name: 'scan_code',
      title: 'Scan code',
      description:
        'Checks one file of source code against compliance standards and answers violations with severity, place and a suggested fix. For several files or a project use batch_scan.',
      input: inputs.scanCode,
      output: scanResult,
      async run(args, call) {
        const body = await backend.scanCode(args, call)
        return { structuredContent: body, text: scanText(body, args.filename ?? filenameFor(args.language)) }
      },
    }),
    tool({
      name: 'batch_scan',
      title: 'Scan files',
      description:
        'Checks several files in one request, much faster than scanning them one by one: use it for directories and projects. A file that cannot be analyzed does not fail the others.',
      input: inputs.batchScan,
      output: batchScanResult,
      async run(args, call) {
        const body = await backend.batchScan(args, call)
        return { structuredContent: body, text: batchText(body.results, body.overall_summary) }
      },
    }),
    ...describingTools(backend, inputs),
  ]
  return new Map(tools.map((one) => [one.name, one]))
}

const describingTools = (backend: ScanBackend, inputs: ReturnType<typeof inputSchemas>): Tool[] => [
  tool({
    name: 'get_config',
    title: 'Scanner configuration',
    description: 'Lists the enabled compliance standards, and says which server and version scans.',
    input: inputs.getConfig,
    output: scannerConfig,
    async run(_args, call) {
      const body = await backend.config(call)
      return { structuredContent: body, text: `${body.standards.join(', ')}. Version ${body.version} at ${body.server_url}.` }
    },
  }),
  tool({
    name: 'get_rules',
    title: 'Scanner rules',
    description: 'Lists the rules that code is checked against, all or those of one standard.',
    input: inputs.getRules,
    output: ruleList,
    async run(args, call) {
      const body = await backend.rules(args.standard ?? null, call)
      return { structuredContent: body, text: rulesText(body) }
    },
  }),
  tool({
    name: 'health_check',
    title: 'Scanner health',
    description: 'Says whether the scanner answers, and how fast.',
    input: inputs.healthCheck,
    output: scannerHealth,
    async run(_args, call) {
      const body = await backend.health(call)
      return { structuredContent: body, text: `${body.status}, ${body.latency_ms} ms.` }
    },
  }),
]

/** @throws AppError 400 for a name that is none of the five. */
export function toolNamed(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const found = tools.get(name)
  if (found) return found
  throw new AppError('invalid_request_error', `There is no tool "${name.slice(0, 80)}".`)
}
