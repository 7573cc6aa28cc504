/**
 * One file -> raw findings: parse, lower, analyze, text rules. Runs inside an analyzer process (and in tests).
 *
 * Whatever the text is, this returns: a parser that reaches its limit leaves the text rules, an analysis that does leaves what it
 * found, and both say so. The limits grow with the file, so that a short file never costs much.
 */
import { analyze } from '../flow/analyze.js'
import type { Finding } from '../flow/state.js'
import { lowerProgram } from '../facts/c/lower.js'
import { type Facts, findFacts } from '../facts/index.js'
import type { StepKind } from '../flow/values/trail.js'
import type { Language } from '../languages.js'
import { shellLines } from '../match/shell-tokens.js'
import { loadSlowPatterns, mayHoldSlowPattern } from '../match/slow-patterns.js'
import { matchText } from '../match/text-rules.js'
import type { PatternToken } from '../match/token-pattern.js'
import type { Rulebook } from '../rulebook/compile.js'
import { rubyOfErb } from '../syntax/erb.js'
import type { GrammarName } from '../syntax/grammars.js'
import type { FlatTree } from '../syntax/flat-tree.js'
import { type Ir, testCode } from '../syntax/ir.js'
import { lowerTree } from '../syntax/lowering/lower.js'
import { commentsOf } from '../syntax/lowering/selectors.js'
import { parseText } from '../syntax/parse.js'
import { createSourceText, lineText, positionAt, type SourceText } from '../syntax/source-text.js'
import { lowerSql } from '../syntax/sql/sql-lower.js'
import { languageTables } from '../syntax/tables/index.js'
import { type TimeLimit, timeLimit, TimeLimitError } from '../syntax/time-limit.js'
import { isBuildFile } from './build-code.js'
import { isGenerated } from './generated.js'
import { defaultParseLimits, type ParseLimits } from './parse-limits.js'
import { isExample, isExampleFolder, isTestFile, isTestProgram, isUnitTest } from './test-code.js'
import { hasWrongChecksum } from './token-checksum.js'

const analysisFactor = 3

export interface ScanFileOptions {
  readonly maxSteps: number
  /** Time for parsing and analysis together. */
  readonly timeoutMs: number
  readonly parsing?: ParseLimits
  /** Only the rules on the text, for a file that ended its process. */
  readonly textOnly?: boolean
  /** Called when a stage begins, with the processor time that it may take. */
  readonly guard?: (workMs: number) => void
  readonly trace?: (message: string, at: number) => void
}

/** A finding with positions, ready to cross a process boundary. */
export interface RawFinding {
  readonly ruleId: string
  readonly severity: Finding['severity']
  readonly confidence: Finding['confidence']
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly snippet: string
  readonly functionName: string
  readonly source: { readonly label: string; readonly line: number } | null
  /** The way of the data from its source to the sink; empty when dataflow has no part in it. */
  readonly flow: readonly RawStep[]
}

export interface RawStep {
  readonly kind: StepKind
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly message: string
}

/** Which stage did not come to its end: `parse` leaves the rules on the text, `analysis` what was found until then. */
export type Stopped = 'parse' | 'analysis' | 'text'

export interface FileFindings {
  readonly findings: readonly RawFinding[]
  readonly stopped: Stopped | null
  readonly steps: number
}

interface LoweredFile {
  readonly root: Ir
  readonly grammar: GrammarName | null
  readonly tree: FlatTree | null
  readonly tokens: readonly (readonly PatternToken[])[]
}

/** Lowers a file of any language; SQL also gives its statements as tokens. */
export async function lowerFile(
  written: string,
  language: Language,
  filename: string,
  startLimit: () => TimeLimit,
): Promise<LoweredFile> {
  const text = language === 'ruby' && /\.erb$/i.test(filename) ? rubyOfErb(written) : written
  if (language === 'sql') {
    const { root, statements } = lowerSql(text)
    return { root, grammar: null, tree: null, tokens: statements.map((statement) => statement.tokens) }
  }
  const grammar: GrammarName = language === 'typescript' && /\.tsx$/i.test(filename) ? 'tsx' : language
  const table = languageTables[grammar]
  const { tree, limit } = await parseText(table.readable?.(text) ?? text, grammar, startLimit)
  const tokens = language === 'bash' ? shellLines(text).map((line) => line.tokens) : []
  return { root: lowerTree(tree, text, table, limit), grammar, tree, tokens }
}

