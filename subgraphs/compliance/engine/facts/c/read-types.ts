/** Types that the arguments of templates say. */
import { plainType } from './types.js'
import type { Expr, Type } from '../program.js'
import type { Scope } from './scope.js'

const reading = /(?:^|[a-z_])(?:get|read|take|next|pop|fetch|parse|extract|decode|load|peek|consume|receive)$/i

/** `in.get<std::uint16_t>()`: the number that is asked for. */
export function readType({ cursor, types }: Scope, called: number | undefined, name: string, args: readonly Expr[]): Type | null {
  if (called === undefined || args.length > 0 || !reading.test(name)) return null
  const [, written = ''] = /<\s*([\w:]{1,40})\s*>$/.exec(cursor.textOf(called)) ?? []
  const type = plainType(types, written.replace(/^std::/, ''))
  return type?.kind === 'integer' ? type : null
}
