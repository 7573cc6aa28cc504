/** Two small subgraphs that join on one entity: enough to see the graph machine work without the domain. */
import { Arg, Directive, Field, ID, Int, ObjectType, Query, Resolver, Subscription, Root } from 'type-graphql'
import { delay, systemClock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'
import { fromSources, type Subgraph } from '#platform/subgraph.js'

@ObjectType('Book')
@Directive('@key(fields: "id")')
class Book {
  @Field(() => ID)
  id!: string

  @Field(() => String)
  title!: string
}

@ObjectType('Book')
@Directive('@key(fields: "id")')
class PricedBook {
  @Field(() => ID)
  id!: string

  @Field(() => Int)
  cents!: number
}

@Resolver(() => Book)
class BookResolver {
  @Query(() => [Book])
  books(@Arg('limit', () => Int, { nullable: true }) limit?: number): Book[] {
    return Array.from({ length: limit ?? 3 }, (_, index) => ({ id: `b${index}`, title: `Book ${index}` }))
  }

  @Query(() => Book)
  hidden(): Book {
    throw new Error('postgres://root:secret@10.0.0.1 refused')
  }

  @Query(() => Book)
  fault(): Book {
    throw new AppError('insufficient_credits', 'Not enough credits.', { param: 'model' })
  }

  @Query(() => Book)
  outage(): Book {
    throw new AppError('service_unavailable', 'The database does not answer.', { retryAfterSeconds: 7 })
  }

  /** Breaks a promise of the schema. */
  @Query(() => Int)
  misfit(): number {
    return 'many' as unknown as number
  }

  /** Ticks once and then breaks: of the database with `upTo` 1, of a bug with another. */
  @Subscription(() => Int, { subscribe: fromSources })
  broken(@Root() tick: number, @Arg('upTo', () => Int) _upTo: number): number {
    return tick
  }

  @Subscription(() => Int, { subscribe: fromSources })
  ticks(@Root() tick: number, @Arg('upTo', () => Int) _upTo: number): number {
    return tick
  }
}

@Resolver(() => PricedBook)
class PriceResolver {
  @Query(() => Int)
  priceCount(): number {
    return 1
  }
}

export interface ToyLog {
  batches: number[]
  ended: number
}

/** `upTo` 0 ticks once and then waits until its signal aborts. */
export function toySubgraphs(log: ToyLog): Subgraph[] {
  const books: Subgraph = {
    name: 'books',
    resolvers: [new BookResolver()],
    entities: {
      Book: {
        kind: 'owner',
        load: async (references) => references.map(({ id }) => ({ id, title: `Book ${id.slice(1)}` })),
      },
    },
    sources: {
      async *broken({ upTo }) {
        yield 1
        if (upTo === 1) throw new AppError('service_unavailable', 'The database does not answer.', { retryAfterSeconds: 7 })
        throw new Error('postgres://root:secret@10.0.0.1 refused')
      },
      async *ticks({ upTo }, { signal }) {
        try {
          for (let tick = 1; tick <= Math.max(1, Number(upTo)); tick++) yield tick
          if (upTo === 0) await delay(systemClock, 60_000, signal)
        } finally {
          log.ended++
        }
      },
    },
  }
  const prices: Subgraph = {
    name: 'prices',
    resolvers: [new PriceResolver()],
    orphanedTypes: [PricedBook],
    entities: {
      Book: {
        kind: 'contributor',
        async load(references) {
          log.batches.push(references.length)
          return references.map(({ id }) => ({ id, cents: 100 }))
        },
      },
    },
  }
  return [books, prices]
}
