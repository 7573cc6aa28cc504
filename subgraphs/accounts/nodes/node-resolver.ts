/** Any object by its id. Ids say by their form what they are of; whether there is such an object, its owner says. */
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { invalidRequest } from '#platform/errors.js'
import { requirePrincipal, type RequestContext } from '#platform/requests/context.js'
import type { ReferenceResolver } from '#platform/subgraph.js'
import type { NodeSource } from '../ports.js'
import { DeploymentStub, ModelStub, RentalStub, ScanStub } from './node-stubs.js'
import { NodeType } from './node-type.js'

const MAX_NODES = 100

/** The form of a type's ids; the first that fits decides. A model's id is any other text. */
const FORMS: readonly (readonly [typeName: string, form: RegExp])[] = [
  ['Account', /^acc_/],
  ['ApiKey', /^key_/],
  ['UsageRecord', /^req_/],
  ['Rental', /^rent_/],
  ['Scan', /^scan_/],
  ['Deployment', /@|^gses_/],
  ['Model', /./],
]

const STUBS: Readonly<Record<string, new () => NodeType>> = {
  Rental: RentalStub,
  Scan: ScanStub,
  Deployment: DeploymentStub,
  Model: ModelStub,
}

@Resolver()
export class NodeResolver {
  constructor(
    private readonly own: Readonly<Record<string, ReferenceResolver>>,
    private readonly others: NodeSource,
  ) {}

  @Query(() => NodeType, { nullable: true, description: 'Whatever has this id; null for what does not exist, or not for you.' })
  async node(
    @Arg('id', () => ID, { description: 'The id of an account, a key, a request, a rental, a scan, a deployment or a model.' })
    id: string,
    @Ctx() context: RequestContext,
  ): Promise<NodeType | null> {
    return (await this.#find([id], context))[0] ?? null
  }

  @Query(() => [NodeType], {
    nullable: 'items',
    description: 'Several at once, in the order of the ids; null in the place of what does not exist, or not for you.',
  })
  async nodes(
    @Arg('ids', () => [ID], { description: `The ids, ${MAX_NODES} at most.` }) ids: string[],
    @Ctx() context: RequestContext,
  ): Promise<(NodeType | null)[]> {
    if (ids.length > MAX_NODES) throw invalidRequest(`"ids" has at most ${MAX_NODES}.`, 'ids')
    return this.#find(ids, context)
  }

  /** One look-up a type. */
  async #find(ids: readonly string[], context: RequestContext): Promise<(NodeType | null)[]> {
    requirePrincipal(context)
    const found = new Map<string, NodeType>()
    const byType = Map.groupBy(new Set(ids), (id) => FORMS.find(([, form]) => form.test(id))?.[0])
    await Promise.all(
      [...byType].map(async ([typeName, group]) => {
        if (typeName === undefined) return
        const own = this.own[typeName]
        const references = group.map((id) => ({ __typename: typeName, id }))
        const objects = await (own ? own(references, context) : this.others(typeName, references, context))
        objects.forEach((object, at) => {
          // Of another subgraph's object only the key is known here.
          if (object) found.set(group[at]!, Object.assign(own ? object : new STUBS[typeName]!(), references[at]))
        })
      }),
    )
    return ids.map((id) => found.get(id) ?? null)
  }
}
