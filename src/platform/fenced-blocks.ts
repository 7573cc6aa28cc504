/**
 * Fenced code blocks of Markdown (CommonMark 0.31, section 4.5) as their text arrives, whatever the pieces. A fence may be
 * indented by more than the three columns of the specification, because models put blocks into lists without counting.
 */

export interface FencedBlock {
  /** The first word behind the opening fence, such as `python`; empty without one. */
  readonly label: string
  /** The lines between the fences, without what the opening fence was indented by. */
  readonly code: string
  /** The line of the text in which the code begins, from 1. */
  readonly line: number
}

interface OpenBlock {
  readonly label: string
  readonly fence: string
  readonly indent: number
  readonly line: number
  readonly lines: string[]
}

const OPENING = /^([ \t]*)(`{3,}|~{3,})[ \t]*(.*)$/
const CLOSING = /^[ \t]*(`{3,}|~{3,})[ \t]*$/

export class FencedBlockReader {
  #rest = ''
  #line = 0
  #open: OpenBlock | null = null

  /** The blocks that end with this piece of the text. */
  read(piece: string): FencedBlock[] {
    const lines = (this.#rest + piece).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  /** The text is over: the blocks that end with its last line, and the one that was left open. */
  end(): FencedBlock[] {
    const ended = this.#rest === '' ? [] : this.#take(this.#rest)
    this.#rest = ''
    return this.#open === null ? ended : [...ended, this.#close(this.#open)]
  }

  #take(line: string): FencedBlock[] {
    this.#line++
    const open = this.#open
    if (open === null) {
      this.#open = openingOf(line, this.#line + 1)
      return []
    }
    const fence = CLOSING.exec(line)?.[1]
    if (fence?.startsWith(open.fence)) return [this.#close(open)]
    open.lines.push(withoutIndent(line, open.indent))
    return []
  }

  #close({ label, line, lines }: OpenBlock): FencedBlock {
    this.#open = null
    return { label, line, code: lines.map((text) => `${text}\n`).join('') }
  }
}

function openingOf(line: string, begins: number): OpenBlock | null {
  const [, indent = '', fence, info = ''] = OPENING.exec(line) ?? []
  // Behind backticks no backtick may stand: that is code within a line.
  if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) return null
  const label = /^[^\s{,:]*/.exec(info)?.[0] ?? ''
  return { label, fence, indent: indent.length, line: begins, lines: [] }
}

function withoutIndent(line: string, most: number): string {
  let from = 0
  while (from < most && (line[from] === ' ' || line[from] === '\t')) from++
  return line.slice(from)
}

/** All blocks of a text. */
export function fencedBlocks(text: string): FencedBlock[] {
  const reader = new FencedBlockReader()
  return [...reader.read(text), ...reader.end()]
}
