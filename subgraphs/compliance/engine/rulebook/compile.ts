/**
 * Rules and packs of one language, compiled into indexes.
 *
 * Everything that is about a call is found by the last segment of the callee's name, so the cost of a call does not grow with
 * the number of rules.
 */
import type { Language } from '../languages.js'
import type { FunctionModel } from './function-model.js'
import { compileNamePattern, type NamePattern } from './qualified-name.js'
import { withPolicy } from './labels.js'
import { compileRegex } from './safe-regex.js'
import { compileWords, type Words } from './words.js'
import type { Guard, Mark, Matcher, Pack, Propagator, Rule, Sanitizer, Sink, Source } from './schema.js'

export type Role =
  | { readonly role: 'rule'; readonly rule: Rule; readonly conditions: Matcher }
  | { readonly role: 'source'; readonly conditions: Source; readonly only: string | null }
  | { readonly role: 'sink'; readonly conditions: Sink; readonly only: string | null }
  | { readonly role: 'sanitizer'; readonly conditions: Sanitizer }
  | { readonly role: 'propagator'; readonly conditions: Propagator }
  | { readonly role: 'guard'; readonly conditions: Guard }
  | { readonly role: 'mark'; readonly conditions: Mark }
  | { readonly role: 'returns'; readonly type: string; readonly conditions: object }
  | {
      readonly role: 'callback'
      readonly types: readonly (string | null)[]
      readonly argument: number | string | undefined
      readonly conditions: object
    }

export type RoleOf<K extends Role['role']> = Extract<Role, { role: K }>

export interface Entry {
  readonly patterns: readonly NamePattern[]
  readonly onlyNew: boolean
  readonly role: Role
}

class NameIndex {
  private readonly byLast = new Map<string, Entry[]>()
  private readonly wild: Entry[] = []

  constructor(
    private readonly ignoreCase: boolean,
    /** Methods are never called without their receiver, so that a pattern of one segment means a function. */
    private readonly hasFreeNames = false,
  ) {}

  add(texts: readonly string[], role: Role, onlyNew = false): void {
    const patterns = texts.map((text) => this.compile(text))
    const entry: Entry = { patterns, onlyNew, role }
    const lasts = new Set(patterns.flatMap((pattern) => pattern.lastNames ?? []))
    for (const last of lasts) this.byLast.set(last, [...(this.byLast.get(last) ?? []), entry])
    if (patterns.some((pattern) => pattern.lastNames === null)) this.wild.push(entry)
  }

  compile(text: string): NamePattern {
    const pattern = compileNamePattern(text, this.ignoreCase)
    return this.hasFreeNames && pattern.types === null && pattern.segments.length === 1 ? { ...pattern, isFree: true } : pattern
  }

  candidates(last: string): readonly Entry[] {
    const found = this.byLast.get(this.ignoreCase ? last.toLowerCase() : last)
    if (found === undefined) return this.wild
    return this.wild.length === 0 ? found : [...found, ...this.wild]
  }
}

interface PatternRule {
  readonly rule: Rule
  readonly matcher: Matcher
}

type PlainKind =
  | 'declare'
  | 'decorator'
  | 'function'
  | 'class'
  | 'import'
  | 'literal'
  | 'object'
  | 'binary'
  | 'index'
  | 'catch'
  | 'throws'
  | 'syntax'
  | 'text'
  | 'fact'
  | 'tokens'
  | 'secret'
const plainKinds: readonly PlainKind[] = [
  'declare',
  'decorator',
  'function',
  'class',
  'import',
  'literal',
  'object',
  'binary',
  'index',
  'catch',
  'throws',
  'syntax',
  'text',
  'fact',
  'tokens',
  'secret',
]

export interface Rulebook {
  readonly language: Language
  readonly ignoreCase: boolean
  readonly calls: NameIndex
  readonly reads: NameIndex
  readonly sets: NameIndex
  readonly guards: NameIndex
  readonly callbackSources: NameIndex
  readonly parameterSources: readonly { readonly source: Source; readonly only: string | null }[]
  readonly returnSinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly keySinks: ReadonlyMap<string, readonly { readonly sink: Sink; readonly only: string | null }[]>
  readonly binarySinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly indexSinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly castSanitizers: readonly { readonly type: RegExp; readonly kinds: readonly string[] }[]
  readonly taintRules: ReadonlyMap<string, readonly Rule[]>
  readonly plain: Readonly<Record<PlainKind, readonly PatternRule[]>>
  readonly subtypes: ReadonlyMap<string, readonly string[]>
  readonly functions: readonly FunctionModel[]
  readonly rules: readonly Rule[]
  readonly words: Words
}

/** `all` as the one kind that stands for every kind. */
export const kindsOf = (kinds: 'all' | readonly string[]): readonly string[] => (kinds === 'all' ? ['*'] : kinds)

const freeNames: ReadonlySet<Language> = new Set<Language>(['javascript', 'typescript', 'python', 'php', 'go', 'rust'])

