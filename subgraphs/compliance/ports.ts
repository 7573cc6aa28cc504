/** What scans need of other subgraphs. */

export type ScanTier = 'free' | 'pro' | 'enterprise'

export interface ScanAccountsPort {
  /** The tier of an account; `free` for one that does not exist. */
  scanTier(accountId: string): Promise<ScanTier>
}
