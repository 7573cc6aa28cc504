/**
 * How far a test goes that could go on for long: `npm test` shows the essence, `npm run chaos:short`, and with it CI, the usual
 * extent, `npm run chaos` many times that. The files that ask are those of `LONGER` in vitest.config.ts.
 */
type Effort = 'brief' | 'short' | 'long'

const asked = process.env['SLUICE_CHAOS'] ?? 'brief'
const isEffort = (name: string): name is Effort => ['brief', 'short', 'long'].includes(name)
if (!isEffort(asked)) throw new Error('SLUICE_CHAOS is short or long.')
export const effort: Effort = asked

export const byEffort = <T>(extents: Readonly<Record<Effort, T>>): T => extents[effort]
