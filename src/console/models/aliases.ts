/** Other names of models: they are found by them. */

interface Alias {
  readonly name: string
  /** The tier that it stands for; null for one model. */
  readonly tier: string | null
  readonly model: { readonly id: string }
}

/** By the model's id, with spaces between them. What stands for a tier is no name of the model that is cheapest now. */
export function namesOf(aliases: readonly Alias[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { name, tier, model } of aliases)
    if (tier === null) names.set(model.id, `${names.get(model.id) ?? ''} ${name}`.trim())
  return names
}
