/** The gateway schema: the supergraph stitched over one executor a subgraph, in this process or over HTTP. */
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation'
import type { Executor } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'

export interface GatewayOptions {
  readonly supergraphSdl: string
  /** The way to a subgraph, by its name as in schema/. */
  executorFor(name: string): Executor
}

/** Stitches the supergraph; queries to one subgraph in the same tick travel as one batch. */
export function createGatewaySchema({ supergraphSdl, executorFor }: GatewayOptions): GraphQLSchema {
  return getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    batch: true,
    onSubschemaConfig(config) {
      config.executor = executorFor(config.name.toLowerCase())
    },
  })
}
