/** Accounts in the graph: read your own, or any as an administrator; other people's do not exist. */
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import { requirePrincipal, requireScope, type RequestContext } from '#platform/requests/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { formatUsd } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { fromSources } from '#platform/subgraph.js'
import { AccountType, CreateAccountArgs, UpdateAccountArgs, UsageGroupingEnum, UsageSummary, ApiKeyType } from './account-type.js'
import { apiKeyType } from '../keys/api-key-resolver.js'
import type { Account } from './account.js'
import type { Accounts } from './accounts.js'
import type { Books, UsageGrouping } from '../books/books.js'
import type { Keys } from '../keys/keys.js'
import { optionalUsd, positiveUsd } from '../usd-input.js'
import { CreditHold, LedgerEntry, LedgerEntryConnection, UsageConnection } from '../books/ledger-type.js'
import type { AccountSnapshot, Ledger } from '../ledger/ledger.js'

export interface AccountServices {
  readonly accounts: Accounts
  readonly keys: Keys
  readonly ledger: Ledger
  readonly books: Books
}

const DEFAULT_PAGE = 50
const MAX_PAGE = 500

export const accountType = (account: Account): AccountType => AccountType.of(account, formatUsd)

@Resolver(() => AccountType)
export class AccountResolver {
  /** One ledger read an account object, however many of its money fields were asked for. */
  readonly #snapshots = new WeakMap<AccountType, Promise<AccountSnapshot>>()

  constructor(private readonly services: AccountServices) {}

