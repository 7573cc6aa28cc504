/** What the graph shows of budgets, and what it takes to make and change one. */
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import type { NanoUsd } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'
import { BudgetAction } from '../ledger/ledger-columns.js'

registerEnumType(BudgetPeriod, {
  name: 'BudgetPeriod',
  description: 'How often a budget begins anew, in UTC.',
  valuesConfig: {
    HOUR: { description: 'With each hour.' },
    DAY: { description: 'With each day.' },
    WEEK: { description: 'With each Monday.' },
    MONTH: { description: 'With each calendar month.' },
    TOTAL: { description: 'Never.' },
  },
})

registerEnumType(BudgetAction, {
  name: 'BudgetAction',
  description: 'What a budget does when it is used up. Both tell webhooks.',
  valuesConfig: {
    STOP: { description: 'Refuses what would exceed it.' },
    WARN: { description: 'Refuses nothing.' },
  },
})

@ObjectType('Budget', { description: 'What an account or some of its keys may spend in a period.', simpleResolvers: true })
export class BudgetType {
  @Field(() => ID, { description: "Such as bdg_...; the account's id for the monthly cap of an account." })
  id!: string

  @Field(() => String, { description: 'A name for people; empty when it has none.' })
  name!: string

  @Field(() => ID, { description: 'The account whose credits it is about.' })
  accountId!: string

  @Field(() => ID, {
    nullable: true,
    description: 'The newest of the keys that it binds; null for one of the whole account.',
  })
  keyId!: string | null

  @Field(() => BudgetPeriod, { description: 'How often it begins anew.' })
  period!: BudgetPeriod

  @Field(() => DecimalScalar, { description: 'USD that may be spent in a period.' })
  amount!: NanoUsd

  @Field(() => DecimalScalar, { description: 'USD spent in the present period.' })
  spent!: NanoUsd

  @Field(() => DecimalScalar, { description: 'USD reserved of it by what is under way.' })
  held!: NanoUsd

  @Field(() => DecimalScalar, { description: 'USD that are left for a new request; never less than 0.' })
  left!: NanoUsd

  @Field(() => Int, { description: 'Percent of the amount at which webhooks are told.' })
  warnAt!: number

  @Field(() => BudgetAction, { description: 'What it does when it is used up.' })
  action!: BudgetAction

  @Field(() => [ID], { nullable: true, description: 'The only models that it is about, by id; null for all that is paid for.' })
  models!: readonly string[] | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the present period began; null for a total.' })
  startsAt!: number | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it begins anew; null for never.' })
  resetsAt!: number | null
}

@ObjectType({ description: 'A new budget.' })
export class CreateBudgetPayload {
  @Field(() => BudgetType, { description: 'The budget.' })
  budget!: BudgetType
}

@ObjectType({ description: 'A budget that was changed.' })
export class UpdateBudgetPayload {
  @Field(() => BudgetType, { description: 'The budget as it is now.' })
  budget!: BudgetType
}

@ObjectType({ description: 'A budget that was deleted.' })
export class DeleteBudgetPayload {
  @Field(() => BudgetType, { description: 'The budget as it was.' })
  budget!: BudgetType
}

@InputType({ description: 'A new budget. It counts what is reserved from now on.' })
export class CreateBudgetInput {
  @Field(() => ID, { nullable: true, description: 'The account that it binds; your own when left out.' })
  accountId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The key that it binds, with those that follow it and that it makes; the whole account when left out.',
  })
  keyId?: string | null

  @Field(() => String, { nullable: true, description: 'A name for people, at most 100 characters.' })
  name?: string | null

  @Field(() => BudgetPeriod, { description: 'How often it begins anew. It stays what it is.' })
  period!: BudgetPeriod

  @Field(() => DecimalScalar, { description: 'USD that may be spent in a period, more than 0.' })
  amount!: string

  @Field(() => Int, {
    nullable: true,
    description: 'Percent of the amount at which webhooks are told, 1 to 100; 80 when left out.',
  })
  warnAt?: number | null

  @Field(() => BudgetAction, { nullable: true, description: 'What it does when it is used up; STOP when left out.' })
  action?: BudgetAction | null

  @Field(() => [String], {
    nullable: true,
    description: 'The only models that it is about, by id or alias; all that is paid for, GPU rentals too, when left out.',
  })
  models?: string[] | null
}

@InputType({ description: 'What to change of a budget; a field that is left out stays. What is spent stays spent.' })
export class UpdateBudgetInput {
  @Field(() => ID, { description: 'The budget.' })
  id!: string

  @Field(() => String, { nullable: true, description: 'A name for people, at most 100 characters.' })
  name?: string | null

  @Field(() => DecimalScalar, { nullable: true, description: 'USD that may be spent in a period, more than 0.' })
  amount?: string | null

  @Field(() => Int, { nullable: true, description: 'Percent of the amount at which webhooks are told, 1 to 100.' })
  warnAt?: number | null

  @Field(() => BudgetAction, { nullable: true, description: 'What it does when it is used up.' })
  action?: BudgetAction | null

  @Field(() => [String], {
    nullable: true,
    description: 'The only models that it is about, by id or alias; null for all that is paid for.',
  })
  models?: string[] | null
}

@InputType({ description: 'Which budget to delete.' })
export class DeleteBudgetInput {
  @Field(() => ID, { description: 'The budget.' })
  id!: string
}
