/** Budgets in the graph. Whoever a budget binds can see it; only administrators change any. */
import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { AppError } from '#platform/errors.js'
import {
  isAdministrator,
  requirePrincipal,
  requireScope,
  type Principal,
  type RequestContext,
} from '#platform/requests/context.js'
import { AccountType } from '../accounts/account-type.js'
import { ownOrAdministrator } from '../accounts/account-sight.js'
import type { Accounts } from '../accounts/accounts.js'
import type { Keys } from '../keys/keys.js'
import { positiveUsd } from '../usd-input.js'
import type { Budget } from './budget.js'
import type { Budgets } from './budgets.js'
import {
  BudgetType,
  CreateBudgetInput,
  CreateBudgetPayload,
  DeleteBudgetInput,
  DeleteBudgetPayload,
  UpdateBudgetInput,
  UpdateBudgetPayload,
} from './budget-type.js'

@Resolver(() => AccountType)
export class BudgetResolver {
  constructor(
    private readonly budgets: Budgets,
    private readonly accounts: Accounts,
    private readonly keys: Keys,
  ) {}

  @FieldResolver(() => [BudgetType], {
    name: 'budgets',
    description:
      'What may be spent of the account in a period: the budgets that bind your key and its account, monthly caps included. ' +
      'Administrators see those of all keys, but of monthly caps of keys only that of their own.',
  })
  async ofAccount(@Root() account: AccountType, @Ctx() context: RequestContext): Promise<BudgetType[]> {
    ownOrAdministrator(account.id, context)
    const principal = requirePrincipal(context)
    const all = isAdministrator(principal)
    return this.#show(await (all ? this.budgets.ofAccount(account.id, principal) : this.budgets.binding(principal)))
  }

  @Mutation(() => CreateBudgetPayload, {
    description: 'Administrators only: bounds what an account or a key may spend in a period, in every process at once.',
  })
  async createBudget(
    @Arg('input', () => CreateBudgetInput, { description: 'The new budget.' }) input: CreateBudgetInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateBudgetPayload> {
    const principal = requireScope(context, 'admin')
    const { keyId = null, period, amount, name, warnAt, action, models } = input
    const accountId = await this.#boundAccount(input, principal)
    const terms = { cap: positiveUsd(amount, 'amount'), every: period, name, warnAt, action, models: models ?? null }
    return { budget: await this.#showOne(await this.budgets.create({ accountId, keyId, ...terms })) }
  }

  @Mutation(() => UpdateBudgetPayload, { description: 'Administrators only: changes a budget, in every process at once.' })
  async updateBudget(
    @Arg('input', () => UpdateBudgetInput, { description: 'Which budget, and what to change.' })
    { id, amount, ...change }: UpdateBudgetInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateBudgetPayload> {
    requireScope(context, 'admin')
    const cap = amount == null ? null : positiveUsd(amount, 'amount')
    return { budget: await this.#showOne(await this.budgets.update(id, { ...change, cap })) }
  }

  @Mutation(() => DeleteBudgetPayload, { description: 'Administrators only: ends a budget, in every process at once.' })
  async deleteBudget(
    @Arg('input', () => DeleteBudgetInput, { description: 'Which budget.' }) { id }: DeleteBudgetInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteBudgetPayload> {
    requireScope(context, 'admin')
    return { budget: await this.#showOne(await this.budgets.remove(id)) }
  }

  async #boundAccount({ accountId, keyId }: CreateBudgetInput, principal: Principal): Promise<string> {
    if (keyId == null) {
      if (accountId == null || (await this.accounts.find(accountId))) return accountId ?? principal.accountId
      throw new AppError('not_found', 'There is no such account.', { param: 'accountId' })
    }
    const key = await this.keys.find(keyId, accountId ?? null)
    if (!key) throw new AppError('not_found', 'There is no such API key.', { param: 'keyId' })
    return key.accountId
  }

  async #showOne(budget: Budget): Promise<BudgetType> {
    return (await this.#show([budget]))[0]!
  }

  async #show(budgets: readonly Budget[]): Promise<BudgetType[]> {
    const keys = await this.budgets.keysOf(budgets)
    return budgets.map((budget) => budgetType(budget, keys.get(budget.id) ?? null))
  }
}

function budgetType({ cap, every, startsAt, ...budget }: Budget, keyId: string | null): BudgetType {
  const { spent, held, resetsAt } = budget
  const left = cap - spent - held
  const shown = { keyId, amount: cap, period: every, left: left > 0n ? left : 0n, startsAt: resetsAt === null ? null : startsAt }
  return Object.assign(new BudgetType(), budget, shown)
}
