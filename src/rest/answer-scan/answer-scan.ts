/**
 * `Sluice-Scan`: the code blocks of an answer are scanned while it is written, and what was found goes with its end. Nothing of
 * the answer waits for it but that end, and no trouble of the scanner keeps the answer from its caller.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError, invalidRequest, toAppError } from '#platform/errors.js'
import { FencedBlockReader, type FencedBlock } from '#platform/fenced-blocks.js'
import type { RequestContext } from '#platform/requests/context.js'
import { whole, type Graph } from '../../edge/execute.js'
import { violationBody } from '../../edge/scan/scan-body.js'
import { RestCodeCheckDocument } from '../../generated/operations.js'
import type { AnswerScanBody } from './output.js'

const HEADER = 'Sluice-Scan'

type Finding = AnswerScanBody['findings'][number]

interface AnswerReader {
  readonly blocks: FencedBlockReader
  found: number
}

/**
 * The scan that the caller asks for, null when none is.
 *
 * @throws AppError 400 that names the header, for a standard that does not exist
 */
export async function answerScanOf(graph: Graph, context: RequestContext): Promise<AnswerScan | null> {
  const asked = context.headers.get(HEADER.toLowerCase())
  if (asked === undefined) return null
  const names = asked.split(',').map((name) => name.trim())
  if (names.includes('')) throw invalidRequest(`"${HEADER}" is "all", or names of standards with commas between.`, HEADER)
  const standards = names.length === 1 && names[0]?.toLowerCase() === 'all' ? [] : names
  try {
    // Before the answer is made and paid: are these standards?
    await graph.execute(RestCodeCheckDocument, { input: { blocks: [], standards } }, context)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_request_error') throw invalidRequest(thrown.message, HEADER)
    // Whatever else is wrong: the answer tells it, or says at its end why it was not scanned.
  }
  return new AnswerScan(graph, context, standards)
}

export class AnswerScan {
  readonly #answers = new Map<number, AnswerReader>()
  readonly #running = new Set<Promise<void>>()
  readonly #findings: Finding[] = []
  #fault: string | null = null

  constructor(
    private readonly graph: Graph,
    private readonly context: RequestContext,
    private readonly standards: readonly string[],
  ) {}

  /** Text that the answer goes on with: blocks that end in it are scanned from now on. */
  read(choice: number, text: string): void {
    const answer = this.#answers.get(choice) ?? { blocks: new FencedBlockReader(), found: 0 }
    this.#answers.set(choice, answer)
    this.#scan(choice, answer, answer.blocks.read(text))
  }

  /** The answer is over. What has been found, after `patienceMs` at most; in whole without that. */
  async end(patienceMs?: number): Promise<AnswerScanBody> {
    for (const [choice, answer] of this.#answers) this.#scan(choice, answer, answer.blocks.end())
    const all = Promise.all(this.#running)
    await (patienceMs === undefined ? all : Promise.race([all, pause(patienceMs, undefined, { ref: false })]))
    const status = this.#running.size > 0 ? 'pending' : this.#fault === null ? 'complete' : 'failed'
    const findings = this.#findings.toSorted(
      (a, b) => a.choice - b.choice || a.block - b.block || a.violation.line - b.violation.line,
    )
    return { status, ...(this.#fault !== null && { message: this.#fault }), findings }
  }

  #scan(choice: number, answer: AnswerReader, blocks: readonly FencedBlock[]): void {
    if (blocks.length === 0) return
    const first = answer.found
    answer.found += blocks.length
    const run = this.#check(choice, first, blocks).catch((thrown: unknown) => {
      this.#fault ??= toAppError(thrown).message
    })
    this.#running.add(run)
    void run.then(() => this.#running.delete(run))
  }

  async #check(choice: number, first: number, blocks: readonly FencedBlock[]): Promise<void> {
    const input = { blocks: blocks.map(({ code, label }) => ({ code, label })), standards: [...this.standards] }
    const { codeCheck: check } = whole(await this.graph.execute(RestCodeCheckDocument, { input }, this.context))
    this.#fault ??= check.message ?? null
    for (const { block, language, violation } of check.findings) {
      const place = { choice, block: first + block, line: blocks[block]!.line }
      this.#findings.push({ ...place, language: language.toLowerCase(), violation: violationBody(violation) })
    }
  }
}
