/** Code in answers, in the graph: authorise, find the blocks, one call, return. */
import { Arg, Ctx, Directive, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { fencedBlocks } from '#platform/fenced-blocks.js'
import { requirePrincipal, requireScope, type RequestContext } from '#platform/requests/context.js'
import { Severity } from '../compliance-enums.js'
import type { CodeChecks } from './code-check.js'
import { ChatCompletionStub, CodeCheckInput, codeCheckType, CodeCheckType } from './code-check-type.js'

type SeverityWord = (typeof Severity)[keyof typeof Severity]

@Resolver(() => ChatCompletionStub)
export class CodeCheckResolver {
  constructor(private readonly checks: CodeChecks) {}

  @Query(() => CodeCheckType, {
    description: 'What the scanner says about blocks of code that a model has written. Nothing is stored.',
  })
  async codeCheck(
    @Arg('input', () => CodeCheckInput, { description: 'The blocks, and how to look at them.' }) input: CodeCheckInput,
    @Ctx() context: RequestContext,
  ): Promise<CodeCheckType> {
    const { accountId } = requireScope(context, 'chat')
    const check = await this.checks.check({
      accountId,
      blocks: input.blocks,
      standards: input.standards ?? [],
      minSeverity: input.minSeverity ?? 'low',
      signal: context.signal,
    })
    return codeCheckType(
      check,
      input.blocks.map((_, block) => ({ choice: 0, block, line: null })),
    )
  }

  @Directive('@requires(fields: "texts")')
  @FieldResolver(() => CodeCheckType, {
    name: 'codeCheck',
    nullable: true,
    description: 'What the scanner says about the code blocks of the answers; null while scans cannot be asked for.',
  })
  async codeCheckOfAnswer(
    @Root() { texts }: ChatCompletionStub,
    @Arg('standards', () => [String], {
      nullable: true,
      description: 'Standards to check; all enabled ones when left out or empty.',
    })
    standards: string[] | null,
    @Arg('minSeverity', () => Severity, { nullable: true, description: 'Nothing below it is told; LOW when left out.' })
    minSeverity: SeverityWord | null,
    @Ctx() context: RequestContext,
  ): Promise<CodeCheckType> {
    const { accountId } = requirePrincipal(context)
    const blocks = texts.flatMap((text, choice) => fencedBlocks(text).map((found, block) => ({ ...found, choice, block })))
    const check = await this.checks.check({
      accountId,
      blocks,
      standards: standards ?? [],
      minSeverity: minSeverity ?? 'low',
      signal: context.signal,
    })
    return codeCheckType(
      check,
      blocks.map(({ choice, block, line }) => ({ choice, block, line })),
    )
  }
}
