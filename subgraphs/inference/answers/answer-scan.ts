/**
 * The code of one answer, looked at while it is written: blocks go to the scanner as they end, and what was found goes with
 * the end of the answer. No trouble of the scanner keeps an answer from its caller, unless the caller's key wants code withheld
 * that breaks rules: then what could not be looked at is withheld too.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { toAppError } from '#platform/errors.js'
import { FencedBlockReader } from '#platform/fenced-blocks.js'
import type { AnswerCode, AnswerScanPlan, CodeViolation } from '../ports.js'
import { isObject, type JsonObject } from '../tokens/usage.js'
import { codeOfCall, type ToolCodeRule } from './tool-code.js'

export interface CodeFinding {
  readonly choice: number
  readonly block: number
  readonly line: number
  readonly tool_call?: number
  readonly language: string
  readonly violation: JsonObject
}

/** What goes with an answer, in the words of the OpenAI-shaped body that it stands in. */
export interface AnswerScanReport {
  readonly status: 'complete' | 'pending' | 'failed'
  readonly message?: string
  readonly findings: readonly CodeFinding[]
  /** Code was withheld, or ended the answer. */
  readonly blocked?: true
}

/** A piece of code, and where in the answer it stands. */
interface Block {
  readonly choice: number
  /** Its place among the code of the choice, from 0. */
  readonly block: number
  /** The line of the text in which it begins; 1 for code in a call, whose lines are its own. */
  readonly line: number
  readonly toolCall: number | null
  readonly code: string
  readonly label: string
}

/** What became of a block. */
export interface ScannedBlock {
  readonly block: Block
  readonly findings: readonly CodeFinding[]
  readonly isRefused: boolean
  /** Why it could not be looked at, or not in whole. */
  readonly fault: string | null
}

interface Call {
  name: string
  arguments: string
}

interface Choice {
  readonly text: FencedBlockReader
  readonly calls: Map<number, Call>
  found: number
}

export interface AnswerScanOptions {
  readonly scanner: AnswerCode
  readonly plan: AnswerScanPlan
  readonly accountId: string
  readonly signal: AbortSignal
  readonly tools: readonly ToolCodeRule[]
}

export class AnswerScan {
  /** Called when a block has been looked at. */
  onScanned: () => void = () => undefined
  /** Blocks in a language of the scanner that nobody has taken yet. */
  readonly scanned: ScannedBlock[] = []
  readonly #choices = new Map<number, Choice>()
  readonly #running = new Set<Promise<void>>()
  readonly #findings: CodeFinding[] = []
  readonly #refused: Block[] = []
  #fault: string | null = null

  constructor(private readonly options: AnswerScanOptions) {}

  /** Code that breaks rules ends the answer, or is left out of it. */
  get withholds(): boolean {
    return this.options.plan.mode === 'block'
  }

  /** Something is being looked at. */
  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** The answer may not go on before a block has been looked at. */
  get isHolding(): boolean {
    return this.withholds && this.isRunning
  }

  get refused(): readonly Block[] {
    return this.#refused
  }

  get findings(): number {
    return this.#findings.length
  }

  /** Everything that has ended so far has been looked at. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** Reads a whole answer (`message`), or what a chunk adds to one (`delta`). */
  read(body: JsonObject, part: 'message' | 'delta'): void {
    if (!Array.isArray(body['choices'])) return
    for (const choice of body['choices'].filter(isObject)) {
      const said = isObject(choice[part]) ? choice[part] : {}
      const index = Number(choice['index'] ?? 0)
      if (typeof said['content'] === 'string') this.#readText(index, said['content'])
      if (Array.isArray(said['tool_calls'])) this.#readCalls(index, said['tool_calls'].filter(isObject))
    }
  }

  /** The answer is over. What has been found, after `patienceMs` at most; in whole without that, and where code is withheld. */
  async end(patienceMs?: number): Promise<AnswerScanReport> {
    for (const [index, choice] of this.#choices) this.#end(index, choice)
    const all = this.settled()
    const isPatient = patienceMs === undefined || this.withholds
    await (isPatient ? all : Promise.race([all, pause(patienceMs, undefined, { ref: false })]))
    const status = this.#running.size > 0 ? 'pending' : this.#fault === null ? 'complete' : 'failed'
    const findings = this.#findings.toSorted(
      (a, b) => a.choice - b.choice || a.block - b.block || Number(a.violation['line']) - Number(b.violation['line']),
    )
    const message = this.#fault !== null && { message: this.#fault }
    return { status, ...message, findings, ...(this.#refused.length > 0 && { blocked: true }) }
  }

  #choice(index: number): Choice {
    const choice = this.#choices.get(index) ?? { text: new FencedBlockReader(), calls: new Map<number, Call>(), found: 0 }
    this.#choices.set(index, choice)
    return choice
  }

  #readText(index: number, text: string): void {
    const choice = this.#choice(index)
    for (const { code, label, line } of choice.text.read(text)) this.#scan(index, choice, { code, label, line, toolCall: null })
  }

  /** Pieces of a call go on with the one of the same index; whole calls have none and follow each other. */
  #readCalls(index: number, pieces: readonly JsonObject[]): void {
    const { calls } = this.#choice(index)
    for (const [at, piece] of pieces.entries()) {
      const place = typeof piece['index'] === 'number' ? piece['index'] : at
      const call = calls.get(place) ?? { name: '', arguments: '' }
      calls.set(place, call)
      const said = isObject(piece['function']) ? piece['function'] : {}
      if (typeof said['name'] === 'string') call.name += said['name']
      if (typeof said['arguments'] === 'string') call.arguments += said['arguments']
    }
  }

  #end(index: number, choice: Choice): void {
    for (const { code, label, line } of choice.text.end()) this.#scan(index, choice, { code, label, line, toolCall: null })
    for (const [toolCall, call] of choice.calls) {
      for (const { code, label } of codeOfCall(this.options.tools, call.name, call.arguments)) {
        this.#scan(index, choice, { code, label, line: 1, toolCall })
      }
    }
    choice.calls.clear()
  }

  #scan(choice: number, state: Choice, found: Pick<Block, 'code' | 'label' | 'line' | 'toolCall'>): void {
    const block: Block = { ...found, choice, block: state.found++ }
    const run = this.#look(block)
      .then(({ status, message, violations, language, isRead }) => {
        if (status === 'complete' && !isRead) return
        const fault = status === 'failed' ? (message ?? 'The code could not be looked at.') : null
        this.#note(block, language, violations, fault)
      })
      .catch((thrown: unknown) => this.#note(block, '', [], toAppError(thrown).message))
      .finally(() => {
        this.#running.delete(run)
        this.onScanned()
      })
    this.#running.add(run)
  }

  #look({ code, label }: Block) {
    const { scanner, plan, accountId, signal } = this.options
    return scanner.scan({ code, label }, plan, { accountId, signal })
  }

  #note(block: Block, language: string, violations: readonly CodeViolation[], fault: string | null): void {
    const { choice, block: at, line, toolCall } = block
    const place = { choice, block: at, line, ...(toolCall !== null && { tool_call: toolCall }), language }
    const findings = violations.map((violation) => ({ ...place, violation }))
    this.#findings.push(...findings)
    const isRefused = this.withholds && (fault !== null || violations.length > 0)
    this.#fault ??= fault
    if (isRefused) this.#refused.push(block)
    this.scanned.push({ block, findings, isRefused, fault })
  }
}