/** For the rules on the text, whatever the analysis took. */
const textMs = 200

export async function scanFile(
  book: Rulebook,
  code: string,
  language: Language,
  filename: string,
  options: ScanFileOptions,
): Promise<FileFindings> {
  const source = createSourceText(code)
  if (mayHoldSlowPattern(source.text)) await loadSlowPatterns()
  const untilMs = performance.now() + options.timeoutMs
  const { parseMs, parseMsPerKb } = options.parsing ?? defaultParseLimits
  const workMs = parseMs + (parseMsPerKb * source.text.length) / 1000
  const begin = (allowedMs: number): TimeLimit => {
    options.guard?.(allowedMs)
    return timeLimit(untilMs, allowedMs)
  }
  let stopped: Stopped | null = null
  let steps = 0
  let findings: Finding[] = []
  let tokens: readonly (readonly PatternToken[])[] = []
  let isComment: ((at: number) => boolean) | undefined
  let tests: readonly Ir[] = []
  try {
    if (options.textOnly === true) throw new TimeLimitError('Only the rules on the text were asked for.')
    const lowered = await lowerFile(source.text, language, filename, () => begin(workMs))
    tokens = lowered.tokens
    if (lowered.tree !== null) isComment = commentsOf(lowered.tree)
    tests = testsIn(lowered.root)
    const table = lowered.grammar === null ? null : languageTables[lowered.grammar]
    const limit = begin(workMs * analysisFactor)
    const found = factsOf(book, lowered, source.text, options.maxSteps, limit)
    const analysis = analyze(book, table, source.text, lowered.root, {
      ...options,
      limit,
      facts: found.facts,
      within: found.within,
    })
    ;({ findings, steps } = analysis)
    if (analysis.isTruncated || found.isTruncated) stopped = 'analysis'
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    stopped = 'parse'
    if (language === 'bash') tokens = shellLines(source.text).map((line) => line.tokens)
  }
  // A parser that used up the time leaves the text rules a little more.
  options.guard?.(textMs + workMs)
  const limit = timeLimit(Math.max(untilMs, performance.now() + textMs), textMs + workMs)
  const text = matchText(book, source.text, tokens, limit, isComment)
  if (text.isTruncated) stopped ??= 'text'
  const fromText = text.findings.map((one) => ({
    ...one,
    severity: one.rule.severity,
    confidence: one.rule.confidence,
    functionName: '',
    steps: [],
  }))
  const isOfTests = isTestFile(filename) || isTestProgram(filename, source.text)
  const isTest = ({ start }: { start: number }) => isOfTests || tests.some((one) => one.start <= start && start < one.end)
  const kept = [...findings, ...fromText].filter((one) => !(one.rule.skip_tests && (isExample(filename) || isTest(one))))
  const isOfMakers = isGenerated(source.text, filename) || isBuildFile(filename)
  const isMinor = (one: Located): boolean => isOfMakers || (isExampleFolder(filename) && one.source === undefined)
  return {
    findings: withoutGeneral(source, deduplicate(source, kept)).map((one) => ({
      ...rawFinding(source, one),
      severity: severityOf(one, { text: source.text, filename, isTest: isTest(one), isMinor: isMinor(one) }),
    })),
    stopped,
    steps,
  }
}

interface Ratable {
  readonly text: string
  readonly filename: string
  readonly isTest: boolean
  readonly isMinor: boolean
}

const severityOf = (one: Located, { text, filename, isTest, isMinor }: Ratable): Finding['severity'] =>
  isTest ? severityInTests(one, text, isUnitTest(filename)) : isMinor ? severityForMakers(one) : one.severity

/** Nobody runs it but tests: low, but for issued secrets and, where the file may be a program of its own, for what a remote caller reaches. */
const severityInTests = ({ rule, severity, start, end }: Located, text: string, isOfUnits: boolean): Finding['severity'] =>
  (
    rule.category === 'secrets'
      ? isIssued(rule) && !hasWrongChecksum(text.slice(start, end))
      : severity === 'critical' && !isOfUnits
  )
    ? severity
    : 'low'

