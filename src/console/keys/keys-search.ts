/** What of the keys' page is in its address. */

export interface KeysSearch {
  /** Keys that have ended are shown too. */
  readonly ended?: boolean
  /** Only those whose name or beginning holds it. */
  readonly find?: string
}

export const readKeysSearch = ({ ended, find }: Record<string, unknown>): KeysSearch => ({
  ...(ended === true && { ended }),
  ...(typeof find === 'string' && find !== '' && { find }),
})
