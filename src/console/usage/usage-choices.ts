/** What usage can be narrowed to: whoever was asked, answered or asked with in a span of time. */
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { UsageChoicesDocument } from '../../generated/console-usage.js'
import type { Span } from './spending/span.js'

export interface Choices {
  readonly models: readonly string[]
  readonly providers: readonly string[]
  readonly keys: readonly { readonly id: string; readonly name: string; readonly prefix: string }[]
  readonly nameOfKey: (id: string) => string
}

export function useChoices({ from, to }: Span): Choices {
  const [{ data }] = useQuery({ query: UsageChoicesDocument, variables: { from, to }, requestPolicy: 'cache-and-network' })
  return useMemo(() => {
    const viewer = data?.viewer
    const keys = viewer?.keys.nodes ?? []
    const names = new Map(keys.map(({ id, name }) => [id, name]))
    const groups = (list: readonly { readonly group: string | null }[] = []) =>
      list.flatMap(({ group }) => (group === null ? [] : [group])).toSorted()
    return {
      models: groups(viewer?.models),
      providers: groups(viewer?.providers),
      keys,
      nameOfKey: (id) => names.get(id) ?? id,
    }
  }, [data])
}