/** A program wrote the file, or only those run it who build the program: low, but for secrets and for what a remote caller reaches. */
const severityForMakers = ({ rule, severity }: Rated): Finding['severity'] =>
  rule.category === 'secrets' || severity === 'critical' ? severity : 'low'

type Rated = Pick<Finding, 'rule' | 'severity'>

/** Whether the form of the secret tells who gave it out: a password of a test is no password of anything else. */
const isIssued = ({ match, self_made: isSelfMade }: Finding['rule']): boolean =>
  !isSelfMade && [match].flat().some((one) => one?.secret !== undefined)

/** Parts of the file that are compiled for tests alone. */
const testsIn = (root: Ir): readonly Ir[] =>
  (root.op === 'block' ? root.body : [root]).filter((ir) => ir.op === 'opaque' && ir.kind === testCode)

/** Memory and numbers, where a rule asks for them. */
function factsOf(
  book: Rulebook,
  { tree, grammar }: LoweredFile,
  text: string,
  maxSteps: number,
  limit: TimeLimit,
): Pick<Facts, 'facts' | 'within' | 'isTruncated'> {
  if (tree === null || (grammar !== 'c' && grammar !== 'cpp') || book.plain.fact.length === 0)
    return { facts: [], within: new Set(), isTruncated: false }
  return findFacts(lowerProgram(tree, text, grammar === 'c'), text, book.functions, { maxSteps, limit })
}

type Located = Pick<Finding, 'rule' | 'severity' | 'confidence' | 'start' | 'end' | 'functionName' | 'steps'> & {
  readonly source?: Finding['source']
}

/** Told once: an index that nobody checked where a function reaches there again, and a file that was asked for by its name before. */
function againOf({ text }: SourceText, { rule, functionName, source, start, end }: Located): string {
  const place = text.slice(start, Math.min(end, start + 200))
  if (rule.category === 'memory' && source !== undefined) return `${rule.id} ${functionName} ${source.at} ${place}`
  const named = rule.category === 'race' && functionName !== '' ? /\(\s*([^,()]+)/.exec(place)?.[1] : undefined
  return named === undefined ? '' : `${rule.id} ${functionName} ${named.trim()}`
}

function deduplicate(source: SourceText, findings: readonly Located[]): Located[] {
  const seen = new Set<string>()
  return findings
    .toSorted((a, b) => a.start - b.start || (a.rule.id < b.rule.id ? -1 : 1))
    .filter((finding) => {
      const [key, again] = [`${finding.rule.id}:${finding.start}`, againOf(source, finding)]
      if (seen.has(key) || (again !== '' && seen.has(again))) return false
      seen.add(key).add(again)
      return true
    })
}

function withoutGeneral(source: SourceText, findings: readonly Located[]): readonly Located[] {
  if (!findings.some(({ rule }) => rule.general)) return findings
  const lineOf = ({ start }: Located): number => positionAt(source, start).line
  const known = findings.filter(({ rule }) => !rule.general).map((one) => ({ cwe: one.rule.cwe, line: lineOf(one) }))
  return findings.filter((one) => {
    if (!one.rule.general) return true
    const line = lineOf(one)
    return !known.some((other) => other.line === line && other.cwe.some((cwe) => one.rule.cwe.includes(cwe)))
  })
}

function rawFinding(source: SourceText, finding: Located): RawFinding {
  const region = regionOf(source, finding)
  return {
    ruleId: finding.rule.id,
    severity: finding.severity,
    confidence: finding.confidence,
    ...region,
    snippet: lineText(source, region.line).trim().slice(0, 400),
    functionName: finding.functionName,
    source:
      finding.source === undefined ? null : { label: finding.source.label, line: positionAt(source, finding.source.at).line },
    flow: finding.steps.map(({ kind, message, ...place }) => ({ kind, ...regionOf(source, place), message })),
  }
}

function regionOf(source: SourceText, place: { start: number; end: number }): Omit<RawStep, 'kind' | 'message'> {
  const start = positionAt(source, place.start)
  const end = positionAt(source, Math.max(place.end, place.start))
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}
