/** Rules, standards and the scanner itself as GraphQL shows them. */
import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { Language, RuleDescription, ScannerHealth, Standard } from '../engine/index.js'
import { HealthStatus, LanguageEnum, Severity } from '../compliance-enums.js'

@ObjectType({ description: 'A place in a standard that a rule checks.', simpleResolvers: true })
export class RuleClause {
  @Field(() => String, { description: 'The name of the standard.' })
  standard!: string

  @Field(() => String, { description: 'The number of the clause, such as "A05:2025".' })
  clause!: string

  @Field(() => String, { description: "The clause's title." })
  title!: string

  @Field(() => Boolean, { description: 'Not about code: a violation is evidence for an auditor, and no proof of a breach.' })
  evidence!: boolean
}

@Directive('@key(fields: "id")')
@ObjectType('Rule', { description: 'What the scanner looks for.', simpleResolvers: true })
export class RuleType {
  @Field(() => ID, { description: 'Such as "sql-dynamic-statement"; what suppression comments name.' })
  id!: string

  @Field(() => String, { description: 'What a violation is called.' })
  title!: string

  @Field(() => String, { description: 'Why it is a weakness.' })
  description!: string

  @Field(() => String, { description: 'Such as "injection" or "crypto".' })
  category!: string

  @Field(() => Severity, { description: 'The usual severity; a violation can have a lower one.' })
  severity!: RuleDescription['severity']

  @Field(() => [Int], { description: 'Numbers in the Common Weakness Enumeration.' })
  cwe!: number[]

  @Field(() => [LanguageEnum], { description: 'The languages that it applies to.' })
  languages!: Language[]

  @Field(() => String, { description: 'The first of its standards, or of those that were asked for.' })
  standard!: string

  @Field(() => [RuleClause], { description: 'All clauses that it checks.' })
  standards!: RuleClause[]

  @Field(() => String, { description: 'How to fix a violation.' })
  suggestion!: string
}

export const ruleType = (rule: RuleDescription): RuleType => ({
  id: rule.id,
  title: rule.title,
  description: rule.description,
  category: rule.category,
  severity: rule.severity,
  cwe: [...rule.cwe],
  languages: [...rule.languages],
  standard: rule.standards[0]?.standard ?? '',
  standards: rule.standards.map((clause) => ({ ...clause })),
  suggestion: rule.suggestion,
})

@ObjectType({ description: 'Rules.', simpleResolvers: true })
export class RuleList {
  @Field(() => [RuleType], { description: 'The rules, by id.' })
  rules!: RuleType[]

  @Field(() => Int, { description: 'How many there are.' })
  totalCount!: number
}

@ObjectType('Standard', { description: 'A compliance standard that rules are mapped to.', simpleResolvers: true })
export class StandardType {
  @Field(() => ID, { description: 'The name, as in violations.' })
  name!: string

  @Field(() => String, { description: 'Its edition, such as "2025"; a name may be given with or without it.' })
  edition!: string

  @Field(() => [String], { description: 'Other names that are accepted; upper and lower case are the same.' })
  aliases!: string[]

  @Field(() => String, { description: 'The document that the mapping was made from.' })
  sourceTitle!: string

  @Field(() => String, { description: 'Where that document is published.' })
  sourceUrl!: string

  @Field(() => String, { description: 'The date of that document, YYYY-MM-DD, or as much of it as is known.' })
  sourceDate!: string
}

export const standardType = ({ name, edition, aliases, source }: Standard): StandardType => ({
  name,
  edition,
  aliases: [...aliases],
  sourceTitle: source.title,
  sourceUrl: source.url,
  sourceDate: source.date,
})

@ObjectType({ description: 'By what the files of a language are known.', simpleResolvers: true })
export class LanguageFiles {
  @Field(() => LanguageEnum, { description: 'The language.' })
  language!: Language

  @Field(() => [String], { description: 'What their names end in, without the dot and in lower case.' })
  extensions!: string[]
}

@ObjectType({ description: 'What the scanner checks and how much it takes.', simpleResolvers: true })
export class ScannerConfig {
  @Field(() => [StandardType], { description: 'The enabled standards.' })
  standards!: StandardType[]

  @Field(() => [LanguageEnum], { description: 'The supported languages.' })
  languages!: Language[]

  @Field(() => [LanguageFiles], { description: 'The file names of each language.' })
  files!: LanguageFiles[]

  @Field(() => String, { description: 'Where this server is reached.' })
  serverUrl!: string

  @Field(() => String, { description: 'The version of the scanner.' })
  version!: string

  @Field(() => Int, { description: 'Most bytes of one file.' })
  maxFileBytes!: number

  @Field(() => Int, { description: 'Most files of a batch.' })
  maxFiles!: number

  @Field(() => Int, { description: 'Most bytes of code in a batch.' })
  maxBatchBytes!: number
}

@ObjectType('ScannerHealth', { description: 'Whether the scanner answers.', simpleResolvers: true })
export class ScannerHealthType {
  @Field(() => HealthStatus, { description: 'Whether scans are answered.' })
  status!: ScannerHealth['status']

  @Field(() => Float, { description: 'How long the probe took, in milliseconds.' })
  latencyMs!: number

  @Field(() => String, { description: 'Where this server is reached.' })
  serverUrl!: string

  @Field(() => String, { description: 'The version of the scanner.' })
  version!: string
}
