/**
 * Rules and packs of one language, compiled into indexes.
 *
 * Everything that is about a call is found by the last segment of the callee's name, so the cost of a call does not grow with
 * the number of rules.
 */
import type { Language } from '../languages.js'
import { type AccessWords, compileAccess } from './access-words.js'
import { DataVocabulary, GivenNames } from './data-names.js'
import type { FunctionModel } from './function-model.js'
import { NameIndex } from './name-index.js'
import { withPolicy } from './labels.js'
import { OptionNames } from './option-names.js'
import { SaidNames } from './said-names.js'
import { compileRegex } from './safe-regex.js'
import { compileWords, type Words } from './words.js'
import type { Matcher } from './matcher-schema.js'
import { subjects } from './subjects.js'
import type {
  CallbackType,
  Guard,
  Mark,
  Pack,
  ParameterType,
  Propagator,
  ReturnsType,
  Sanitizer,
  Sink,
  Source,
} from './model-schema.js'
import type { Rule } from './schema.js'

export type Role =
  | { readonly role: 'rule'; readonly rule: Rule; readonly conditions: Matcher }
  | { readonly role: 'source'; readonly conditions: Source; readonly only: string | null }
  | { readonly role: 'sink'; readonly conditions: Sink; readonly only: string | null }
  | { readonly role: 'sanitizer'; readonly conditions: Sanitizer }
  | { readonly role: 'propagator'; readonly conditions: Propagator }
  | { readonly role: 'guard'; readonly conditions: Guard }
  | { readonly role: 'mark'; readonly conditions: Mark }
  | { readonly role: 'returns'; readonly type?: string; readonly of?: number | string; readonly conditions: Partial<ReturnsType> }
  | {
      readonly role: 'callback'
      readonly types: readonly (string | null)[]
      readonly argument: number | string | undefined
      readonly conditions: CallbackType
    }

export type RoleOf<K extends Role['role']> = Extract<Role, { role: K }>

interface PatternRule {
  readonly rule: Rule
  readonly matcher: Matcher
}

/** Calls, and what is read or set, are found by name; matchers of any other subject are tried one after the other. */
type PlainKind = Exclude<(typeof subjects)[number], 'call' | 'new' | 'read' | 'set'>
const isPlain = (subject: (typeof subjects)[number]): subject is PlainKind => !['call', 'new', 'read', 'set'].includes(subject)
const plainKinds = subjects.filter(isPlain)

export interface Rulebook {
  readonly language: Language
  readonly ignoreCase: boolean
  readonly calls: NameIndex
  readonly reads: NameIndex
  readonly sets: NameIndex
  readonly guards: NameIndex
  readonly callbackSources: NameIndex
  readonly parameterSources: readonly { readonly source: Source; readonly only: string | null }[]
  readonly parameterTypes: readonly ParameterType[]
  /** Methods for which the type of what a function is given matters. */
  readonly typeAsked: ReadonlySet<string>
  readonly fieldSources: readonly { readonly source: Source; readonly only: string | null }[]
  readonly returnSinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly keySinks: ReadonlyMap<string, readonly { readonly sink: Sink; readonly only: string | null }[]>
  readonly binarySinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly castSinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly indexSinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly sliceSinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly namedSinks: readonly { readonly sink: Sink; readonly only: string | null }[]
  readonly castSanitizers: readonly { readonly type: RegExp; readonly kinds: readonly string[] }[]
  readonly taintRules: ReadonlyMap<string, readonly Rule[]>
  readonly plain: Readonly<Record<PlainKind, readonly PatternRule[]>>
  readonly subtypes: ReadonlyMap<string, readonly string[]>
  readonly functions: readonly FunctionModel[]
  readonly rules: readonly Rule[]
  readonly words: Words
  readonly dataNames: DataVocabulary
  readonly givenNames: GivenNames
  readonly options: OptionNames
  readonly saidNames: SaidNames
  readonly access: AccessWords | null
}

/** `all` as the one kind that stands for every kind. */
export const kindsOf = (kinds: 'all' | readonly string[]): readonly string[] => (kinds === 'all' ? ['*'] : kinds)

const freeNames: ReadonlySet<Language> = new Set<Language>(['javascript', 'typescript', 'python', 'php', 'go', 'rust'])

export function compileRulebook(language: Language, rules: readonly Rule[], packs: readonly Pack[]): Rulebook {
  const mine = rules.filter((rule) => rule.languages.includes(language)).map((rule) => withPolicy(rule, language))
  const active = packs.filter((pack) => pack.languages.includes(language))
  const index = new RulebookIndex(language)
  for (const pack of active) index.addPack(pack)
  for (const rule of mine) index.addRule(rule)
  const functions = active.flatMap((pack) => pack.functions)
  const data = active.flatMap((pack) => pack.data)
  const dataNames = new DataVocabulary(data.filter(({ given }) => !given))
  const givenNames = new GivenNames(data.filter(({ label }) => index.namedSinks.some(({ sink }) => sink.named?.includes(label))))
  const [words, access] = [compileWords(active), compileAccess(active)]
  const options = new OptionNames(index.plain.option)
  const saidNames = new SaidNames(index.saidSinks)
  const names = { words, dataNames, givenNames, saidNames, options }
  return Object.assign(index, { language, functions, rules: mine, access, ...names })
}

