import { graphql } from 'graphql'
import { Arg, Ctx, Field, InputType, Int, Query, Resolver, UseMiddleware } from 'type-graphql'
import { expect, it } from 'vitest'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'

@InputType()
class Point {
  @Field(() => Int)
  x!: number
}

const passed: string[] = []

@Resolver()
class PlaneResolver {
  constructor(private readonly name: string) {}

  @Query(() => String)
  plain(
    @Arg('size', () => Int, { defaultValue: 3 }) size: number,
    @Ctx() context: { readonly user: string },
    @Arg('names', () => [String], { nullable: true }) names: string[] | null,
  ): string {
    return JSON.stringify([this.name, size, context.user, names])
  }

  @Query(() => Boolean)
  classed(@Arg('point') point: Point): boolean {
    return point instanceof Point
  }

  @Query(() => Int)
  @UseMiddleware(async (_, next) => {
    passed.push('guard')
    return next()
  })
  guarded(@Arg('size', () => Int) size: number): number {
    return size
  }
}

const { declared } = buildSubgraphSchema({ name: 'plane', resolvers: [new PlaneResolver('plane')] })
const ask = async (source: string) => {
  const { data, errors } = await graphql({ schema: declared, source, contextValue: { user: 'ann' } })
  expect(errors).toBeUndefined()
  return data
}

it('a method with plain arguments is called with them in their places, on its own object', async () => {
  expect(await ask('{ plain(names: ["a"]) }')).toEqual({ plain: '["plane",3,"ann",["a"]]' })
})

it('an input is still an object of its class', async () => {
  expect(await ask('{ classed(point: { x: 1 }) }')).toEqual({ classed: true })
})

it('what stands before a method is not gone round', async () => {
  expect(await ask('{ guarded(size: 2) }')).toEqual({ guarded: 2 })
  expect(passed).toEqual(['guard'])
})
