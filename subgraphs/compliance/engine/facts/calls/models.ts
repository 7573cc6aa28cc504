/** What the functions of libraries do with memory: data of the packs (`functions:` in frameworks), found by the last name of a call. */
import type { FunctionModel } from '../../rulebook/function-model.js'
import { compileRegex } from '../../rulebook/safe-regex.js'

export interface Models {
  find(name: string): FunctionModel | null
}

/** Several entries of one name are one model. */
export function createModels(entries: readonly FunctionModel[]): Models {
  const byName = new Map<string, FunctionModel>()
  const patterns: { readonly pattern: RegExp; readonly model: FunctionModel }[] = []
  for (const model of entries) {
    for (const name of model.call ?? []) byName.set(name, { ...byName.get(name), ...model })
    if (model.name !== undefined) patterns.push({ pattern: compileRegex(model.name), model })
  }
  const asked = new Map<string, FunctionModel | null>()
  return {
    find(name) {
      const known = byName.get(name)
      if (known !== undefined) return known
      let found = asked.get(name)
      if (found === undefined) {
        found = patterns.find(({ pattern }) => pattern.test(name))?.model ?? null
        asked.set(name, found)
      }
      return found
    },
  }
}
