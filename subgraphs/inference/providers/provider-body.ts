/** One JSON object of two: what is set here, and the members of a text that is too large to be read or copied here. */
export function withMembers(body: Readonly<Record<string, unknown>>, rest: Uint8Array): readonly Uint8Array[] {
  const begin = Buffer.from(JSON.stringify(body))
  begin[begin.length - 1] = COMMA
  return [begin, rest.subarray(1)]
}

const COMMA = 44
