/** Which addresses may be registered. What a name stands for is judged when it is called. */
import { invalidRequest } from '#platform/errors.js'
import { createAddressRule, literalAddress } from './delivery/webhook-transport.js'

const MAX_URL = 2_000

/** @returns what answers an address as it is called. It throws AppError 400 that says what is wrong. */
export function createUrlCheck({ allowHttp, allowNetworks }: { allowHttp: boolean; allowNetworks: readonly string[] }) {
  const isAllowed = createAddressRule(allowNetworks)
  return (text: string): string => {
    if (text.length > MAX_URL || !URL.canParse(text)) throw refused(`The address is a URL of at most ${MAX_URL} characters.`)
    const url = new URL(text)
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
      throw refused(allowHttp ? 'The address begins with https:// or http://.' : 'The address begins with https://.')
    }
    if (url.username !== '' || url.password !== '') throw refused('The address has no user and no password.')
    const literal = literalAddress(url.hostname)
    if (literal !== null && !isAllowed(literal)) {
      throw refused(`${literal} is a private or special address, which "webhooks.allow_networks" does not list.`)
    }
    url.hash = ''
    return url.href
  }
}

const refused = (why: string) => invalidRequest(why, 'url')
