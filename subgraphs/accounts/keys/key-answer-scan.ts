/** What a key demands of the code in answers. Keys that follow each other, or that one made, demand the same. */
import type { AnswerScanPolicy } from '#platform/requests/context.js'
import type { ApiKey } from './api-key.js'
import { familyOf } from './key-family.js'
import type { KeyStore } from './key-store.js'

export const isSamePolicy = (one: AnswerScanPolicy | null, other: AnswerScanPolicy | null): boolean =>
  JSON.stringify(one && ordered(one)) === JSON.stringify(other && ordered(other))

const ordered = ({ mode, standards, minSeverity }: AnswerScanPolicy) => [mode, standards.toSorted(), minSeverity]

export interface KeyAnswerScans {
  /** The keys that follow this one, or that it follows, demand the same from then on. */
  set(key: ApiKey, policy: AnswerScanPolicy | null): Promise<void>
  /** Gives a new key what the one in whose place it comes got meanwhile. */
  inherit(key: ApiKey, from: ApiKey): Promise<ApiKey>
}

export function createKeyAnswerScans(store: KeyStore, announce: (key: ApiKey) => void): KeyAnswerScans {
  async function change(key: ApiKey, answerScan: AnswerScanPolicy | null): Promise<ApiKey> {
    const changed = await store.change(key, { answerScan })
    announce(changed)
    return changed
  }

  return {
    async set(key, policy) {
      // Looked at again after it was written, for one that a rotation puts in its place meanwhile.
      for (let without = [key]; without.length > 0;) {
        without = (await familyOf(store, key)).filter((other) => !isSamePolicy(other.answerScan, policy))
        for (const other of without) await change(other, policy)
      }
    },
    inherit: async (key, from) => (isSamePolicy(key.answerScan, from.answerScan) ? key : change(key, from.answerScan)),
  }
}
