/** `server`: where it listens, and who may reach it. */
import { z } from 'zod'
import { usd } from './values.js'

/** As browsers send it: scheme, host and a port that is not the scheme's own. */
const origin = z
  .string()
  .refine((text) => /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(text) && (!/^https?:/.test(text) || isSerialOrigin(text)), {
    message: 'An origin is a scheme and a host, in small letters and without a path, such as https://app.example.',
  })

const isSerialOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

export const serverConfig = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8787),
  /** Credits of the administrator account that the first start creates. */
  starting_credits: usd.default(() => 10_000_000_000n),
  /** Where callers reach this server, for `server_url`; worked out from host and port when left out. */
  public_url: z.url().optional(),
  /** Whose pages may talk to this server from a browser; while it listens to this machine only, this machine's. */
  cors_origins: z.union([z.literal('*'), z.array(origin)]).optional(),
})
