/** What the scanner says about itself: rules, configuration and health. */
import type { Clock } from '#platform/clock.js'
import {
  type Language,
  type RuleDescription,
  type ScanLimits,
  type Scanner,
  type ScannerHealth,
  type Standard,
  currentStandards,
  extensions,
  languages,
  selectStandards,
} from '../engine/index.js'
import { standardType, type ScannerConfig, type ScannerHealthType } from './rule-type.js'

export interface ScannerState {
  /** Rules of the enabled standards, by id. Throws a 400 for an unknown standard. */
  rules(standard: string | null, language: Language | null): readonly RuleDescription[]
  rule(id: string): RuleDescription | null
  config(): ScannerConfig
  health(): Promise<ScannerHealthType>
}

export interface ScannerStateOptions {
  readonly scanner: Scanner
  /** The enabled ones. */
  readonly standards: readonly Standard[]
  readonly limits: ScanLimits
  readonly version: string
  /** Where this server is reached; known once it listens. */
  readonly serverUrl: () => string
  readonly clock: Clock
}

/** Anybody may ask for the health, so a probe's answer serves all who ask within this time. */
const PROBE_KEPT_MS = 1_000
/** A probe waits behind the files that are being scanned; longer than this and the answer is that the scanner is busy. */
const PROBE_PATIENCE_MS = 3_000

export function createScannerState(options: ScannerStateOptions): ScannerState {
  const { scanner, standards, limits, version, serverUrl, clock } = options
  // A rule's standards are those that are enabled, in their order.
  const current = currentStandards(standards)
  const enabled = new Set(current.map(({ name }) => name))
  let described: ReadonlyMap<string, RuleDescription> | undefined
  const all = () => (described ??= describeAll())
  function describeAll() {
    const rules = current
      .reduce<RuleDescription[]>((rules, { name }) => joinRules(rules, scanner.rules(name)), [])
      .map((rule) => ({ ...rule, standards: rule.standards.filter((clause) => enabled.has(clause.standard)) }))
      .filter((rule) => rule.standards.length > 0)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return new Map(rules.map((rule) => [rule.id, rule]))
  }
  let probe: { readonly at: number; readonly health: Promise<ScannerHealth> } | null = null

  return {
    rules(standard, language) {
      const named = standard === null ? null : selectStandards([standard], standards).map(({ name }) => name)[0]
      const known = [...all().values()]
      const ofStandard =
        named == null ? known : joinRules(scanner.rules(named), known).flatMap((rule) => withStandard(rule, named))
      return language === null ? ofStandard : ofStandard.filter((rule) => rule.languages.includes(language))
    },
    rule: (id) => all().get(id) ?? null,
    config: () => ({
      standards: current.map(standardType),
      languages: [...languages],
      files: languages.map((language) => ({ language, extensions: [...extensions[language]] })),
      serverUrl: serverUrl(),
      version,
      maxFileBytes: limits.maxFileBytes,
      maxFiles: limits.maxFiles,
      maxBatchBytes: limits.maxBatchBytes,
    }),
    async health() {
      if (probe === null || clock.now() - probe.at > PROBE_KEPT_MS) {
        probe = { at: clock.now(), health: withPatience(scanner.health(), clock) }
      }
      return { ...(await probe.health), serverUrl: serverUrl(), version }
    },
  }
}

/** The rules of both lists, each once with the clauses of both, by id. */
function joinRules(one: readonly RuleDescription[], other: readonly RuleDescription[]): RuleDescription[] {
  const joined = new Map(one.map((rule) => [rule.id, rule]))
  for (const rule of other) {
    const known = joined.get(rule.id)
    joined.set(rule.id, known === undefined ? rule : { ...known, standards: [...known.standards, ...rule.standards] })
  }
  return [...joined.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** The rule under one standard: that standard's clauses come first. */
function withStandard(rule: RuleDescription, name: string): RuleDescription[] {
  const own = rule.standards.filter((clause) => clause.standard === name)
  if (own.length === 0) return []
  return [{ ...rule, standards: [...own, ...rule.standards.filter((clause) => clause.standard !== name)] }]
}

async function withPatience(health: Promise<ScannerHealth>, clock: Clock): Promise<ScannerHealth> {
  let cancel = (): void => undefined
  const late = new Promise<ScannerHealth>((resolve) => {
    cancel = clock.setTimeout(() => resolve({ status: 'degraded', latencyMs: PROBE_PATIENCE_MS }), PROBE_PATIENCE_MS)
  })
  const down = (): ScannerHealth => ({ status: 'down', latencyMs: 0 })
  return Promise.race([health.catch(down), late]).finally(() => cancel())
}
