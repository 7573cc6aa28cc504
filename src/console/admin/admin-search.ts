/** What of the administrators' page is in its address. */

export const TABS = { accounts: 'Accounts', health: 'Health', settings: 'Settings' } as const
export type Tab = keyof typeof TABS
export const USUAL_TAB: Tab = 'accounts'

export interface AdminSearch {
  readonly tab?: Tab
  /** Only the accounts or the settings whose name holds it. */
  readonly find?: string
}

export const isTab = (value: unknown): value is Tab => typeof value === 'string' && Object.hasOwn(TABS, value)

export const readAdminSearch = ({ tab, find }: Record<string, unknown>): AdminSearch => ({
  ...(isTab(tab) && { tab }),
  ...(typeof find === 'string' && find !== '' && { find }),
})
