/**
 * The file format of rules and framework packs, validated when they are loaded.
 *
 * docs/scanner-rules.md explains every field with examples; this file is its exact form.
 */
import { z } from 'zod'
import { languages } from '../languages.js'
import { matcher } from './matcher-schema.js'
import { many, regex } from './pattern-schema.js'
import { aboutCalls, given, refuse, sanitizer, sink, source } from './model-schema.js'
import { subjects } from './subjects.js'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export const severity = z.enum(severities)
export type Severity = z.infer<typeof severity>
export const confidences = ['high', 'medium', 'low'] as const
const confidence = z.enum(confidences)
export type Confidence = z.infer<typeof confidence>

const taint = z.strictObject({
  kind: z.string(),
  /** Which labels fire, and how severe each is. */
  from: z.record(z.string(), severity).default({ remote: 'critical', local: 'high', param: 'high' }),
  /** Labels that only fire in the last argument of a call: a format with values behind it is meant as one. */
  last: z.array(z.string()).default([]),
  /** Labels that only fire when the value was built from pieces. */
  built: z.array(z.string()).default(['param']),
  /** What a call that nobody models does to the values it gets. */
  opaque: z.enum(['propagate', 'safe']).default('propagate'),
  /** Where the finding stands: what has to be changed may be the source, or the call that handed it on to where the sink is. */
  report: z.enum(['sink', 'source', 'call']).default('sink'),
  sources: z.array(source).default([]),
  sinks: z.array(sink.omit({ kind: true }).extend({ kind: z.string().optional() })).default([]),
  sanitizers: z.array(sanitizer).default([]),
})

export const ruleSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)+$/),
    title: z.string().min(8),
    cwe: z.array(z.number().int()).min(1),
    category: z.string(),
    severity,
    confidence: confidence.default('high'),
    languages: z.array(z.enum(languages)).min(1),
    match: many(matcher).optional(),
    unless: many(matcher).optional(),
    taint: taint.optional(),
    message: z.string().min(20),
    suggestion: z.string().min(10),
    fix: z.string().optional(),
    references: z.array(z.string()).optional(),
    /** Tests and examples are not looked at. */
    skip_tests: z.boolean().default(false),
    /** Tests make such secrets for themselves: their form names nobody who issued them. */
    self_made: z.boolean().default(false),
    /** The finding stands where the file gives its name to the text that is wrong, not where the name is used. */
    at_constant: z.boolean().default(false),
    /** What a finding is about, as its line names it: a file or an address that comes again is not said again. */
    once_for: regex.optional(),
    /** Knows no library: where a rule that does finds the same weakness on the same line, that finding stands alone. */
    general: z.boolean().default(false),
    examples: z.strictObject({
      bad: z.array(z.union([z.string(), z.strictObject({ language: z.enum(languages), code: z.string() })])).min(1),
      good: z.array(z.union([z.string(), z.strictObject({ language: z.enum(languages), code: z.string() })])).min(1),
    }),
  })
  .refine((rule) => rule.match !== undefined || rule.taint !== undefined, 'a rule has match or taint')
  .superRefine((rule, context) => {
    // Runs for rules that are invalid in another way too.
    const [matchers, excuses] = [rule.match, rule.unless].map((list) => (Array.isArray(list) ? list : []))
    if (matchers === undefined || excuses === undefined || excuses.length === 0) return
    const isText =
      matchers.length > 0 &&
      matchers.every((one) => one.text !== undefined || one.tokens !== undefined || one.secret !== undefined)
    if (isText) return refuse(context, ['unless'], 'rules about text have none')
    if (matchers.some((one) => one.call !== undefined || one.new !== undefined)) return
    for (const one of excuses)
      refuse(
        context,
        given(one, [...subjects, ...aboutCalls]),
        '`unless` of a rule that is not about calls only asks about the place',
      )
  })
export type Rule = z.infer<typeof ruleSchema>

/** `excuses`: matchers that rules of any file name under `unless`; load.ts puts them there. */
export const ruleFileSchema = z
  .strictObject({ rules: z.array(ruleSchema).default([]), excuses: z.record(z.string(), z.array(matcher)).default({}) })
  .refine(({ rules, excuses }) => rules.length > 0 || Object.keys(excuses).length > 0, 'a file has rules or excuses')
