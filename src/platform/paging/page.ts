/**
 * Paging by cursors: which part of an ordered list a caller asks for, and how the part is cut out of what was read.
 *
 * Every list of the graph that can grow is read this way. A cursor holds the values that the list is ordered by, so that a page
 * goes on at the same place whatever was added or removed meanwhile. To callers it is opaque.
 */
import { invalidRequest } from '../errors.js'

/** What a caller asks for: `first` and `after` go down the list, `last` and `before` up. */
export interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
}

/** Rows of a page when nothing is asked, and the most that may be asked for. */
export interface PageSizes {
  readonly standard: number
  readonly most: number
}

export interface PageRequest {
  readonly size: number
  /** Whether it is the page before `cursor`, or the end of the list, that is wanted. */
  readonly isBackward: boolean
  /** The values of the row next to the page, as texts; null at an end of the list. */
  readonly cursor: readonly string[] | null
}

/** One part of a list, in the order of the list. */
export interface Page<T> {
  readonly edges: readonly Edge<T>[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

export interface Edge<T> {
  readonly cursor: string
  readonly node: T
}

/** @throws AppError 400 for a size out of bounds, for both directions at once, and for what is no cursor */
export function pageRequest({ first, after, last, before }: PageArguments, { standard, most }: PageSizes): PageRequest {
  const isBackward = last != null || (first == null && before != null)
  if (isBackward && (first != null || after != null)) {
    const param = first != null ? 'first' : 'after'
    throw invalidRequest('A page is asked for with "first" and "after", or with "last" and "before".', param)
  }
  if (!isBackward && before != null) throw invalidRequest('"before" goes with "last".', 'before')
  const size = first ?? last ?? standard
  const param = isBackward ? 'last' : 'first'
  if (size < 1 || size > most) throw invalidRequest(`"${param}" is from 1 to ${most}.`, param)
  const cursor = isBackward ? before : after
  return { size, isBackward, cursor: cursor == null ? null : readCursor(cursor, isBackward ? 'before' : 'after') }
}

export type CursorValue = string | number | bigint

const cursorOf = (values: readonly CursorValue[]): string => Buffer.from(JSON.stringify(values.map(String))).toString('base64url')

const MAX_CURSOR_LENGTH = 1_000

function readCursor(text: string, param: string): readonly string[] {
  const values = text.length > MAX_CURSOR_LENGTH ? null : parsed(Buffer.from(text, 'base64url').toString())
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values
  throw notACursor(param)
}

export const notACursor = (param: string) => invalidRequest(`"${param}" is not a cursor of this list.`, param)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The page out of `rows`, which were read in the direction of the request and are one more than its size where the list goes
 * on. `keyOf`: the values that the list is ordered by.
 */
export function pageOf<Row, T>(
  rows: readonly Row[],
  { size, isBackward, cursor }: PageRequest,
  keyOf: (row: Row) => readonly CursorValue[],
  nodeOf: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, size)
  if (isBackward) shown.reverse()
  const goesOn = rows.length > size
  return {
    edges: shown.map((row) => ({ cursor: cursorOf(keyOf(row)), node: nodeOf(row) })),
    hasNextPage: isBackward ? cursor !== null : goesOn,
    hasPreviousPage: isBackward ? goesOn : cursor !== null,
  }
}

/** The same page with other nodes. */
export const mapPage = <T, U>({ edges, ...ends }: Page<T>, nodeOf: (node: T) => U): Page<U> => ({
  ...ends,
  edges: edges.map(({ cursor, node }) => ({ cursor, node: nodeOf(node) })),
})

/** For what must not be seen, or is not there. */
export const emptyPage: Page<never> = { edges: [], hasNextPage: false, hasPreviousPage: false }
