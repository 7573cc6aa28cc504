/** Options and arguments that several commands take, parsed strictly: a wrong one ends the program before anything is asked. */
import { InvalidArgumentError, Option } from 'commander'
import { DAY_MS, HOUR_MS } from '#platform/clock.js'
import { AnswerScanMode, Scope, Severity, type AnswerScanPolicyInput } from '../generated/cli.js'
import { upperCase, wordsOf } from '../edge/names.js'

/** Every command can answer for programs. */
export interface Json {
  readonly json?: boolean
}

export const jsonOption = (): Option => new Option('--json', 'print JSON')

export const accountOption = (): Option => new Option('--account <id>', 'the account (acc_...); that of your key when left out')

/** A decimal as its own text: the server reads it exactly, so it must not become a float here. */
export function parseDecimal(text: string): string {
  if (/^\d{1,12}(\.\d{1,9})?$/.test(text)) return text
  throw new InvalidArgumentError('Give a decimal such as 0.15, with at most 9 decimals.')
}

/** "none" stays, as Commander turns a null into an empty text: `capOf` makes it one. */
export const parseCap = (text: string): string => (text === NO_LIMIT.cap ? text : parseDecimal(text))

export function parseWholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}

/** A rate a minute; null does not survive Commander, so "none" stays until `rateOf`. */
export const parseRate = (text: string): number | 'none' => (text === NO_LIMIT.cap ? text : parseWholeNumber(text))

const NO_LIMIT = { cap: 'none', models: 'any' } as const

/** What a parsed limit is to the server: null for none, undefined when it was not given. */
export const capOf = (parsed: string | undefined): string | null | undefined => (parsed === NO_LIMIT.cap ? null : parsed)
export const rateOf = (parsed: number | 'none' | undefined): number | null | undefined =>
  parsed === NO_LIMIT.cap ? null : parsed
export const modelsOf = (parsed: string[] | 'any' | undefined): string[] | null | undefined =>
  parsed === NO_LIMIT.models ? null : parsed

/** `block:high:PCI DSS,OWASP Top 10`: a mode, then the least severity and standards if not all of them count. */
export function parseAnswerScan(text: string): AnswerScanPolicyInput | 'none' {
  if (text === NO_LIMIT.cap) return text
  const [mode = '', severity, ...standards] = text.split(':')
  const names = standards
    .join(':')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return {
    mode: wordIn(AnswerScanMode, mode),
    minSeverity: severity === undefined ? null : wordIn(Severity, severity),
    standards: names,
  }
}

export const answerScanOf = (parsed: AnswerScanPolicyInput | 'none' | undefined): AnswerScanPolicyInput | null | undefined =>
  parsed === NO_LIMIT.cap ? null : parsed

export function parseScopes(text: string): Scope[] {
  return text.split(',').map((part) => wordIn(Scope, part.trim()))
}

/** One word of an enumeration of the graph, which gets it as it writes it. */
export const enumOption = (flags: string, description: string, enumeration: Readonly<Record<string, string>>): Option =>
  new Option(flags, description).choices(wordsOf(enumeration)).argParser((word: string) => wordIn(enumeration, word))

function wordIn<Word extends string>(enumeration: Readonly<Record<string, Word>>, word: string): Word {
  const found = Object.values(enumeration).find((value) => value === upperCase(word))
  if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${wordsOf(enumeration).join(', ')}.`)
  return found
}

/** Model ids, or "any". */
export function parseModels(text: string): string[] | 'any' {
  if (text === NO_LIMIT.models) return text
  const models = text.split(',').map((part) => part.trim())
  if (models.includes('')) throw new InvalidArgumentError('Models are ids with commas between them, or any.')
  return models
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', HOUR_MS],
  ['d', DAY_MS],
])

/** A moment to come, given as a span from now or as an ISO time. */
export const parseExpiry = (text: string): Date => parseMoment(text, 1)

/** A moment gone by, given as a span until now or as an ISO time. */
export const parsePast = (text: string): Date => parseMoment(text, -1)

/** A span of time in milliseconds. */
export function parseSpan(text: string): number {
  const ms = spanMs(text)
  if (!ms) throw new InvalidArgumentError('Give 90s, 10m or 2h.')
  return ms
}

function spanMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNIT_MS.get(unit)!
}

function parseMoment(text: string, direction: 1 | -1): Date {
  const span = spanMs(text)
  if (span !== undefined) return new Date(Date.now() + direction * span)
  // `new Date` alone takes almost anything: "5" is a day in 2001.
  const when = new Date(/^\d{4}-\d{2}-\d{2}/.test(text) ? text : Number.NaN)
  if (Number.isNaN(when.getTime())) throw new InvalidArgumentError('Give 30d, 12h, 15m, 1s or an ISO time.')
  return when
}
