/** A page as the graph shows it: the connection types of Relay, made alike for every list. */
import 'reflect-metadata'
import { ArgsType, Directive, Field, Int, ObjectType, type ClassType } from 'type-graphql'
import { pageRequest, type Edge, type Page, type PageArguments, type PageRequest, type PageSizes } from './page.js'

@Directive('@shareable')
@ObjectType({ description: 'Whether a list goes on before and behind a page.', simpleResolvers: true })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether the list goes on behind the page.' })
  hasNextPage!: boolean

  @Field(() => Boolean, { description: 'Whether the list goes on before the page.' })
  hasPreviousPage!: boolean

  @Field(() => String, { nullable: true, description: 'Pass it as `before` to get what lies before; null on an empty page.' })
  startCursor!: string | null

  @Field(() => String, { nullable: true, description: 'Pass it as `after` to get what lies behind; null on an empty page.' })
  endCursor!: string | null
}

export interface Connection<T> {
  readonly edges: readonly Edge<T>[]
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
}

export interface ConnectionOptions {
  /** Of a node; the connection and its edge are named after it. */
  readonly name: string
  /** What the list holds and how it is ordered, after "A page of ". */
  readonly of: string
}

export interface CountedConnection<T> extends Connection<T> {
  totalCount(): Promise<number>
}

type ConnectionClass<T> = new (page: Page<T>) => Connection<T>
type CountedClass<T> = new (page: Page<T>, count: () => Promise<number>) => CountedConnection<T>

/** The connection type of a list that is too long to be counted for every page. */
export function connectionType<T extends object>(nodeType: ClassType<T>, { name, of }: ConnectionOptions): ConnectionClass<T> {
  const Base = pageType(nodeType, name)

  @ObjectType(`${name}Connection`, { description: `A page of ${of}`, simpleResolvers: true })
  class PlainConnection extends Base {}

  return PlainConnection
}

/** The same with `totalCount`, which is only worked out when it is asked for. */
export function countedConnectionType<T extends object>(
  nodeType: ClassType<T>,
  { name, of }: ConnectionOptions,
): CountedClass<T> {
  const Base = pageType(nodeType, name)

  @ObjectType(`${name}Connection`, { description: `A page of ${of}`, simpleResolvers: true })
  class WithTotal extends Base implements CountedConnection<T> {
    readonly #count: () => Promise<number>

    constructor(page: Page<T>, count: () => Promise<number>) {
      super(page)
      this.#count = count
    }

    @Field(() => Int, { simple: false, description: 'How many there are on all pages.' })
    totalCount(): Promise<number> {
      return this.#count()
    }
  }

  return WithTotal
}

function pageType<T extends object>(nodeType: ClassType<T>, name: string): ConnectionClass<T> {
  @ObjectType(`${name}Edge`, { description: `A place in a list, and what stands there.`, simpleResolvers: true })
  class EdgeType implements Edge<T> {
    @Field(() => String, { description: 'Pass it as `after` or `before` to go on from here.' })
    cursor!: string

    @Field(() => nodeType, { description: 'What stands there.' })
    node!: T
  }

  @ObjectType({ simpleResolvers: true })
  abstract class PageType implements Connection<T> {
    @Field(() => [EdgeType], { description: 'What the page holds, each with its place in the list.' })
    readonly edges: readonly Edge<T>[]

    @Field(() => [nodeType], { description: 'The same without the places.' })
    readonly nodes: readonly T[]

    @Field(() => PageInfo, { description: 'Whether the list goes on.' })
    readonly pageInfo: PageInfo

    constructor({ edges, hasNextPage, hasPreviousPage }: Page<T>) {
      this.edges = edges
      this.nodes = edges.map(({ node }) => node)
      const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null]
      this.pageInfo = { hasNextPage, hasPreviousPage, startCursor, endCursor }
    }
  }

  return PageType as unknown as ConnectionClass<T>
}

/** The arguments of a list, read with `request()`. */
export interface PageArgs extends PageArguments {
  /** @throws AppError 400 */
  request(): PageRequest
}

/** The class of a list's arguments; extend it for a list with filters. */
export function pageArgs(sizes: PageSizes): new () => PageArgs {
  @ArgsType()
  class PageArgsType implements PageArgs {
    @Field(() => Int, { nullable: true, description: `How many from the start or behind \`after\`: ${bounds(sizes)}.` })
    first?: number | null

    @Field(() => String, { nullable: true, description: 'The cursor behind which the page begins.' })
    after?: string | null

    @Field(() => Int, { nullable: true, description: `How many from the end or before \`before\`: ${bounds(sizes)}.` })
    last?: number | null

    @Field(() => String, { nullable: true, description: 'The cursor before which the page ends.' })
    before?: string | null

    request(): PageRequest {
      return pageRequest(this, sizes)
    }
  }

  return PageArgsType
}

const bounds = ({ standard, most }: PageSizes): string => `${standard} when left out, ${most} at most`
