/**
 * Pieces of a source whose host or scheme has passed a test: `urlparse(body['url']).hostname in HOSTS` says of `body['url']`, which no
 * variable holds, what a test of a variable says of it. They are noted for the ways behind the test, and asked where a piece is read.
 */
import { lookup, testedPieces } from '../environment.js'
import type { Flow, Frame } from '../state.js'
import { type Origin, partKeys, piecesOf, unknown, type Value } from '../values/value.js'

/** Read again it is the same: a field, or a getter that is given a name. */
const isStable = (text: string): boolean => !text.includes('(') || /^[\w.$>-]+\(\s*["'][\w-]{1,40}["']\s*\)$/.test(text)

function keysOf(flow: Flow, origin: Origin, pieces: readonly string[]): readonly string[] {
  const { at, end, parameter } = origin
  const way = [...partKeys(origin), ...pieces].join('\0')
  const place = `${at}:${parameter?.index ?? ''} ${way}`
  const text = parameter === null ? flow.text.slice(at, Math.min(end, at + 100)) : ''
  return text !== '' && isStable(text) ? [place, `${text} ${way}`] : [place]
}

/** `isPart` tells a name of what was tested, such as the host, from the piece that it is a part of. */
export function notePieces(
  flow: Flow,
  frame: Frame,
  origins: readonly Origin[],
  kinds: readonly string[],
  isPart: (name: string) => boolean,
): void {
  const keys = origins.flatMap((origin) => {
    const pieces = piecesOf(origin)
    const own = isPart(pieces.at(-1) ?? '') ? pieces.slice(0, -1) : pieces
    return own.length === 0 ? [] : keysOf(flow, origin, own)
  })
  if (keys.length === 0) return
  flow.hasCleanPieces = true
  const before = lookup(frame.env, testedPieces)?.marks ?? []
  const notes = keys.flatMap((key) => kinds.map((kind) => `${kind} ${key}`))
  frame.env.variables.set(testedPieces, { ...unknown, marks: new Set([...before, ...notes]) })
}

/** What is read is clean of the kinds that its source was tested for in front of it. */
export function cleanedByPiece(flow: Flow, frame: Frame, value: Value): Value {
  if (!flow.hasCleanPieces || value.origins.length === 0) return value
  const notes = lookup(frame.env, testedPieces)?.marks
  if (notes === undefined) return value
  let isChanged = false
  const origins = value.origins.map((origin) => {
    const keys = keysOf(flow, origin, piecesOf(origin))
    const kinds = [...notes]
      .filter((note) => keys.includes(note.slice(note.indexOf(' ') + 1)))
      .map((note) => note.split(' ', 1)[0]!)
    if (kinds.length === 0) return origin
    isChanged = true
    return { ...origin, clean: new Set([...origin.clean, ...kinds]) }
  })
  return isChanged ? { ...value, origins } : value
}
