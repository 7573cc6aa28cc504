/** GraphQL in figures: operations by name and cost, and the subscriptions that are open. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { inBatches } from './batches.js'
import { boundedNames } from './labels.js'

export interface OperationFigures {
  /** As the client names it; '' when it does not. */
  readonly name: string
  readonly type: string
  readonly cost: number
}

export interface GraphMetrics {
  /** An operation that passed all checks. */
  operation(figures: OperationFigures): void
  /** A subscription of this root field has begun; call the answer when it ends. */
  subscription(field: string): () => void
}

/** Clients name their operations as they like. */
const NAMES = 150
const COST_BOUNDS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000]

export function createGraphMetrics(registry: Registry): GraphMetrics {
  const registers = [registry]
  const nameOf = boundedNames(NAMES)
  const collect = () => operations.flush()
  const counted = new Counter({
    name: 'sluice_graphql_operations_total',
    help: 'GraphQL operations that were run, by name and type. The first 150 names have series of their own.',
    labelNames: ['operation', 'type'],
    registers,
    collect,
  })
  const cost = new Histogram({
    name: 'sluice_graphql_operation_cost',
    help: 'Cost of GraphQL operations, as graphql.max_cost limits it.',
    labelNames: ['operation'],
    buckets: COST_BOUNDS,
    registers,
    collect,
  })
  const open = new Gauge({
    name: 'sluice_subscriptions_open',
    help: 'GraphQL subscriptions that are open now, by root field.',
    labelNames: ['field'],
    registers,
  })
  const operations = inBatches<OperationFigures>((items) => {
    for (const item of items) {
      const operation = nameOf(item.name === '' ? 'unnamed' : item.name)
      counted.inc({ operation, type: item.type })
      cost.observe({ operation }, item.cost)
    }
  })
  return {
    operation: operations.add,
    subscription(field) {
      open.inc({ field })
      let isOpen = true
      return () => {
        if (isOpen) open.dec({ field })
        isOpen = false
      }
    },
  }
}
