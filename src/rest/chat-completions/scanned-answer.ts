/** Chat completions with what the scanner says about their code, as `sluice` in the answer or in the last chunk. */
import type { StreamPiece } from '../../edge/sse.js'
import type { AnswerScan } from '../answer-scan/answer-scan.js'

type JsonObject = Record<string, unknown>

const objectOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {})

/** Reads the texts of an answer, or what a chunk adds to them. */
function readChoices(scan: AnswerScan, body: JsonObject, part: 'message' | 'delta'): void {
  if (!Array.isArray(body['choices'])) return
  for (const choice of body['choices'].map(objectOf)) {
    const { content } = objectOf(choice[part])
    if (typeof content === 'string') scan.read(Number(choice['index'] ?? 0), content)
  }
}

export async function scannedAnswer(raw: JsonObject, scan: AnswerScan): Promise<JsonObject> {
  readChoices(scan, raw, 'message')
  return { ...raw, sluice: { scan: await scan.end() } }
}

/** The same pieces; blocks are scanned as they end, and the last chunk, which waits `patienceMs` for it, says what was found. */
export function scannedPieces(
  pieces: AsyncIterator<StreamPiece>,
  scan: AnswerScan,
  patienceMs: number,
): AsyncIterator<StreamPiece> {
  return {
    async next() {
      const piece = await pieces.next()
      if (piece.done) return piece
      const { lines, endsAnswer } = piece.value
      for (const line of lines.split('\n')) {
        if (line !== '') readChoices(scan, objectOf(JSON.parse(line)), 'delta')
      }
      if (!endsAnswer || !lines.endsWith('}')) return piece
      // Written behind what the provider sent, whose numbers stay as they are.
      const told = JSON.stringify({ scan: await scan.end(patienceMs) })
      return { done: false, value: { lines: `${lines.slice(0, -1)},"sluice":${told}}`, endsAnswer } }
    },
    async return() {
      await pieces.return?.()
      return { done: true, value: undefined }
    },
  }
}
