/** Hive's query planner, which is a library for some platforms in binary form; where there is none the gateway stitches. */
import type { QueryPlan } from '@graphql-hive/router-query-planner'

export type PlanQuery = (query: string, operationName: string | null) => QueryPlan

/** Null with the reason where the library has no form for this platform. */
export async function loadHivePlanner(
  supergraphSdl: string,
): Promise<{ readonly plan: PlanQuery } | { readonly reason: string }> {
  let library: typeof import('@graphql-hive/router-query-planner')
  try {
    library = await import('@graphql-hive/router-query-planner')
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
  const planner = new library.QueryPlanner(supergraphSdl)
  const labels = new Set<string>()
  return { plan: (query, operationName) => planner.plan(query, operationName, labels, 0) }
}
