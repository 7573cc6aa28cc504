/** Refused requests of an account in the graph. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Connection } from '#platform/paging/connection.js'
import { mapPage } from '#platform/paging/page.js'
import type { RequestContext } from '#platform/requests/context.js'
import { ownOrAdministrator } from '../accounts/account-sight.js'
import { AccountType } from '../accounts/account-type.js'
import { RefusedRequestConnection, RefusedRequestsArgs, RefusedRequestType } from './refusal-type.js'
import type { Refusals } from './refusals.js'

@Resolver(() => AccountType)
export class RefusalsResolver {
  constructor(private readonly refusals: Refusals) {}

  @FieldResolver(() => RefusedRequestConnection, {
    description:
      'Chat requests of the last days that were refused before a provider was asked, newest first: the first 60 of each minute.',
  })
  async refusedRequests(
    @Root() account: AccountType,
    @Args(() => RefusedRequestsArgs) args: RefusedRequestsArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<RefusedRequestType>> {
    ownOrAdministrator(account.id, context)
    const filter = { keyId: args.key ?? null, code: args.code ?? null }
    const page = await this.refusals.page(account.id, filter, args.request())
    return new RefusedRequestConnection(mapPage(page, (refusal) => Object.assign(new RefusedRequestType(), refusal)))
  }
}
