/** What the scanner needs of accounts. */
import type { Accounts } from '../../../subgraphs/accounts/index.js'
import type { ScanAccountsPort } from '../../../subgraphs/compliance/index.js'

/** The scanner's rate limits go by the account's tier. */
export const scanTiers = (accounts: Accounts): ScanAccountsPort => ({
  scanTier: async (accountId) => (await accounts.find(accountId))?.scanTier ?? 'free',
})
