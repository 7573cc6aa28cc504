/** Accounts in the graph: read your own, or any as an administrator; other people's do not exist. */
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import { pageArgs, type Connection } from '#platform/paging/connection.js'
import { mapPage } from '#platform/paging/page.js'
import { requirePrincipal, requireScope, sees, type RequestContext } from '#platform/requests/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import type { NanoUsd } from '#platform/money.js'
import { DecimalScalar } from '#platform/scalars.js'
import { fromSources } from '#platform/subgraph.js'
import { ApiKeyConnection, type ApiKeyType } from '../keys/api-key-type.js'
import { apiKeyType } from '../keys/api-key-resolver.js'
import type { Books } from '../books/books.js'
import type { Keys } from '../keys/keys.js'
import type { AccountSnapshot, Ledger } from '../ledger/ledger.js'
import { optionalUsd, positiveUsd, usdFromZero } from '../usd-input.js'
import {
  AccountConnection,
  AccountType,
  AddCreditsInput,
  AddCreditsPayload,
  CreateAccountInput,
  CreateAccountPayload,
  UpdateAccountInput,
  UpdateAccountPayload,
} from './account-type.js'
import type { Account } from './account.js'
import type { Accounts } from './accounts.js'
import { ownOrAdministrator } from './account-sight.js'

export interface AccountServices {
  readonly accounts: Accounts
  readonly keys: Keys
  readonly ledger: Ledger
  readonly books: Books
}

/** Fields are named like the columns that they show; only declared fields are shown. */
export const accountType = (account: Account): AccountType => Object.assign(new AccountType(), account)

const AccountsArgs = pageArgs({ standard: 50, most: 500 })
const KeysArgs = pageArgs({ standard: 50, most: 500 })

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
    if (!sees(principal, id)) return null
    const account = await this.services.accounts.find(id)
    return account && accountType(account)
  }

  @Query(() => AccountConnection, { name: 'accounts', description: 'All accounts, oldest first. For administrators.' })
  async listAccounts(
    @Args(() => AccountsArgs) args: InstanceType<typeof AccountsArgs>,
    @Ctx() context: RequestContext,
  ): Promise<Connection<AccountType>> {
    requireScope(context, 'admin')
    const { accounts } = this.services
    return new AccountConnection(mapPage(await accounts.page(args.request()), accountType), () => accounts.count())
  }

  @Mutation(() => CreateAccountPayload, { description: 'Opens an account. For administrators.' })
  async createAccount(
    @Arg('input', () => CreateAccountInput, { description: 'The new account.' }) input: CreateAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateAccountPayload> {
    requireScope(context, 'admin')
    const { credits, monthlyCap, ...rest } = input
    const account = await this.services.accounts.create({
      ...rest,
      ...(credits != null && { credits: usdFromZero(credits, 'credits') }),
      ...(monthlyCap !== undefined && { monthlyCap: monthlyCap === null ? null : usdFromZero(monthlyCap, 'monthlyCap') }),
    })
    return { account: accountType(account) }
  }

  @Mutation(() => UpdateAccountPayload, { description: 'Changes an account. For administrators.' })
  async updateAccount(
    @Arg('input', () => UpdateAccountInput, { description: 'Which account, and what to change.' }) input: UpdateAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateAccountPayload> {
    requireScope(context, 'admin')
    const { id, monthlyCap, maxHourlySpend, ...rest } = input
    const account = await this.services.accounts.update(id, {
      ...rest,
      ...(monthlyCap !== undefined && { monthlyCap: monthlyCap === null ? null : usdFromZero(monthlyCap, 'monthlyCap') }),
      ...(maxHourlySpend !== undefined && { maxHourlySpend: optionalUsd(maxHourlySpend, 'maxHourlySpend') }),
    })
    return { account: accountType(account) }
  }

  @Mutation(() => AddCreditsPayload, {
    description: 'Adds credits to an account. The same idempotency key adds them once. For administrators.',
  })
  async addCredits(
    @Arg('input', () => AddCreditsInput, { description: 'Which account, and how much.' }) input: AddCreditsInput,
    @Ctx() context: RequestContext,
  ): Promise<AddCreditsPayload> {
    requireScope(context, 'admin')
    const { accountId, amount, idempotencyKey } = input
    if (idempotencyKey.length === 0 || idempotencyKey.length > 200) {
      throw invalidRequest('An idempotency key has 1 to 200 characters.', 'idempotencyKey')
    }
    const account = accountType(await this.#find(accountId))
    return { entry: await this.services.books.topUp(accountId, positiveUsd(amount, 'amount'), idempotencyKey), account }
  }

  @Subscription(() => AccountType, {
    subscribe: fromSources,
    description: 'The account of the key, now and after every change of its balance.',
  })
  creditBalance(@Root() account: Account): AccountType {
    return accountType(account)
  }

  @FieldResolver(() => DecimalScalar, { description: 'Credits in USD, holds included.' })
  async balance(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<NanoUsd> {
    return (await this.#snapshot(account, context)).balance
  }

  @FieldResolver(() => DecimalScalar, { description: 'USD reserved by what is under way.' })
  async held(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<NanoUsd> {
    return (await this.#snapshot(account, context)).held
  }

  @FieldResolver(() => DecimalScalar, { description: 'USD that a new request may use: balance less holds.' })
  async available(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<NanoUsd> {
    return (await this.#snapshot(account, context)).available
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'Most USD that may be spent in a calendar month (UTC); null for no cap.',
  })
  async monthlyCap(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<NanoUsd | null> {
    const { monthlyCap } = await this.#snapshot(account, context)
    return monthlyCap
  }

  @FieldResolver(() => DecimalScalar, { description: 'USD spent in this calendar month (UTC).' })
  async spentThisMonth(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<NanoUsd> {
    return (await this.#snapshot(account, context)).spent
  }

  @FieldResolver(() => ApiKeyConnection, { description: 'API keys, newest first, revoked ones included.' })
  async keys(
    @Root() account: AccountType,
    @Args(() => KeysArgs) args: InstanceType<typeof KeysArgs>,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ApiKeyType>> {
    ownOrAdministrator(account.id, context)
    const { keys } = this.services
    const page = await keys.page(account.id, args.request())
    const budgets = await keys.budgets(page.edges.map(({ node }) => node))
    return new ApiKeyConnection(
      mapPage(page, (key) => apiKeyType(key, budgets)),
      () => keys.count(account.id),
    )
  }

  #snapshot(account: AccountType, context: RequestContext): Promise<AccountSnapshot> {
    ownOrAdministrator(account.id, context)
    const snapshot = this.#snapshots.get(account) ?? this.services.ledger.read(account.id)
    this.#snapshots.set(account, snapshot)
    return snapshot
  }

  async #find(id: string): Promise<Account> {
    const account = await this.services.accounts.find(id)
    if (!account) throw new AppError('not_found', 'There is no such account.', { param: 'accountId' })
    return account
  }
}
