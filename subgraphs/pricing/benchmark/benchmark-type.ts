/** The price benchmark as GraphQL shows it. */
import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { PricePerMillion } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { ModelStub } from '../entity-stubs.js'

@ObjectType('BenchmarkModelMeta', { description: 'What is compared.', simpleResolvers: true })
export class BenchmarkModelMetaType {
  @Field(() => String, { description: 'The name for people.' })
  displayName!: string

  @Field(() => Int, { description: 'Tokens of input and output together.' })
  contextWindow!: number

  @Field(() => Float, { description: 'Billions of parameters; 0 when not published.' })
  paramsB!: number

  @Field(() => Boolean, { description: 'Whether its weights are published.' })
  openWeight!: boolean
}

@ObjectType('BenchmarkPrice', { description: 'Our cheapest routable price of the model.', simpleResolvers: true })
export class BenchmarkPriceType {
  @Field(() => DecimalScalar, { description: 'US dollars per million input tokens.' })
  inputPerMillion!: PricePerMillion

  @Field(() => DecimalScalar, { description: 'US dollars per million output tokens.' })
  outputPerMillion!: PricePerMillion

  @Field(() => ID, { description: 'The routing identifier of the host.' })
  providerId!: string
}

@ObjectType('CompetitorPrice', { description: 'What another vendor charges.', simpleResolvers: true })
export class CompetitorPriceType {
  @Field(() => String, { description: 'Who.' })
  vendor!: string

  @Field(() => String, { description: 'For which model.' })
  label!: string

  @Field(() => DecimalScalar, { description: 'US dollars per million input tokens.' })
  inputPerMillion!: PricePerMillion

  @Field(() => DecimalScalar, { description: 'US dollars per million output tokens.' })
  outputPerMillion!: PricePerMillion

  @Field(() => Boolean, { description: 'true: the same model elsewhere; false: a closed model of the same tier.' })
  isSameModel!: boolean

  @Field(() => DecimalScalar, { description: 'What ours saves, in per cent of theirs; negative when ours is higher.' })
  savingPercent!: string

  @Field(() => String, { description: 'Where the price was read.' })
  source!: string

  @Field(() => DateTimeScalar, { description: 'The day on which the source last changed it.' })
  date!: Date
}

@ObjectType('BenchmarkEntry', { description: 'One model of ours beside what others charge.', simpleResolvers: true })
export class BenchmarkEntryType {
  @Field(() => ID, { description: 'The canonical model id.' })
  canonicalModelId!: string

  @Field(() => ModelStub, { nullable: true, description: 'The model; null while the catalogue does not answer.' })
  model!: ModelStub | null

  @Field(() => BenchmarkModelMetaType, { description: 'What is compared.' })
  modelMeta!: BenchmarkModelMetaType

  @Field(() => BenchmarkPriceType, { description: 'What we charge.' })
  ourPrice!: BenchmarkPriceType

  @Field(() => [CompetitorPriceType], {
    description: 'What others charge: the same model first, then closed models of the tier.',
  })
  competitors!: CompetitorPriceType[]
}

@ObjectType('BenchmarkList', { description: 'The price benchmark.', simpleResolvers: true })
export class BenchmarkListType {
  @Field(() => [BenchmarkEntryType], { description: 'Models that we can route to at a price, ordered by id.' })
  benchmarks!: BenchmarkEntryType[]

  @Field(() => DateTimeScalar, { description: 'The newest day among the compared prices.' })
  updatedAt!: Date
}