export function compileRulebook(language: Language, rules: readonly Rule[], packs: readonly Pack[]): Rulebook {
  const mine = rules.filter((rule) => rule.languages.includes(language)).map((rule) => withPolicy(rule, language))
  const active = packs.filter((pack) => pack.languages.includes(language))
  const ignoreCase = language === 'php' || language === 'sql'
  const index = (): NameIndex => new NameIndex(ignoreCase)
  const parts = {
    calls: new NameIndex(ignoreCase, freeNames.has(language)),
    reads: index(),
    sets: index(),
    guards: index(),
    callbackSources: index(),
    parameterSources: [] as { source: Source; only: string | null }[],
    returnSinks: [] as { sink: Sink; only: string | null }[],
    keySinks: new Map<string, { sink: Sink; only: string | null }[]>(),
    binarySinks: [] as { sink: Sink; only: string | null }[],
    indexSinks: [] as { sink: Sink; only: string | null }[],
    castSanitizers: [] as { type: RegExp; kinds: readonly string[] }[],
  }
  const taintRules = new Map<string, Rule[]>()
  const plain = Object.fromEntries(plainKinds.map((kind) => [kind, [] as PatternRule[]])) as Record<PlainKind, PatternRule[]>
  const subtypes = new Map<string, readonly string[]>()

  const addSource = (source: Source, only: string | null): void => {
    const role: Role = { role: 'source', conditions: source, only }
    if (source.call !== undefined) parts.calls.add(source.call, role)
    if (source.read !== undefined) parts.reads.add(source.read, role)
    if (source.parameter !== undefined) parts.parameterSources.push({ source, only })
    if (source.callback !== undefined) parts.callbackSources.add(source.callback.call, role)
  }
  const addSink = (sink: Sink, only: string | null): void => {
    const role: Role = { role: 'sink', conditions: sink, only }
    if (sink.call !== undefined) parts.calls.add(sink.call, role)
    if (sink.new !== undefined) parts.calls.add(sink.new, role, true)
    if (sink.read !== undefined) parts.reads.add(sink.read, role)
    if (sink.set !== undefined) parts.sets.add(sink.set, role)
    if (sink.returns !== undefined) parts.returnSinks.push({ sink, only })
    if (sink.index === true) parts.indexSinks.push({ sink, only })
    if (sink.binary !== undefined) parts.binarySinks.push({ sink, only })
    const isKeyOnly = sink.call === undefined && sink.new === undefined
    for (const key of isKeyOnly ? (sink.key ?? []) : [])
      parts.keySinks.set(key, [...(parts.keySinks.get(key) ?? []), { sink, only }])
  }
  const addSanitizer = (sanitizer: Sanitizer): void => {
    const role: Role = { role: 'sanitizer', conditions: sanitizer }
    if (sanitizer.call !== undefined) parts.calls.add(sanitizer.call, role)
    if (sanitizer.read !== undefined) parts.reads.add(sanitizer.read, role)
    if (sanitizer.cast !== undefined)
      parts.castSanitizers.push({ type: compileRegex(sanitizer.cast), kinds: kindsOf(sanitizer.kinds) })
  }
  for (const pack of active) {
    for (const source of pack.sources) addSource(source, null)
    for (const sink of pack.sinks) addSink(sink, null)
    for (const sanitizer of pack.sanitizers) addSanitizer(sanitizer)
    for (const propagator of pack.propagators) parts.calls.add(propagator.call, { role: 'propagator', conditions: propagator })
    for (const guard of pack.guards)
      if (guard.call !== undefined) parts.guards.add(guard.call, { role: 'guard', conditions: guard })
    for (const mark of pack.marks) {
      const role: Role = { role: 'mark', conditions: mark }
      if (mark.call !== undefined) parts.calls.add(mark.call, role)
      if (mark.new !== undefined) parts.calls.add(mark.new, role, true)
      if (mark.set !== undefined) parts.sets.add(mark.set, role)
    }
    for (const one of pack.returns) parts.calls.add(one.call, { role: 'returns', type: one.type, conditions: {} })
    for (const one of pack.callbacks) {
      parts.calls.add(one.call, { role: 'callback', types: one.parameters, argument: one.argument, conditions: {} })
    }
    for (const [type, bases] of Object.entries(pack.subtypes)) subtypes.set(type, bases)
  }
  for (const rule of mine) {
    if (rule.taint !== undefined) {
      taintRules.set(rule.taint.kind, [...(taintRules.get(rule.taint.kind) ?? []), rule])
      for (const source of rule.taint.sources) addSource(source, rule.id)
      for (const sink of rule.taint.sinks) addSink({ ...sink, kind: sink.kind ?? rule.taint.kind }, rule.id)
      for (const sanitizer of rule.taint.sanitizers) addSanitizer({ ...sanitizer, kinds: [`rule:${rule.id}`] })
    }
    for (const matcher of rule.match ?? []) {
      const role: Role = { role: 'rule', rule, conditions: matcher }
      if (matcher.call !== undefined) parts.calls.add(matcher.call, role)
      if (matcher.new !== undefined) parts.calls.add(matcher.new, role, true)
      if (matcher.read !== undefined) parts.reads.add(matcher.read, role)
      if (matcher.set !== undefined) parts.sets.add(matcher.set, role)
      for (const kind of plainKinds) if (matcher[kind] !== undefined) plain[kind].push({ rule, matcher })
    }
  }
  const functions = active.flatMap((pack) => pack.functions)
  return { language, ignoreCase, ...parts, taintRules, plain, subtypes, functions, rules: mine, words: compileWords(active) }
}