/** What a rulebook finds by name or by subject. `only`: the one rule that a source or sink belongs to. */
class RulebookIndex {
  readonly ignoreCase: boolean
  readonly calls: NameIndex
  readonly reads: NameIndex
  readonly sets: NameIndex
  readonly guards: NameIndex
  readonly callbackSources: NameIndex
  readonly parameterSources: { source: Source; only: string | null }[] = []
  readonly parameterTypes: ParameterType[] = []
  readonly typeAsked = new Set<string>()
  readonly fieldSources: { source: Source; only: string | null }[] = []
  readonly returnSinks: { sink: Sink; only: string | null }[] = []
  readonly keySinks = new Map<string, { sink: Sink; only: string | null }[]>()
  readonly binarySinks: { sink: Sink; only: string | null }[] = []
  readonly castSinks: { sink: Sink; only: string | null }[] = []
  readonly indexSinks: { sink: Sink; only: string | null }[] = []
  readonly sliceSinks: { sink: Sink; only: string | null }[] = []
  readonly namedSinks: { sink: Sink; only: string | null }[] = []
  readonly saidSinks: { sink: Sink; only: string | null }[] = []
  readonly castSanitizers: { type: RegExp; kinds: readonly string[] }[] = []
  readonly taintRules = new Map<string, Rule[]>()
  readonly plain = Object.fromEntries(plainKinds.map((kind) => [kind, [] as PatternRule[]])) as Record<PlainKind, PatternRule[]>
  readonly subtypes = new Map<string, readonly string[]>()

  constructor(language: Language) {
    const ignoreCase = language === 'php' || language === 'sql'
    this.ignoreCase = ignoreCase
    this.calls = new NameIndex(ignoreCase, freeNames.has(language))
    this.reads = new NameIndex(ignoreCase)
    this.sets = new NameIndex(ignoreCase)
    this.guards = new NameIndex(ignoreCase)
    this.callbackSources = new NameIndex(ignoreCase)
  }

  addPack(pack: Pack): void {
    for (const source of pack.sources) this.#addSource(source, null)
    for (const sink of pack.sinks) this.#addSink(sink, null)
    for (const sanitizer of pack.sanitizers) this.#addSanitizer(sanitizer)
    for (const propagator of pack.propagators) this.calls.add(propagator.call, { role: 'propagator', conditions: propagator })
    for (const guard of pack.guards)
      if (guard.call !== undefined) this.guards.add(guard.call, { role: 'guard', conditions: guard })
    for (const mark of pack.marks) {
      const role: Role = { role: 'mark', conditions: mark }
      if (mark.when === undefined) this.#addNamed(mark, role)
      else if (mark.call !== undefined) this.guards.add(mark.call, role)
    }
    for (const one of pack.returns) this.calls.add(one.call, { role: 'returns', type: one.type, of: one.of, conditions: one })
    for (const one of pack.callbacks) {
      this.calls.add(one.call, { role: 'callback', types: one.parameters, argument: one.argument, conditions: one })
    }
    for (const one of pack.parameters) {
      this.parameterTypes.push(one)
      for (const method of one.asked ?? []) this.typeAsked.add(method)
    }
    for (const [type, bases] of Object.entries(pack.subtypes)) this.subtypes.set(type, bases)
  }

  addRule(rule: Rule): void {
    if (rule.taint !== undefined) {
      this.taintRules.set(rule.taint.kind, [...(this.taintRules.get(rule.taint.kind) ?? []), rule])
      for (const source of rule.taint.sources) this.#addSource(source, rule.id)
      for (const sink of rule.taint.sinks) this.#addSink({ ...sink, kind: sink.kind ?? rule.taint.kind }, rule.id)
      for (const sanitizer of rule.taint.sanitizers) this.#addSanitizer({ ...sanitizer, kinds: [`rule:${rule.id}`] })
    }
    for (const matcher of rule.match ?? []) {
      this.#addNamed(matcher, { role: 'rule', rule, conditions: matcher })
      for (const kind of plainKinds) if (matcher[kind] !== undefined) this.plain[kind].push({ rule, matcher })
    }
  }

  #addNamed({ call, new: made, read, set }: Partial<Pick<Matcher, 'call' | 'new' | 'read' | 'set'>>, role: Role): void {
    if (call !== undefined) this.calls.add(call, role)
    if (made !== undefined) this.calls.add(made, role, true)
    if (read !== undefined) this.reads.add(read, role)
    if (set !== undefined) this.sets.add(set, role)
  }

  #addSource(source: Source, only: string | null): void {
    const role: Role = { role: 'source', conditions: source, only }
    this.#addNamed(source, role)
    if (source.parameter !== undefined) this.parameterSources.push({ source, only })
    if (source.field !== undefined) this.fieldSources.push({ source, only })
    if (source.callback !== undefined) this.callbackSources.add(source.callback.call, role)
  }

  #addSink(sink: Sink, only: string | null): void {
    this.#addNamed(sink, { role: 'sink', conditions: sink, only })
    if (sink.returns !== undefined) this.returnSinks.push({ sink, only })
    if (sink.index === true) this.indexSinks.push({ sink, only })
    if (sink.slice === true) this.sliceSinks.push({ sink, only })
    if (sink.named !== undefined) this.namedSinks.push({ sink, only })
    if (sink.says !== undefined) this.saidSinks.push({ sink, only })
    if (sink.binary !== undefined) this.binarySinks.push({ sink, only })
    if (sink.cast !== undefined) this.castSinks.push({ sink, only })
    const isKeyOnly = sink.call === undefined && sink.new === undefined && sink.returns === undefined && sink.says === undefined
    for (const key of isKeyOnly ? (sink.key ?? []) : [])
      this.keySinks.set(key, [...(this.keySinks.get(key) ?? []), { sink, only }])
  }

  #addSanitizer(sanitizer: Sanitizer): void {
    this.#addNamed(sanitizer, { role: 'sanitizer', conditions: sanitizer })
    if (sanitizer.cast !== undefined)
      this.castSanitizers.push({ type: compileRegex(sanitizer.cast), kinds: kindsOf(sanitizer.kinds) })
  }
}
