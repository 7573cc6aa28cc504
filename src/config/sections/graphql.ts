/** `graphql`: what one document may ask, and how long a gateway waits for its subgraphs. */
import { z } from 'zod'
import { count, seconds } from './values.js'

export const graphConfig = z.strictObject({
  max_depth: count(12),
  max_aliases: count(50),
  max_directives: count(50),
  max_tokens: count(5_000),
  max_cost: count(5_000),
  introspection: z.boolean().default(true),
  /** How long a gateway waits for a subgraph in another process. */
  subgraph_connect_seconds: seconds(2),
  subgraph_answer_seconds: seconds(130),
  subgraph_idle_seconds: seconds(30),
  subgraph_silence_seconds: seconds(5),
})
