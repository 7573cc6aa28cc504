/** What was found in the code of an answer, as GraphQL shows it. */
import { Directive, Field, InputType, Int, ObjectType } from 'type-graphql'
import type { Language } from '../engine/index.js'
import { CodeCheckStatus, LanguageEnum, Severity } from '../compliance-enums.js'
import { ViolationType } from '../scans/scan-type.js'
import type { ScanViolation } from '../scans/scan.js'
import type { CodeCheck } from './code-check.js'

@ObjectType('CodeFinding', { description: 'A place in a block of code that breaks a rule.', simpleResolvers: true })
class CodeFindingType {
  @Field(() => Int, { description: 'Which of several answers has the block, from 0.' })
  choice!: number

  @Field(() => Int, { description: 'The place of the block among the code blocks of that answer, from 0.' })
  block!: number

  @Field(() => Int, {
    nullable: true,
    description: 'The line of the answer in which the code begins, from 1; null without an answer.',
  })
  line!: number | null

  @Field(() => LanguageEnum, { description: 'The language that it was read as.' })
  language!: Language

  @Field(() => ViolationType, { description: 'What is wrong; its lines are counted within the block.' })
  violation!: ScanViolation
}

@ObjectType('CodeCheck', { description: 'What the scanner says about blocks of code.', simpleResolvers: true })
export class CodeCheckType {
  @Field(() => CodeCheckStatus, { description: 'Whether all of it could be looked at.' })
  status!: CodeCheck['status']

  @Field(() => String, { nullable: true, description: 'Why findings may be missing; null when none are.' })
  message!: string | null

  @Field(() => Int, { description: 'How many blocks are in a language that the scanner reads.' })
  scannedBlocks!: number

  @Field(() => [CodeFindingType], { description: 'What was found, block by block.' })
  findings!: CodeFindingType[]
}

/** Where a block stands in an answer. */
export interface BlockPlace {
  readonly choice: number
  readonly block: number
  readonly line: number | null
}

export const codeCheckType = (check: CodeCheck, places: readonly BlockPlace[]): CodeCheckType =>
  Object.assign(new CodeCheckType(), {
    ...check,
    findings: check.findings.map(({ block, ...finding }) => ({ ...places[block]!, ...finding })),
  })

/** A chat completion as this subgraph sees it: the key, and the texts that a router sends along. */
@Directive('@key(fields: "id")')
@ObjectType('ChatCompletion', { description: 'A complete answer.' })
export class ChatCompletionStub {
  @Field(() => String, { description: 'The id of this completion.' })
  id!: string

  @Directive('@external')
  @Field(() => [String], { description: 'The text of each answer, in the order of `choices`; empty for one without text.' })
  texts!: string[]
}

@InputType({ description: 'A block of code, as it stands between fences.' })
export class CodeBlockInput {
  @Field(() => String, { description: 'Its text.' })
  code!: string

  @Field(() => String, { description: 'The word behind its fence; without a language of ours in it the block is passed over.' })
  label!: string
}

@InputType({ description: 'Blocks of code that a model has written, and how to look at them.' })
export class CodeCheckInput {
  @Field(() => [CodeBlockInput], { description: 'The blocks.' })
  blocks!: CodeBlockInput[]

  @Field(() => [String], { nullable: true, description: 'Standards to check; all enabled ones when left out or empty.' })
  standards?: string[] | null

  @Field(() => Severity, { nullable: true, description: 'Nothing below it is told; LOW when left out.' })
  minSeverity?: (typeof Severity)[keyof typeof Severity] | null
}
