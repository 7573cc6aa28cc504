/** The tables of the token families: the build writes them into dist/tokenizers, and each is read when it is first needed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '#platform/package-root.js'
import type { Tokenizer } from '#platform/vocabulary/words.js'
import { BytePairs } from './byte-pairs.js'

/** As OpenAI's tiktoken publishes them, in the words of JavaScript. No token crosses the end of a piece. */
const CONTRACTION = String.raw`'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE])`
const UPPER = String.raw`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`
const LOWER = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{M}`
const PIECES: Readonly<Record<Tokenizer, readonly string[]>> = {
  cl100k_base: [
    CONTRACTION,
    String.raw`[^\r\n\p{L}\p{N}]?\p{L}+`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*`,
    String.raw`\s+$`,
    String.raw`\s*[\r\n]`,
    String.raw`\s+(?!\S)`,
    String.raw`\s`,
  ],
  o200k_base: [
    String.raw`[^\r\n\p{L}\p{N}]?[${UPPER}]*[${LOWER}]+(?:${CONTRACTION})?`,
    String.raw`[^\r\n\p{L}\p{N}]?[${UPPER}]+[${LOWER}]*(?:${CONTRACTION})?`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ],
}

export const tableFile = (family: Tokenizer): string => join(packageRoot, 'dist', 'tokenizers', family)

/** The file: the number of tokens in four bytes, the length of each in one, and their bytes. A token has 255 at most. */
export function packTokens(tokens: readonly Uint8Array[]): Uint8Array {
  const count = new Uint8Array(4)
  new DataView(count.buffer).setUint32(0, tokens.length)
  return Buffer.concat([count, Uint8Array.from(tokens, ({ length }) => length), ...tokens])
}

export async function readTokens(family: Tokenizer): Promise<BytePairs> {
  const file = await readFile(tableFile(family))
  return new BytePairs(file.subarray(4), file.readUInt32BE(0), new RegExp(PIECES[family].join('|'), 'gu'))
}
