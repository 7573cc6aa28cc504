/** `Sluice-Scan`: whether the code in the answer is to be scanned, and by which standards. The domain does it. */
import { AppError, invalidRequest } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'

const HEADER = 'Sluice-Scan'

/** Names of standards, none for all; null where nobody asks. @throws AppError 400 that names the header */
export function scanAsked({ headers }: RequestContext): string[] | null {
  const asked = headers.get(HEADER.toLowerCase())
  if (asked === undefined) return null
  const names = asked.split(',').map((name) => name.trim())
  if (names.includes('')) throw invalidRequest(`"${HEADER}" is "all", or names of standards with commas between.`, HEADER)
  return names.length === 1 && names[0]?.toLowerCase() === 'all' ? [] : names
}

/** The domain's field is a header here. */
export const inHeaderWords = (thrown: unknown): unknown =>
  thrown instanceof AppError && thrown.param === 'scan' ? invalidRequest(thrown.message, HEADER) : thrown
