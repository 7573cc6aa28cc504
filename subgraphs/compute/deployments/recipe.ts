/** How models are deployed when nobody said otherwise: the shipped recipes, overridden by the operator's own. */
import { z } from 'zod'
import type { CatalogPort, DeployRecipe } from '../ports.js'
import { readShippedFile } from '../shipped/shipped-file.js'

const fileShape = z.strictObject({
  as_of: z.string(),
  source: z.string(),
  recipes: z.array(
    z.strictObject({
      model: z.string(),
      gpu: z.string(),
      gpus: z.int(),
      min_vram_gb: z.int(),
      deploy_seconds: z.int(),
    }),
  ),
})

/** The recipes that ship with the program, by model id. */
export function shippedRecipes(): ReadonlyMap<string, DeployRecipe> {
  const file = fileShape.parse(readShippedFile('recipes.yaml'))
  return new Map(
    file.recipes.map((row) => [
      row.model,
      {
        modelId: row.model,
        gpuModel: row.gpu,
        gpuCount: row.gpus,
        minVramGb: row.min_vram_gb,
        estimatedDeploySeconds: row.deploy_seconds,
        image: null,
      },
    ]),
  )
}

export interface Recipes {
  find(modelId: string): Promise<DeployRecipe | null>
  all(): Promise<readonly DeployRecipe[]>
}

/** Recipes by model; the operator's recipe replaces a shipped one. `includeShipped: false` leaves only the operator's. */
export function createRecipes(catalog: CatalogPort, includeShipped: boolean): Recipes {
  const shipped = includeShipped ? shippedRecipes() : new Map<string, DeployRecipe>()
  return {
    find: async (modelId) => (await catalog.recipe(modelId)) ?? shipped.get(modelId) ?? null,
    async all() {
      return [...new Map([...shipped, ...(await catalog.recipes()).map((recipe) => [recipe.modelId, recipe] as const)]).values()]
    },
  }
}
