/** The books of an account in the graph: entries, holds and usage. */
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import { pageArgs, type Connection } from '#platform/paging/connection.js'
import { requirePrincipal, sees, type RequestContext } from '#platform/requests/context.js'
import { fromSources } from '#platform/subgraph.js'
import { ownOrAdministrator } from '../accounts/account-sight.js'
import { AccountType } from '../accounts/account-type.js'
import type { Books } from './books.js'
import { CreditHoldConnection, LedgerEntry, LedgerEntryConnection, type CreditHold } from './ledger-type.js'
import { UsageArgs, UsageByArgs, usageFilter, UsageRecord, UsageRecordConnection, UsageSummary } from './usage-type.js'

const EntriesArgs = pageArgs({ standard: 50, most: 500 })
const HoldsArgs = pageArgs({ standard: 50, most: 500 })

@Resolver(() => AccountType)
export class AccountBooksResolver {
  constructor(private readonly books: Books) {}

  @FieldResolver(() => CreditHoldConnection, { description: 'Open holds, those that expire first before the others.' })
  async holds(
    @Root() account: AccountType,
    @Args(() => HoldsArgs) args: InstanceType<typeof HoldsArgs>,
    @Ctx() context: RequestContext,
  ): Promise<Connection<CreditHold>> {
    ownOrAdministrator(account.id, context)
    return new CreditHoldConnection(await this.books.openHolds(account.id, args.request()))
  }

  @FieldResolver(() => LedgerEntryConnection, { description: 'The ledger, newest first.' })
  async entries(
    @Root() account: AccountType,
    @Args(() => EntriesArgs) args: InstanceType<typeof EntriesArgs>,
    @Ctx() context: RequestContext,
  ): Promise<Connection<LedgerEntry>> {
    ownOrAdministrator(account.id, context)
    return new LedgerEntryConnection(await this.books.entries(account.id, args.request()))
  }

  @FieldResolver(() => UsageRecordConnection, { description: 'Usage records, newest first unless sorted. All filters stack.' })
  async usage(
    @Root() account: AccountType,
    @Args(() => UsageArgs) args: UsageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<UsageRecord>> {
    ownOrAdministrator(account.id, context)
    const page = await this.books.usage(account.id, usageFilter(args), args.sort ?? 'newest', args.request())
    return new UsageRecordConnection(page)
  }

  @FieldResolver(() => [UsageSummary], { description: 'Usage added up. All filters stack.' })
  async usageBy(
    @Root() account: AccountType,
    @Args(() => UsageByArgs) args: UsageByArgs,
    @Ctx() context: RequestContext,
  ): Promise<UsageSummary[]> {
    ownOrAdministrator(account.id, context)
    return this.books.usageSummary(account.id, args.group, usageFilter(args))
  }
}

@Resolver(() => UsageRecord)
export class UsageResolver {
  constructor(private readonly books: Books) {}

  @Query(() => UsageRecord, {
    nullable: true,
    description: 'What one of your requests used and cost, once it has ended; null for what does not exist.',
  })
  async usageRecord(
    @Arg('id', () => ID, { description: 'The request id: `requestId` of an answer, or the header `x-request-id`.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<UsageRecord | null> {
    requirePrincipal(context)
    const [record] = await this.books.usageByIds([id])
    return record && sees(requirePrincipal(context), record.accountId) ? record : null
  }

  @FieldResolver(() => [LedgerEntry], { description: 'The lines of the ledger that charged it, until they are added up by day.' })
  entries(@Root() { accountId, id }: UsageRecord): Promise<LedgerEntry[]> {
    return this.books.entriesOf(accountId, id)
  }

  @Subscription(() => UsageRecord, {
    subscribe: fromSources,
    description: 'What every request of your account used and cost, as it ends. Nothing is repeated from before.',
  })
  usageRecorded(@Root() record: UsageRecord): UsageRecord {
    return record
  }
}
