/** Scans and violations as GraphQL shows them. */
import { Directive, Extensions, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql'
import { countedConnectionType } from '#platform/paging/connection.js'
import { DateTimeScalar } from '#platform/scalars.js'
import type { Language, RawStep, Violation } from '../engine/index.js'
import { Confidence, FlowStepKind, LanguageEnum, ScanStatus, Severity } from '../compliance-enums.js'
import { RuleClause } from '../rules/rule-type.js'
import type { Scan, ScannedFile, ScanStatus as StatusWord, ScanViolation } from './scan.js'

@ObjectType({ description: 'How many violations there are, by severity.', simpleResolvers: true })
export class ViolationSummary {
  @Field(() => Int, { description: 'All of them.' })
  totalViolations!: number

  @Field(() => Int, { description: 'With severity CRITICAL.' })
  critical!: number

  @Field(() => Int, { description: 'With severity HIGH.' })
  high!: number

  @Field(() => Int, { description: 'With severity MEDIUM.' })
  medium!: number

  @Field(() => Int, { description: 'With severity LOW.' })
  low!: number
}

@ObjectType('FlowStep', { description: 'A place that data passes on its way to where it does harm.', simpleResolvers: true })
class FlowStepType {
  @Field(() => FlowStepKind, { description: 'What happens there.' })
  kind!: RawStep['kind']

  @Field(() => String, {
    description: 'Such as `passes into "query"`; without names in stored scans, unless snippets were kept.',
  })
  message!: string

  @Field(() => Int, { description: 'Where it begins; the first line is 1.' })
  line!: number

  @Field(() => Int, { description: 'Where it begins, in UTF-16 code units; the first column is 1.' })
  column!: number

  @Field(() => Int, { description: 'The line where it ends.' })
  endLine!: number

  @Field(() => Int, { description: 'The column behind its end.' })
  endColumn!: number
}

@ObjectType('Violation', { description: 'A place in the code that breaks a rule.', simpleResolvers: true })
export class ViolationType {
  @Field(() => Severity, { description: 'How much harm it can do.' })
  severity!: Violation['severity']

  @Field(() => Confidence, { description: 'How sure the scanner is.' })
  confidence!: Violation['confidence']

  @Field(() => String, { description: 'The first standard, of those that were asked for, that it breaks.' })
  standard!: string

  @Field(() => [RuleClause], { description: 'All clauses that it breaks.' })
  standards!: RuleClause[]

  @Field(() => ID, { description: 'What suppression comments name.' })
  ruleId!: string

  @Field(() => String, { description: 'The identifier and the title of the rule, with its CWE.' })
  rule!: string

  @Field(() => [Int], { description: 'Numbers in the Common Weakness Enumeration.' })
  cwe!: number[]

  @Field(() => String, { description: 'Such as "injection" or "crypto".' })
  category!: string

  @Field(() => String, { description: 'What is wrong.' })
  message!: string

  @Field(() => String, { description: 'How to fix it.' })
  suggestion!: string

  @Field(() => Int, { description: 'Where it begins; the first line is 1.' })
  line!: number

  @Field(() => Int, { description: 'Where it begins, in UTF-16 code units; the first column is 1.' })
  column!: number

  @Field(() => Int, { description: 'The line where it ends.' })
  endLine!: number

  @Field(() => Int, { description: 'The column behind its end.' })
  endColumn!: number

  @Field(() => String, { nullable: true, description: 'The code at that line; null in stored scans, unless it was kept.' })
  codeSnippet!: string | null

  @Field(() => ID, { description: 'Stays the same when the code moves: for baselines and lists of accepted violations.' })
  fingerprint!: string

  @Field(() => String, { nullable: true, description: 'Code that would be right, where a rule knows one.' })
  fix!: string | null

  @Field(() => [FlowStepType], {
    description: 'The way of the data from its source to this place, in 12 steps at most; empty where it is not about data.',
  })
  flow!: FlowStepType[]
}

@ObjectType('ScannedFile', { description: 'What a scan found in one file.', simpleResolvers: true })
export class ScannedFileType {
  @Field(() => String, { description: 'The name that was given, or "main" with the extension of the language.' })
  filename!: string

  @Field(() => LanguageEnum, { description: 'The language that it was read as.' })
  language!: Language

  @Field(() => [ViolationType], { description: 'The violations, from top to bottom.' })
  violations!: ScanViolation[]

  @Field(() => ViolationSummary, { description: 'Their number.' })
  summary!: ViolationSummary

  @Field(() => Int, { description: 'Violations that comments in the file accept; they are not listed.' })
  suppressed!: number

  @Field(() => [String], { description: 'What is wrong with comments that accept violations.' })
  warnings!: string[]

  @Field(() => Boolean, { description: 'Whether the analysis stopped early, so that violations may be missing.' })
  isTruncated!: boolean

  @Field(() => String, { nullable: true, description: 'Why the file could not be analyzed; null when it was.' })
  error!: string | null
}

/** `files` is resolved by the scan resolver. */
@Directive('@key(fields: "id")')
@ObjectType('Scan', { description: 'One request to scan code. The code itself is not kept.' })
export class ScanType {
  @Field(() => ID, { description: 'Such as scan_...' })
  id!: string

  @Field(() => ScanStatus, { description: 'How it stands.' })
  status!: StatusWord

  @Field(() => Int, { description: 'How many files it has.' })
  fileCount!: number

  @Field(() => Int, { description: 'How many of them are done.' })
  filesDone!: number

  @Field(() => ViolationSummary, { description: 'The violations of all files by severity; zeros while it runs.' })
  summary!: ViolationSummary

  @Field(() => [String], { description: 'The standards that were checked.' })
  standards!: string[]

  @Field(() => String, { nullable: true, description: 'Why it ended without results.' })
  error!: string | null

  @Field(() => DateTimeScalar, { description: 'When it began.' })
  createdAt!: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it ended.' })
  finishedAt!: number | null

  @Field(() => Float, { nullable: true, description: 'How long it took, in milliseconds.' })
  durationMs!: number | null

  /** Of a scan that just ended, with snippets; else read when asked for. Not shown. */
  fresh!: readonly ScannedFile[] | null
}

export const scanType = (scan: Scan): ScanType =>
  Object.assign(new ScanType(), {
    id: scan.id,
    status: scan.status,
    fileCount: scan.fileCount,
    filesDone: scan.filesDone,
    summary: scan.summary,
    standards: [...scan.standards],
    error: scan.error,
    createdAt: scan.createdAt,
    finishedAt: scan.finishedAt,
    durationMs: scan.finishedAt === null ? null : scan.finishedAt - scan.createdAt,
    fresh: scan.files,
  })

export const ScanConnection = countedConnectionType(ScanType, { name: 'Scan', of: 'scans, newest first.' })

@ObjectType({ description: 'A scan of one file.' })
export class ScanCodePayload {
  @Field(() => ScanType, { description: 'The scan with what it found.' })
  scan!: ScanType
}

@ObjectType({ description: 'A scan of many files.' })
export class BatchScanPayload {
  @Field(() => ScanType, { description: 'The scan with what it found, or as it runs in the background.' })
  scan!: ScanType
}

@ObjectType('ScanProgress', { description: 'How far a scan is.', simpleResolvers: true })
export class ScanProgressType {
  @Field(() => ScanType, { description: 'The scan as it is now.' })
  scan!: ScanType

  @Field(() => Int, {
    nullable: true,
    description: 'The number of this event; null for the state at the start. Pass the last one as `after` to go on from there.',
  })
  sequence!: number | null
}

@InputType({ description: 'A file to scan.' })
export class ScanFileInput {
  // Binary files are scanned as what they are; of a text that no database could hold, only escaped pieces are stored.
  @Extensions({ anyText: true })
  @Field(() => String, { description: 'The text of the file.' })
  code!: string

  @Field(() => String, { description: 'The language, by its name in lower case or a common short form such as "ts" or "c++".' })
  language!: string

  @Field(() => String, {
    nullable: true,
    description: 'The name for reports; "main" with the extension of the language when left out.',
  })
  filename?: string | null
}

@InputType({ description: 'One file to scan, and how.' })
export class ScanCodeInput extends ScanFileInput {
  // Said once more: fields are inherited without their extensions.
  @Extensions({ anyText: true })
  @Field(() => String, { description: 'The text of the file.' })
  override code!: string

  @Field(() => [String], { nullable: true, description: 'Standards to check; all enabled ones when left out or empty.' })
  standards?: string[] | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Keeps the lines with violations in the stored scan; false when left out.',
  })
  keepSnippets?: boolean | null
}

@InputType({ description: 'Files to scan as one request, and how.' })
export class BatchScanInput {
  @Field(() => [ScanFileInput], { description: 'The files.' })
  files!: ScanFileInput[]

  @Field(() => [String], { nullable: true, description: 'Standards to check; all enabled ones when left out or empty.' })
  standards?: string[] | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Keeps the lines with violations in the stored scan; false when left out.',
  })
  keepSnippets?: boolean | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Answers at once with the running scan, to be followed with `scanProgress`; false when left out.',
  })
  background?: boolean | null
}
