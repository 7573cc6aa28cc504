/** Stored responses as GraphQL shows and takes them. */
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { DateTimeScalar, JsonObjectScalar } from '#platform/scalars.js'
import type { JsonObject } from '../tokens/usage.js'

@ObjectType('StoredResponse', {
  description: "A response of OpenAI's Responses API that its caller asked to keep.",
  simpleResolvers: true,
})
export class StoredResponseType {
  @Field(() => ID, { description: 'Such as resp_...' })
  id!: string

  @Field(() => ID, { nullable: true, description: 'The response that it goes on from.' })
  previousId!: string | null

  @Field(() => DateTimeScalar, { description: 'When it was stored.' })
  createdAt!: number

  @Field(() => JsonObjectScalar, { description: 'The response as it was answered.' })
  response!: JsonObject

  @Field(() => [JsonObjectScalar], { description: 'What was new in its input, as items of the API.' })
  items!: readonly JsonObject[]
}

@InputType({ description: 'A response to keep.' })
export class StoreResponseInput {
  @Field(() => ID, { description: 'Its id, which nothing else may have.' })
  id!: string

  @Field(() => ID, { nullable: true, description: 'The stored response that it goes on from.' })
  previousId?: string | null

  @Field(() => JsonObjectScalar, { description: 'The response as it was answered.' })
  response!: JsonObject

  @Field(() => [JsonObjectScalar], { description: 'What was new in its input, as items of the API.' })
  items!: JsonObject[]
}

@ObjectType({ description: 'A response that was stored.' })
export class StoreResponsePayload {
  @Field(() => ID, { description: 'Its id.' })
  id!: string
}

@InputType({ description: 'Which stored response to delete.' })
export class DeleteStoredResponseInput {
  @Field(() => ID, { description: 'Its id.' })
  id!: string
}

@ObjectType({ description: 'A stored response that is gone.' })
export class DeleteStoredResponsePayload {
  @Field(() => ID, { description: 'Its id.' })
  id!: string
}
