/** `webhooks`: where messages to operators may go, and how long they are tried. */
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { count, usd } from './values.js'

export const webhooksConfig = z.strictObject({
  /** How many may be registered. */
  most: count(20),
  /** Private, loopback and other special addresses that may be called all the same, such as "10.1.0.0/16". */
  allow_networks: z.array(z.string().refine(ipaddr.isValidCIDR, 'a network such as 10.1.0.0/16')).max(100).default([]),
  /** USD: a balance that falls below it is told of; 0 for never. */
  low_balance: usd.default(() => 1_000_000_000n),
  /** Whether http:// addresses may be registered; messages are signed and not secret from who sees them pass. */
  allow_http: z.boolean().default(false),
  /** From the first byte that is sent to the head of the answer. */
  attempt_seconds: z.number().positive().max(60).default(15),
  /** How long a message that fails is tried again before it goes to the dead letters. */
  retry_hours: z.number().positive().max(720).default(72),
  /** Days that delivered messages and dead letters can be looked at and sent again. */
  keep_days: count(30),
})