  @Query(() => AccountType, { description: 'The account of the key.' })
  async viewer(@Ctx() context: RequestContext): Promise<AccountType> {
    return accountType(await this.#find(requirePrincipal(context).accountId))
  }

  @Query(() => AccountType, {
    nullable: true,
    description: "One account. Other people's accounts exist for administrators only.",
  })
  async account(
    @Arg('id', () => ID, { description: 'Such as acc_...' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<AccountType | null> {
    const principal = requirePrincipal(context)
    if (principal.accountId !== id && !principal.scopes.has('admin')) return null
    const account = await this.services.accounts.find(id)
    return account && accountType(account)
  }

  @Query(() => [AccountType], { description: 'All accounts, oldest first. For administrators.' })
  async accounts(@Ctx() context: RequestContext): Promise<AccountType[]> {
    requireScope(context, 'admin')
    return (await this.services.accounts.list()).map(accountType)
  }

  @Mutation(() => AccountType, { description: 'Opens an account. For administrators.' })
  async createAccount(
    @Arg('input', () => CreateAccountArgs, { description: 'The new account.' }) input: CreateAccountArgs,
    @Ctx() context: RequestContext,
  ): Promise<AccountType> {
    requireScope(context, 'admin')
    const { credits, monthlyCap, ...rest } = input
    const account = await this.services.accounts.create({
      ...rest,
      ...(credits != null && { credits: positiveUsd(credits, 'credits') }),
      ...(monthlyCap !== undefined && { monthlyCap: optionalUsd(monthlyCap, 'monthly_cap') }),
    })
    return accountType(account)
  }

  @Mutation(() => AccountType, { description: 'Changes an account. For administrators.' })
  async updateAccount(
    @Arg('id', () => ID, { description: 'The account.' }) id: string,
    @Arg('input', () => UpdateAccountArgs, { description: 'What to change.' }) input: UpdateAccountArgs,
    @Ctx() context: RequestContext,
  ): Promise<AccountType> {
    requireScope(context, 'admin')
    const { monthlyCap, maxHourlySpend, ...rest } = input
    const account = await this.services.accounts.update(id, {
      ...rest,
      ...(monthlyCap !== undefined && { monthlyCap: optionalUsd(monthlyCap, 'monthly_cap') }),
      ...(maxHourlySpend !== undefined && { maxHourlySpend: optionalUsd(maxHourlySpend, 'max_hourly_spend') }),
    })
    return accountType(account)
  }

  @Mutation(() => LedgerEntry, {
    description: 'Adds credits to an account. The same idempotency key adds them once. For administrators.',
  })
  async addCredits(
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('amount', () => DecimalScalar, { description: 'USD, more than 0.' }) amount: string,
    @Arg('idempotencyKey', () => String, { description: 'Any text that names this payment.' }) idempotencyKey: string,
    @Ctx() context: RequestContext,
  ): Promise<LedgerEntry> {
    requireScope(context, 'admin')
    if (idempotencyKey.length === 0 || idempotencyKey.length > 200) {
      throw invalidRequest('An idempotency key has 1 to 200 characters.', 'idempotency_key')
    }
    await this.#find(accountId)
    return this.services.books.topUp(accountId, positiveUsd(amount, 'amount'), idempotencyKey)
  }

  @Subscription(() => AccountType, {
    subscribe: fromSources,
    description: 'The account of the key, now and after every change of its balance.',
  })
  creditBalance(@Root() account: Account): AccountType {
    return accountType(account)
  }

  @FieldResolver(() => DecimalScalar, { description: 'Credits in USD, holds included.' })
  async balance(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<string> {
    return formatUsd((await this.#snapshot(account, context)).balance)
  }

  @FieldResolver(() => DecimalScalar, { description: 'USD reserved by what is under way.' })
  async held(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<string> {
    return formatUsd((await this.#snapshot(account, context)).held)
  }

  @FieldResolver(() => DecimalScalar, { description: 'USD that a new request may use: balance less holds.' })
  async available(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<string> {
    return formatUsd((await this.#snapshot(account, context)).available)
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'Most USD that may be spent in a calendar month (UTC); null for no cap.',
  })
  async monthlyCap(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<string | null> {
    const { monthlyCap } = await this.#snapshot(account, context)
    return monthlyCap === null ? null : formatUsd(monthlyCap)
  }

  @FieldResolver(() => DecimalScalar, { description: 'USD spent in this calendar month (UTC).' })
  async spentThisMonth(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<string> {
    return formatUsd((await this.#snapshot(account, context)).spent)
  }

  @FieldResolver(() => [ApiKeyType], { description: 'API keys, newest first, revoked ones included.' })
  async keys(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<ApiKeyType[]> {
    ownOrAdministrator(account.id, context)
    const keys = await this.services.keys.list(account.id)
    const budgets = await this.services.keys.budgets(keys)
    return keys.map((key) => apiKeyType(key, budgets))
  }

  @FieldResolver(() => [CreditHold], { description: 'Open holds.' })
  async holds(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<CreditHold[]> {
    ownOrAdministrator(account.id, context)
    return this.services.books.openHolds(account.id)
  }

  @FieldResolver(() => LedgerEntryConnection, { description: 'The ledger, newest first.' })
  async entries(
    @Root() account: AccountType,
    @Ctx() context: RequestContext,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 50 when left out, 500 at most.' }) first?: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' }) after?: string,
  ): Promise<LedgerEntryConnection> {
    ownOrAdministrator(account.id, context)
    return this.services.books.entries(account.id, { first: pageSize(first), after: after ?? null })
  }

  @FieldResolver(() => UsageConnection, { description: 'Usage records, newest first.' })
  async usage(
    @Root() account: AccountType,
    @Ctx() context: RequestContext,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 50 when left out, 500 at most.' }) first?: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' }) after?: string,
  ): Promise<UsageConnection> {
    ownOrAdministrator(account.id, context)
    return this.services.books.usage(account.id, { first: pageSize(first), after: after ?? null })
  }

  @FieldResolver(() => [UsageSummary], { description: 'Usage added up.' })
  async usageBy(
    @Root() account: AccountType,
    @Ctx() context: RequestContext,
    @Arg('group', () => UsageGroupingEnum, { description: 'By day, model or key.' }) group: UsageGrouping,
    @Arg('since', () => DateTimeScalar, { nullable: true, description: '30 days ago when left out.' }) since?: Date,
    @Arg('until', () => DateTimeScalar, { nullable: true, description: 'Now when left out.' }) until?: Date,
  ): Promise<UsageSummary[]> {
    ownOrAdministrator(account.id, context)
    return this.services.books.usageSummary(account.id, group, since?.getTime() ?? null, until?.getTime() ?? null)
  }

  #snapshot(account: AccountType, context: RequestContext): Promise<AccountSnapshot> {
    ownOrAdministrator(account.id, context)
    const snapshot = this.#snapshots.get(account) ?? this.services.ledger.read(account.id)
    this.#snapshots.set(account, snapshot)
    return snapshot
  }

  async #find(id: string): Promise<Account> {
    const account = await this.services.accounts.find(id)
    if (!account) throw new AppError('not_found', 'There is no such account.', { param: 'account_id' })
    return account
  }
}

/** An account can be reached as an entity through other subgraphs' objects; its inside is still its own. */
function ownOrAdministrator(accountId: string, context: RequestContext): void {
  const principal = requirePrincipal(context)
  if (principal.accountId !== accountId && !principal.scopes.has('admin')) {
    throw new AppError('not_found', 'There is no such account.')
  }
}

function pageSize(first: number | undefined): number {
  const size = first ?? DEFAULT_PAGE
  if (size < 1 || size > MAX_PAGE) throw invalidRequest(`"first" is from 1 to ${MAX_PAGE}.`, 'first')
  return size
}
