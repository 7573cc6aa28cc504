/** Maps that are laid over one another: what one of them holds under a key says nothing of its other keys. */
import { partOf } from '../assign.js'
import { joinOrigins, joinValues, type Origin, unknown, type Value } from './value.js'

/** Lists are put behind one another instead. */
const isIndex = (key: string): boolean => /^\d+$/.test(key)

/** `null` where nothing is known of the keys of any of them. */
export function mergedMaps(maps: readonly Value[]): Value | null {
  const keys = new Set(maps.flatMap(({ fields }) => [...(fields?.keys() ?? [])]))
  if (keys.size === 0 || [...keys].some((key) => isIndex(key))) return null
  const fields = new Map<string, Value>()
  for (const key of keys) {
    const parts = maps.filter((map) => map.fields?.has(key) === true || map.origins.length > 0).map((map) => partOf(map, key))
    const [first = unknown, ...others] = parts
    fields.set(
      key,
      others.reduce((all, part) => joinValues(all, part), first),
    )
  }
  const origins = maps.reduce<readonly Origin[]>((all, map) => joinOrigins(all, map.origins), [])
  return { ...unknown, origins, fields }
}
