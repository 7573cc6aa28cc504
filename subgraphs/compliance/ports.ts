/** What scans need of other subgraphs. */

import type { ScanTier } from '#platform/vocabulary/words.js'

export interface ScanAccountsPort {
  /** The tier of an account; `free` for one that does not exist. */
  scanTier(accountId: string): Promise<ScanTier>
}
