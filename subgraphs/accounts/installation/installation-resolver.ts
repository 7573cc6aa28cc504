/** The program itself in the graph, for administrators: its version, its settings, and whether its books are in order. */
import { Ctx, Field, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Clock } from '#platform/clock.js'
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import { DateTimeScalar, JsonScalar } from '#platform/scalars.js'
import type { InvariantReport, Ledger } from '../ledger/ledger.js'
import type { Installation, Reloaded, Setting } from '../ports.js'

@ObjectType('Setting', { description: 'A setting in force.', simpleResolvers: true })
class SettingType implements Setting {
  @Field(() => String, { description: 'Its path in the configuration file, such as "limits.request_seconds".' })
  name!: string

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Its value; addresses are without passwords and parameters, a long list is told by its length.',
  })
  value!: unknown

  @Field(() => Boolean, { description: 'Whether the value is hidden, because it is a secret.' })
  isHidden!: boolean

  @Field(() => Boolean, { description: 'Whether nobody has changed it.' })
  isDefault!: boolean
}

@ObjectType('Installation', { description: 'The program that answers, and how it was set up.', simpleResolvers: true })
class InstallationType implements Omit<Installation, 'reload'> {
  @Field(() => String, { description: 'The version of the program.' })
  version!: string

  @Field(() => String, { nullable: true, description: 'The configuration file that was read; null when there was none.' })
  configFile!: string | null

  @Field(() => [SettingType], {
    description:
      'Every setting in force, in the order of the file. Of several servers, those of the one that answers for accounts.',
  })
  settings!: readonly SettingType[]
}

@ObjectType({ description: 'What reading the configuration again has changed.', simpleResolvers: true })
class ReloadConfigurationPayload implements Reloaded {
  @Field(() => [String], { description: 'Paths of settings that changed and are in force now.' })
  applied!: readonly string[]

  @Field(() => [String], { description: 'Paths of settings that changed and will be in force after a restart.' })
  needsRestart!: readonly string[]
}

@ObjectType('LedgerViolation', { description: 'A promise of the ledger that is broken.', simpleResolvers: true })
class LedgerViolation {
  @Field(() => String, { description: 'The promise, in words.' })
  promise!: string

  @Field(() => String, { description: 'The id of the account, hold, budget or request at fault.' })
  subject!: string

  @Field(() => String, { description: 'What was found.' })
  detail!: string
}

@ObjectType('LedgerCheck', {
  description: 'Whether the ledger keeps its promises, from one look at all of it.',
  simpleResolvers: true,
})
class LedgerCheck {
  @Field(() => DateTimeScalar, { description: 'When it was looked at.' })
  checkedAt!: number

  @Field(() => Boolean, { description: 'Whether no promise is broken.' })
  isBalanced!: boolean

  @Field(() => Int, { description: 'How many accounts it has.' })
  accounts!: number

  @Field(() => Int, { description: 'How many entries.' })
  entries!: number

  @Field(() => Int, { description: 'How many open holds.' })
  openHolds!: number

  @Field(() => Int, {
    description: 'Charges of ended requests that this server has yet to write, because the database was in trouble.',
  })
  unsettled!: number

  @Field(() => [LedgerViolation], { description: 'Broken promises, at most 20 of each.' })
  violations!: readonly LedgerViolation[]
}

export interface InstallationServices {
  readonly ledger: Pick<Ledger, 'checkInvariants' | 'unsettledOutcomes'>
  readonly installation: Installation
  readonly clock: Clock
}

@Resolver()
export class InstallationResolver {
  #checking: Promise<InvariantReport> | null = null

  constructor(private readonly services: InstallationServices) {}

  @Query(() => InstallationType, {
    name: 'installation',
    description: 'The program and its settings, without secrets. For administrators.',
  })
  describe(@Ctx() context: RequestContext): InstallationType {
    requireScope(context, 'admin')
    const { version, configFile, settings } = this.services.installation
    return { version, configFile, settings }
  }

  @Mutation(() => ReloadConfigurationPayload, {
    description:
      'Reads the configuration again, in every process, and applies what changed: all of it, or nothing with the reason. For administrators.',
  })
  async reloadConfiguration(@Ctx() context: RequestContext): Promise<ReloadConfigurationPayload> {
    requireScope(context, 'admin')
    return { ...(await this.services.installation.reload()) }
  }

  @Query(() => LedgerCheck, {
    description: 'Checks the whole ledger, which takes seconds when it is large. For administrators.',
  })
  async ledgerCheck(@Ctx() context: RequestContext): Promise<LedgerCheck> {
    requireScope(context, 'admin')
    const { ledger, clock } = this.services
    // However many ask, it is read once at a time.
    this.#checking ??= ledger.checkInvariants().finally(() => (this.#checking = null))
    const { ok, violations, ...counts } = await this.#checking
    return {
      checkedAt: clock.now(),
      isBalanced: ok,
      ...counts,
      unsettled: ledger.unsettledOutcomes(),
      violations: violations.map(({ invariant, ...found }) => ({ promise: invariant, ...found })),
    }
  }
}
