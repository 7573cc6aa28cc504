/** The ways to GPUs in the graph, for administrators. */
import { Ctx, Field, ID, Int, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql'
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import { DateTimeScalar } from '#platform/scalars.js'
import { DriverHealth, type DriverStates } from './driver-states.js'

registerEnumType(DriverHealth, {
  name: 'GpuDriverHealth',
  description: 'Whether a way to GPUs answers.',
  valuesConfig: {
    ANSWERING: { description: 'It answers.' },
    REFUSING: { description: 'It refuses our key.' },
    LIMITING: { description: 'It limits our rate.' },
    SILENT: { description: 'It does not answer, or with faults.' },
  },
})

@ObjectType('GpuOrphan', {
  description: 'A machine of this installation that no session answers for. The sweep destroys it.',
  simpleResolvers: true,
})
class GpuOrphanType {
  @Field(() => ID, { description: 'What its provider calls it.' })
  instanceId!: string

  @Field(() => String, { description: 'The name that we gave it.' })
  label!: string
}

@ObjectType('GpuDriver', { description: 'One way to GPUs, and how it is now.', simpleResolvers: true })
class GpuDriverType {
  @Field(() => ID, { description: 'Its id in the configuration.' })
  id!: string

  @Field(() => DriverHealth, { description: 'Whether it answers.' })
  health!: DriverHealth

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when nothing new is started on it, because it kept failing; null when it may be used.',
  })
  circuitOpenUntil!: number | null

  @Field(() => Int, { description: 'How many offers it has, as they were last fetched.' })
  offerCount!: number

  @Field(() => [GpuOrphanType], {
    nullable: true,
    description:
      'Machines that no session answers for; null while it does not say what exists. Processes of another machine are seen by its own servers only.',
  })
  orphans!: readonly GpuOrphanType[] | null
}

@Resolver(() => GpuDriverType)
export class DriverResolver {
  constructor(private readonly states: DriverStates) {}

  @Query(() => [GpuDriverType], { description: 'The ways to GPUs, each asked now how it is. For administrators.' })
  async gpuDrivers(@Ctx() context: RequestContext): Promise<GpuDriverType[]> {
    requireScope(context, 'admin')
    const states = await this.states.list()
    return states.map(({ orphans, ...state }) => ({
      ...state,
      orphans: orphans && orphans.map(({ instanceId, label }) => ({ instanceId, label })),
    }))
  }
}
