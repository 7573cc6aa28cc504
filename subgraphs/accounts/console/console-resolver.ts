/** Signing in to the console, in the graph: a code for a browser, in the name of the key that asks for it. */
import { Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql'
import { requirePrincipal, type RequestContext } from '#platform/requests/context.js'
import { DateTimeScalar } from '#platform/scalars.js'
import type { ConsolePasses } from './console-passes.js'

@ObjectType({ description: 'A code that opens the console in a browser, in the name of the key that asked for it.' })
export class CreateConsoleCodePayload {
  @Field(() => String, { description: 'Open `/?code=<code>` with it. It is good once, and shown here only.' })
  code!: string

  @Field(() => DateTimeScalar, { description: 'Until when.' })
  expiresAt!: number
}

@Resolver()
export class ConsoleResolver {
  constructor(private readonly passes: ConsolePasses) {}

  @Mutation(() => CreateConsoleCodePayload, {
    description:
      'A code that signs a browser in to the console with what your key may do. It is good once, for five minutes unless the server is set otherwise.',
  })
  async createConsoleCode(@Ctx() context: RequestContext): Promise<CreateConsoleCodePayload> {
    const { token, expiresAt } = await this.passes.issueCode(requirePrincipal(context).keyId)
    return Object.assign(new CreateConsoleCodePayload(), { code: token, expiresAt })
  }
}
