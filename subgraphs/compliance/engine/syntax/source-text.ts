/**
 * The text of one file with exact positions.
 *
 * Offsets are UTF-16 code units, as in JavaScript strings, editors (LSP) and SARIF's default. A byte order mark is cut off before
 * anything reads the text, so the first column of the first line is 1 with and without it. A carriage return alone ends a line as
 * it does in editors: it becomes `\n`, which moves no offset. CRLF needs no care: only `\n` ends a line, and a column never reaches
 * the `\r`.
 */

export interface SourceText {
  readonly text: string
  readonly lineStarts: Uint32Array
}

export interface Position {
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 code units. */
  readonly column: number
}

export function createSourceText(code: string): SourceText {
  const text = withLineFeeds(code.charCodeAt(0) === 0xfeff ? code.slice(1) : code)
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return { text, lineStarts: Uint32Array.from(starts) }
}

const loneReturn = /\r(?!\n)/g

/** The text with `\n` or `\r\n` at the end of every line; of the same length. */
export const withLineFeeds = (text: string): string => text.replaceAll(loneReturn, '\n')

/** Whether some line ends in a carriage return alone. */
export const hasLoneReturns = (text: string): boolean => text.search(loneReturn) !== -1

/** Binary search; an offset past the end belongs to the last line. */
export function positionAt(source: SourceText, offset: number): Position {
  const starts = source.lineStarts
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: Math.min(offset, source.text.length) - (starts[low] ?? 0) + 1 }
}

/** The text of a 1-based line without its line ending. */
export function lineText(source: SourceText, line: number): string {
  const start = source.lineStarts[line - 1]
  if (start === undefined) return ''
  const end = source.lineStarts[line] ?? source.text.length + 1
  const text = source.text.slice(start, end - 1)
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
