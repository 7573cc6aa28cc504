/** The project configuration `.compliance.yml`: its form, and what it does to violations. */
import { parse } from 'yaml'
import { z } from 'zod'
import { invalidRequest } from '#platform/errors.js'
import { languages } from '../languages.js'
import { type Pack, packSchema, sanitizer, sink, source } from '../rulebook/model-schema.js'
import { severities, severity, type Severity } from '../rulebook/schema.js'
import { findStandard, loadStandards, unknownStandard } from './standards.js'
import type { Violation } from './violation.js'

/** Checked here and not at the scan, which cannot say which file the name is from. */
const standardName = z.string().superRefine((name, context) => {
  const standards = loadStandards()
  if (findStandard(name, standards) === undefined) context.addIssue(unknownStandard(name, standards))
})

const ignoreSchema = z.strictObject({
  fingerprint: z.string().regex(/^[0-9a-f]{20}$/),
  reason: z.string().min(1),
  /** A date; after it the entry no longer counts. */
  expires: z.iso.date().optional(),
})

const configSchema = z.strictObject({
  standards: z.array(standardName).optional(),
  /** Violations below are left out. */
  threshold: severity.optional(),
  /** By rule id, `CWE-n` or category: `off`, or another severity. */
  rules: z.record(z.string(), z.union([z.literal('off'), severity])).default({}),
  include: z.array(z.string()).default([]),
  exclude: z.array(z.string()).default([]),
  sources: z.array(source).default([]),
  sinks: z.array(sink).default([]),
  sanitizers: z.array(sanitizer).default([]),
  ignore: z.array(ignoreSchema).default([]),
})
export type ComplianceConfig = z.infer<typeof configSchema>

/** Parses the text of the configuration `file`. Throws a 400 that names the file and the field at fault. */
export function parseConfig(text: string, file = 'The configuration'): ComplianceConfig {
  let data: unknown
  try {
    data = parse(text) ?? {}
  } catch {
    throw invalidRequest(`${file} is not valid YAML.`)
  }
  const result = configSchema.safeParse(data)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw invalidRequest(`${file} is not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}.`)
}

/** The configuration's own models as a pack; `undefined` when it has none. */
export function packOf(config: ComplianceConfig | undefined): Pack | undefined {
  if (config === undefined || config.sources.length + config.sinks.length + config.sanitizers.length === 0) return undefined
  const { sources, sinks, sanitizers } = config
  return packSchema.parse({ pack: 'project', languages: [...languages], sources, sinks, sanitizers })
}

const settingsOf = (config: ComplianceConfig): ReadonlyMap<string, 'off' | Severity> =>
  new Map(Object.entries(config.rules).map(([name, setting]) => [name.toLowerCase(), setting]))

/** Rules switched off or changed. */
export function applySettings(violations: readonly Violation[], config: ComplianceConfig | undefined): Violation[] {
  if (config === undefined) return [...violations]
  const rules = settingsOf(config)
  return violations.flatMap((violation) => {
    const setting = settingFor(rules, violation)
    if (setting === 'off') return []
    return [setting === undefined ? violation : { ...violation, severity: setting }]
  })
}

/** The threshold and the list of accepted fingerprints. `today` is an ISO date. */
export function applyLimits(violations: readonly Violation[], config: ComplianceConfig | undefined, today: string): Violation[] {
  if (config === undefined) return [...violations]
  const accepted = new Set(
    config.ignore.filter((entry) => entry.expires === undefined || entry.expires >= today).map((entry) => entry.fingerprint),
  )
  const limit = config.threshold === undefined ? severities.length : severities.indexOf(config.threshold) + 1
  return violations.filter((violation) => !accepted.has(violation.fingerprint) && severities.indexOf(violation.severity) < limit)
}

function settingFor(rules: ReadonlyMap<string, 'off' | Severity>, violation: Violation): 'off' | Severity | undefined {
  const names = [violation.ruleId, ...violation.cwe.map((cwe) => `cwe-${cwe}`), violation.category]
  return names.map((name) => rules.get(name)).find((setting) => setting !== undefined)
}
