/** Composition: subgraph SDLs in, the supergraph that any Federation 2 router reads and the public API schema out. */
import { composeServices } from '@theguild/federation-composition'
import { lexicographicSortSchema, parse, printSchema } from 'graphql'
import { createGatewaySchema } from '../gateway/gateway.js'

export interface SubgraphSdl {
  readonly name: string
  readonly sdl: string
  /** Where a router in front reaches it; written into the supergraph. */
  readonly url?: string
}

export interface Composition {
  readonly supergraphSdl: string
  /** What clients see: no federation machinery. */
  readonly apiSdl: string
}

/** @throws Error listing every composition error. */
export function composeSupergraph(subgraphs: readonly SubgraphSdl[]): Composition {
  const result = composeServices(
    subgraphs.map(({ name, sdl, url }) => ({ name, typeDefs: parse(sdl), url: url ?? `http://${name}.invalid/graphql` })),
  )
  if (!result.supergraphSdl) {
    throw new Error(`The subgraphs do not compose:\n${(result.errors ?? []).map((error) => `- ${error.message}`).join('\n')}`)
  }
  const schema = createGatewaySchema({
    supergraphSdl: result.supergraphSdl,
    executorFor: () => () => {
      throw new Error('This schema is for printing only.')
    },
  })
  return { supergraphSdl: `${result.supergraphSdl}\n`, apiSdl: `${printSchema(lexicographicSortSchema(schema))}\n` }
}
