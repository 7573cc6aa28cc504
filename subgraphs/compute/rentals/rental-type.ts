/** Rentals and model sessions as GraphQL shows them. */
import { Directive, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { NanoUsd } from '#platform/money.js'
import { countedConnectionType } from '#platform/paging/connection.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { InterruptionOrigin, RentalStatus, SessionPhase, TerminationReason } from '../compute-enums.js'
import { costSoFar, MAX_LABEL, sessionHourlyPrice, statusOf, type GpuSession } from '../sessions/session.js'
import { remainingSeconds } from '../deployments/deploying-status.js'
import { GpuOfferType } from '../offers/offer-type.js'

@Directive('@key(fields: "id")')
@ObjectType('Rental', { description: 'A GPU that an account rents for itself.', simpleResolvers: true })
export class RentalType {
  @Field(() => ID, { description: 'Such as rent_...; `rental_id` of the REST API.' })
  id!: string

  @Field(() => String, { nullable: true, description: 'The name that whoever rented it gave it.' })
  label!: string | null

  @Field(() => RentalStatus, { description: 'Whether it can be used, and so is billed.' })
  status!: ReturnType<typeof statusOf>

  @Field(() => SessionPhase, { description: 'What the machine is doing.' })
  phase!: GpuSession['phase']

  @Field(() => TerminationReason, { nullable: true, description: 'Why it ended; null while it has not.' })
  terminationReason!: GpuSession['terminationReason']

  @Field(() => String, { description: 'The GPU, such as "L4".' })
  gpuModel!: string

  @Field(() => Int, { description: 'Memory of one GPU in gigabytes.' })
  vramGb!: number

  @Field(() => Int, { description: 'How many GPUs.' })
  gpuCount!: number

  @Field(() => ID, { description: 'The routing identifier of the provider.' })
  providerId!: string

  @Field(() => String, { description: 'Where the GPU is.' })
  region!: string

  @Field(() => Boolean, { description: 'Whether the provider may take it away.' })
  spot!: boolean

  @Field(() => Float, { description: 'How likely that was within 30 days when it was rented, 0 to 1.' })
  interruptionProbability!: number

  @Field(() => InterruptionOrigin, { description: 'Where that probability came from.' })
  interruptionOrigin!: GpuSession['interruptionOrigin']

  @Field(() => DecimalScalar, { description: 'USD per GPU and hour: the agreed price.' })
  pricePerGpuHour!: NanoUsd

  @Field(() => DecimalScalar, { description: 'USD per hour for all its GPUs.' })
  pricePerHour!: NanoUsd

  @Field(() => DecimalScalar, { description: 'USD billed so far; final once terminated.' })
  cost!: NanoUsd

  @Field(() => DecimalScalar, {
    description: 'USD set aside for it: the most it can cost before the next top-up; 0 once terminated.',
  })
  hold!: NanoUsd

  @Field(() => String, { nullable: true, description: 'The model it serves.' })
  modelId!: string | null

  @Field(() => String, { nullable: true, description: "The image it runs; null for the provider's own." })
  dockerImage!: string | null

  @Field(() => Boolean, { description: 'Whether it serves a fine-tuned variant.' })
  fineTuned!: boolean

  @Field(() => String, { nullable: true, description: 'Base URL of what it serves, ending in /v1, while it runs.' })
  endpoint!: string | null

  @Field(() => String, { nullable: true, description: 'The bearer key that its endpoint demands, while it runs.' })
  endpointKey!: string | null

  @Field(() => String, { nullable: true, description: 'Host for SSH, while it runs and when a key was given.' })
  sshHost!: string | null

  @Field(() => Int, { nullable: true, description: 'Port for SSH.' })
  sshPort!: number | null

  @Field(() => Int, { nullable: true, description: 'Seconds until it probably runs; only while provisioning.' })
  estimatedReadySeconds!: number | null

  @Field(() => DateTimeScalar, { description: 'When it was asked for.' })
  createdAt!: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it began to run and to be billed.' })
  startedAt!: number | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it ended for its owner.' })
  terminatedAt!: number | null

  @Field(() => Int, {
    nullable: true,
    description: 'In `rentalStatus` and `rentalsChanged`, the number of the event that this follows; else null.',
  })
  sequence!: number | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'In `rentalStatus` and `rentalsChanged`, when it became what it is there; else null.',
  })
  changedAt!: number | null
}

@ObjectType('GpuSession', {
  description: 'The GPU that serves a model for everyone, or is being set up to.',
  simpleResolvers: true,
})
export class GpuSessionType {
  @Field(() => ID, { description: 'Such as gses_...' })
  id!: string

  @Field(() => RentalStatus, { description: 'Whether it serves.' })
  status!: ReturnType<typeof statusOf>

  @Field(() => SessionPhase, { description: 'What the machine is doing.' })
  phase!: GpuSession['phase']

  @Field(() => String, { description: 'The GPU, such as "L4".' })
  gpuModel!: string

