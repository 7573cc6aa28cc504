/** Rentals in the graph: authorise, parse, one call, return. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql'
import type { Clock } from '#platform/clock.js'
import { requirePrincipal, requireScope, sees, type Principal, type RequestContext } from '#platform/requests/context.js'
import { AppError } from '#platform/errors.js'
import { pageArgs, type Connection } from '#platform/paging/connection.js'
import { emptyPage, mapPage } from '#platform/paging/page.js'
import { fromSources } from '#platform/subgraph.js'
import { RentalStatus } from '../compute-enums.js'
import { AccountStub, ModelStub } from '../entity-stubs.js'
import type { LiveView } from '../sessions/live-view.js'
import { parseRentRequest, type RentRequest } from './rent-request.js'
import {
  GpuQuoteType,
  GpuSessionType,
  gpuSessionType,
  RentalConnection,
  RentalType,
  rentalType,
  RentGpuInput,
  RentGpuPayload,
  TerminateRentalInput,
  TerminateRentalPayload,
} from './rental-type.js'
import type { RentalUpdate } from './rental-source.js'
import type { Rentals } from './rentals.js'
import type { GpuSession, SessionStatus } from '../sessions/session.js'

@ArgsType()
class RentalsArgs extends pageArgs({ standard: 50, most: 1000 }) {
  @Field(() => RentalStatus, { nullable: true, description: 'Only those with this status.' })
  status?: SessionStatus | null
}

@Resolver(() => RentalType)
export class RentalResolver {
  constructor(
    private readonly rentals: Rentals,
    private readonly clock: Clock,
  ) {}

  @Query(() => RentalType, { nullable: true, description: 'One of your rentals; null for what does not exist.' })
  async rental(
    @Arg('id', () => ID, { description: 'The rental.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<RentalType | null> {
    const session = await this.rentals.find(id, requirePrincipal(context).accountId)
    return session && this.#show(session)
  }

  @Query(() => RentalConnection, { name: 'rentals', description: 'Your rentals, newest first.' })
  listRentals(@Args(() => RentalsArgs) args: RentalsArgs, @Ctx() context: RequestContext): Promise<Connection<RentalType>> {
    return rentalsOf(requirePrincipal(context).accountId, args, this.rentals, this.clock)
  }

  @Query(() => GpuQuoteType, {
    description:
      'What a rent request would get and cost now. Nothing is rented; a request that is wrong is refused in the same words.',
  })
  async gpuQuote(
    @Arg('input', () => RentGpuInput, { description: 'What would be rented.' }) input: RentGpuInput,
    @Ctx() context: RequestContext,
  ): Promise<GpuQuoteType> {
    return this.rentals.quote(this.#request(input, requireScope(context, 'gpu')))
  }

  @Mutation(() => RentGpuPayload, {
    description:
      'Rents a GPU. A hold of ten minutes is placed first. With an Idempotency-Key header the same request answers the same rental for 24 hours.',
  })
  async rentGpu(
    @Arg('input', () => RentGpuInput, { description: 'What to rent.' }) input: RentGpuInput,
    @Ctx() context: RequestContext,
  ): Promise<RentGpuPayload> {
    const principal = requireScope(context, 'gpu')
    const { accountId, budgetIds } = principal
    const request = this.#request(input, principal)
    const key = context.headers.get('idempotency-key') ?? null
    const session = await this.rentals.rent(request, { accountId, budgetIds }, key, context.signal)
    return { rental: this.#show(session) }
  }

  @Mutation(() => TerminateRentalPayload, {
    description:
      'Terminates one of your rentals: billed for the time used, the rest of the hold released. Repeating it answers the same.',
  })
  async terminateRental(
    @Arg('input', () => TerminateRentalInput, { description: 'Which rental.' }) { id }: TerminateRentalInput,
    @Ctx() context: RequestContext,
  ): Promise<TerminateRentalPayload> {
    const { accountId } = requireScope(context, 'gpu')
    return { rental: this.#show(await this.rentals.terminate(id, accountId)) }
  }

  @Subscription(() => RentalType, {
    subscribe: fromSources,
    description:
      'One of your rentals: as it is now, then after every change, until it has ended. Whoever goes on from a number sees the changes since, each as it was.',
  })
  rentalStatus(
    @Root() { session, at, sequence }: RentalUpdate,
    @Arg('id', () => ID, { description: 'The rental.' }) _id: string,
    @Arg('after', () => Int, { nullable: true, description: 'The last `sequence` seen before, to miss no event after it.' })
    _after: number | null,
  ): RentalType {
    return rentalType(session, at, sequence)
  }

  @Subscription(() => RentalType, {
    subscribe: fromSources,
    description: 'Every change of every rental of yours, as it comes. Nothing is repeated from before without `after`.',
  })
  rentalsChanged(
    @Root() { session, at, sequence }: RentalUpdate,
    @Arg('after', () => Int, { nullable: true, description: 'The last `sequence` seen before, to miss no event after it.' })
    _after: number | null,
  ): RentalType {
    return rentalType(session, at, sequence)
  }

  /** For a key with a list of models there are no others, neither to ask nor to serve. */
  #request(input: RentGpuInput, { models }: Principal): RentRequest {
    const request = parseRentRequest(input)
    if (models && request.modelId !== null && !models.has(request.modelId)) {
      throw new AppError('model_not_found', `This key has no model "${request.modelId}".`, { param: 'modelId' })
    }
    return request
  }

  #show(session: GpuSession): RentalType {
    return rentalType(session, this.clock.now())
  }
}

@Resolver(() => ModelStub)
export class ModelSessionResolver {
  constructor(
    private readonly live: LiveView,
    private readonly clock: Clock,
  ) {}

  @FieldResolver(() => GpuSessionType, {
    nullable: true,
    description: 'The GPU session that serves it or is being set up to; null when there is none.',
  })
  session(@Root() model: ModelStub, @Ctx() context: RequestContext): GpuSessionType | null {
    requirePrincipal(context)
    const session = this.live.sessionOf(model.id)
    return session && gpuSessionType(session, this.clock.now())
  }
}

@Resolver(() => AccountStub)
export class AccountRentalsResolver {
  constructor(
    private readonly rentals: Rentals,
    private readonly clock: Clock,
  ) {}

  @FieldResolver(() => RentalConnection, {
    name: 'rentals',
    nullable: true,
    description: 'Its rentals, newest first; null while rentals cannot be asked for.',
  })
  listRentals(
    @Root() account: AccountStub,
    @Args(() => RentalsArgs) args: RentalsArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<RentalType>> | Connection<RentalType> {
    const principal = requirePrincipal(context)
    const isVisible = sees(principal, account.id)
    if (!isVisible) return new RentalConnection(emptyPage, async () => 0)
    return rentalsOf(account.id, args, this.rentals, this.clock)
  }
}

async function rentalsOf(accountId: string, args: RentalsArgs, rentals: Rentals, clock: Clock): Promise<Connection<RentalType>> {
  const status = args.status ?? null
  const page = await rentals.list(accountId, status, args.request())
  return new RentalConnection(
    mapPage(page, (session) => rentalType(session, clock.now())),
    () => rentals.count(accountId, status),
  )
}