  @Field(() => Int, { description: 'How many GPUs.' })
  gpuCount!: number

  @Field(() => ID, { description: 'The routing identifier of the provider.' })
  providerId!: string

  @Field(() => String, { description: 'Where the GPU is.' })
  region!: string

  @Field(() => DecimalScalar, { description: 'USD per hour for all its GPUs.' })
  pricePerHour!: NanoUsd

  @Field(() => Int, { nullable: true, description: 'Seconds until it probably serves; null once it does.' })
  estimatedReadySeconds!: number | null

  @Field(() => DateTimeScalar, { description: 'When it was asked for.' })
  createdAt!: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it began to serve.' })
  startedAt!: number | null
}

export const RentalConnection = countedConnectionType(RentalType, { name: 'Rental', of: 'rentals, newest first.' })

@ObjectType({ description: 'A GPU that was rented.' })
export class RentGpuPayload {
  @Field(() => RentalType, { description: 'The rental, which is being set up.' })
  rental!: RentalType
}

@ObjectType({ description: 'A rental that was ended.' })
export class TerminateRentalPayload {
  @Field(() => RentalType, { description: 'The rental as it is now.' })
  rental!: RentalType
}

@InputType({ description: 'Which rental to end.' })
export class TerminateRentalInput {
  @Field(() => ID, { description: 'The rental.' })
  id!: string
}

@InputType({ description: 'What to rent. One of modelId, dockerImage and sshKey is required.' })
export class RentGpuInput {
  @Field(() => String, { description: 'The GPU, such as "L4", as in the offers.' })
  gpuModel!: string

  @Field(() => ID, { nullable: true, description: 'Only this provider; the cheapest when left out.' })
  providerId?: string | null

  @Field(() => String, { nullable: true, description: 'Only this region; the cheapest when left out.' })
  region?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only an offer that the provider may take away, or only one that it may not; the cheapest when left out.',
  })
  spot?: boolean | null

  @Field(() => String, { nullable: true, description: 'A model to serve.' })
  modelId?: string | null

  @Field(() => String, { nullable: true, description: 'An image to run.' })
  dockerImage?: string | null

  @Field(() => String, { nullable: true, description: 'One public SSH key in OpenSSH format; the machine then accepts it.' })
  sshKey?: string | null

  @Field(() => Boolean, { nullable: true, description: 'The model is a fine-tuned variant; the machine is set up for it.' })
  fineTuned?: boolean | null

  @Field(() => String, {
    nullable: true,
    description: `A name of your own for the rental: 1 to ${MAX_LABEL} characters on one line.`,
  })
  label?: string | null

  @Field(() => DecimalScalar, { nullable: true, description: 'The most that one GPU may cost, USD per hour.' })
  maxPricePerGpuHour?: string | null
}

@ObjectType('GpuQuote', {
  description: 'What a rent request would get at this moment; nothing is reserved.',
  simpleResolvers: true,
})
export class GpuQuoteType {
  @Field(() => GpuOfferType, { description: 'The offer that would be taken.' })
  offer!: GpuOfferType

  @Field(() => Int, { description: 'How many GPUs it would be.' })
  gpuCount!: number

  @Field(() => DecimalScalar, { description: 'USD per hour for all its GPUs, billed by the second while it runs.' })
  pricePerHour!: NanoUsd

  @Field(() => DecimalScalar, { description: 'USD that would be set aside first; what is not used comes back.' })
  hold!: NanoUsd

  @Field(() => Int, { description: 'Seconds until it would probably run.' })
  estimatedReadySeconds!: number
}

const secondsLeft = (session: GpuSession, now: number): number | null =>
  statusOf(session) === 'provisioning' ? remainingSeconds(session, now) : null

/** Fields that are named like a column are that column; only declared fields are shown. */
export function rentalType(session: GpuSession, now: number, sequence: number | null = null): RentalType {
  const status = statusOf(session)
  const isRunning = status === 'running'
  const isServing = isRunning && session.endpointUrl !== null
  return {
    ...session,
    label: session.renterLabel,
    status,
    interruptionProbability: session.interruptionPermille / 1000,
    pricePerHour: sessionHourlyPrice(session),
    cost: costSoFar(session, 0n),
    hold: status === 'terminated' ? 0n : session.holdAmount,
    endpoint: isServing ? session.endpointUrl : null,
    endpointKey: isServing ? session.endpointKey : null,
    sshHost: isRunning && session.sshKey !== null ? session.sshHost : null,
    sshPort: isRunning && session.sshKey !== null ? session.sshPort : null,
    estimatedReadySeconds: secondsLeft(session, now),
    startedAt: session.runningAt,
    sequence,
    changedAt: sequence === null ? null : now,
  }
}

export const gpuSessionType = (session: GpuSession, now: number): GpuSessionType => ({
  ...session,
  status: statusOf(session),
  pricePerHour: sessionHourlyPrice(session),
  estimatedReadySeconds: secondsLeft(session, now),
  startedAt: session.runningAt,
})
