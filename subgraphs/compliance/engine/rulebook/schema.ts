/**
 * The file format of rules and framework packs, validated when they are loaded.
 *
 * docs/scanner-rules.md explains every field with examples; this file is its exact form.
 */
import { z } from 'zod'
import { languages } from '../languages.js'
import { factKinds } from './fact-kinds.js'
import { functionModel } from './function-model.js'
import { regexProblem } from './safe-regex.js'
import { wordsSchema } from './words.js'

const regex = z.string().superRefine((pattern, context) => {
  const problem = regexProblem(pattern)
  if (problem !== null) context.addIssue({ code: 'custom', message: `/${pattern}/ ${problem}` })
})
/** The pieces of a token pattern that are regular expressions must be safe like all others. */
const tokenPattern = z.string().superRefine((pattern, context) => {
  for (const piece of pattern.trim().split(/\s+/)) {
    const problem = /^\^?\/.+\/$/.test(piece) ? regexProblem(piece.replace(/^\^?\//, '').slice(0, -1)) : null
    if (problem !== null) context.addIssue({ code: 'custom', message: `${piece} ${problem}` })
  }
})
const many = <T extends z.ZodType>(item: T) =>
  z.union([item, z.array(item).min(1)]).transform((one) => (Array.isArray(one) ? one : [one]))
/** A dot in braces would never match: alternatives are names of one segment. */
const namePattern = z
  .string()
  .min(1)
  .refine(
    (text) => !/\{[^{}]*\.[^{}]*\}/.test(text),
    'has a dot inside of {}: alternatives are single segments, so write several patterns',
  )
const names = many(namePattern)
const literal = z.union([z.string(), z.number(), z.boolean(), z.null()])
const range = z.strictObject({ lt: z.number(), lte: z.number(), gt: z.number(), gte: z.number() }).partial()

/** A condition on one value. All given fields must hold. */
export interface Constraint {
  is?: string | number | boolean | null
  in?: (string | number | boolean | null)[]
  string?: string
  number?: z.infer<typeof range>
  constant?: boolean
  missing?: boolean
  type?: string
  path?: string[]
  name?: string
  text?: string
  concat?: boolean
  tainted?: boolean | string[]
  unquoted?: boolean
  mark?: string
  lacks_mark?: string
  keys?: Record<string, Constraint>
  lacks_keys?: string[]
  element?: Constraint
  empty?: boolean
  entropy?: number
  placeholder?: boolean
  size?: z.infer<typeof range>
  kind?: string[]
  not?: Constraint
  any?: Constraint[]
  all?: Constraint[]
}

const constraint: z.ZodType<Constraint> = z.lazy(() =>
  z.strictObject({
    is: literal.optional(),
    in: z.array(literal).optional(),
    string: regex.optional(),
    number: range.optional(),
    constant: z.boolean().optional(),
    missing: z.boolean().optional(),
    type: regex.optional(),
    path: names.optional(),
    name: regex.optional(),
    text: regex.optional(),
    concat: z.boolean().optional(),
    tainted: z.union([z.boolean(), z.array(z.string())]).optional(),
    unquoted: z.boolean().optional(),
    mark: z.string().optional(),
    lacks_mark: z.string().optional(),
    keys: z.record(z.string(), constraint).optional(),
    lacks_keys: z.array(z.string()).optional(),
    element: constraint.optional(),
    empty: z.boolean().optional(),
    entropy: z.number().optional(),
    placeholder: z.boolean().optional(),
    size: range.optional(),
    kind: z.array(z.string()).optional(),
    not: constraint.optional(),
    any: z.array(constraint).optional(),
    all: z.array(constraint).optional(),
  }),
) as z.ZodType<Constraint>

/** Where something stands: all given fields must hold. */
const context = z
  .strictObject({
    function: regex,
    decorator: names,
    class: regex,
    extends: regex,
    class_decorator: names,
    callback_of: names,
    loop: z.boolean(),
    catch: z.boolean(),
    has_call: names,
    lacks_call: names,
    /** The function calls itself. */
    recursive: z.boolean(),
    has_text: regex,
    lacks_text: regex,
  })
  .partial()
export type Context = z.infer<typeof context>

/** Conditions that any matcher may add. */
const conditions = {
  args: z.record(z.string(), constraint).optional(),
  argc: z.union([z.number(), z.strictObject({ min: z.number().optional(), max: z.number().optional() })]).optional(),
  receiver: constraint.optional(),
  inside: context.optional(),
  not_inside: context.optional(),
  file_has: many(regex).optional(),
  file_lacks: many(regex).optional(),
  compare: z
    .array(z.strictObject({ left: z.string(), operator: z.enum(['<', '<=', '>', '>=', '==', '!=']), right: z.string() }))
    .optional(),
}

const matcher = z.strictObject({
  call: names.optional(),
  new: names.optional(),
  read: names.optional(),
  set: names.optional(),
  value: constraint.optional(),
  declare: z.strictObject({ name: regex.optional(), type: regex.optional(), value: constraint.optional() }).optional(),
  decorator: names.optional(),
  function: z
    .strictObject({
      name: regex.optional(),
      decorator: names.optional(),
      lacks_decorator: names.optional(),
      class: regex.optional(),
      extends: regex.optional(),
      class_decorator: names.optional(),
      has_call: names.optional(),
      lacks_call: names.optional(),
      parameter: z.strictObject({ name: regex.optional(), type: regex.optional(), fallback: constraint.optional() }).optional(),
      returns: constraint.optional(),
    })
    .optional(),
  class: z
    .strictObject({
      name: regex.optional(),
      extends: regex.optional(),
      decorator: names.optional(),
      lacks_decorator: names.optional(),
      has_method: regex.optional(),
      lacks_method: regex.optional(),
    })
    .optional(),
  import: regex.optional(),
  literal: constraint.optional(),
  object: z.record(z.string(), constraint).optional(),
  binary: z.strictObject({ operator: z.array(z.string()), left: constraint.optional(), right: constraint.optional() }).optional(),
  index: z.strictObject({ object: constraint.optional(), index: constraint.optional() }).optional(),
  catch: z.strictObject({ type: regex.optional(), empty: z.boolean().optional(), lacks_call: names.optional() }).optional(),
  throws: constraint.optional(),
  syntax: z.strictObject({ kind: z.array(z.string()), text: regex.optional() }).optional(),
  text: regex.optional(),
  /** What the analysis of memory and numbers proved. */
  fact: z.array(z.enum(factKinds)).min(1).optional(),
  tokens: many(tokenPattern).optional(),
  unless_tokens: many(tokenPattern).optional(),
  secret: z
    .strictObject({
      pattern: regex,
      keywords: z.array(z.string()).min(1),
      entropy: z.number().optional(),
      group: z.number().optional(),
    })
    .optional(),
  ...conditions,
})
export type Matcher = z.infer<typeof matcher>

/** An argument: its index, a name, `receiver`, `rest` (all from the last index on), `all`, `last`, or `1|name`. */
const argument = z.union([z.number(), z.string()])

const parameterSource = z.strictObject({
  name: regex.optional(),
  type: regex.optional(),
  decorator: names.optional(),
  index: z.number().optional(),
  function: z
    .strictObject({
      name: regex.optional(),
      decorator: names.optional(),
      class: regex.optional(),
      extends: regex.optional(),
      class_decorator: names.optional(),
      public: z.boolean().optional(),
    })
    .optional(),
})

const aboutCalls = ['args', 'argc', 'receiver', 'compare'] as const
const subjects = [
  'call',
  'new',
  'read',
  'set',
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
] as const

const given = (object: object, keys: readonly string[]): string[] =>
  keys.filter((key) => Object.entries(object).some(([name, value]) => name === key && value !== undefined))

/** Conditions that nothing would ask about are mistakes of the author. */
const refuse = (context: z.RefinementCtx, keys: readonly string[], reason: string): void => {
  if (keys.length > 0) context.addIssue({ code: 'custom', message: `${keys.join(', ')}: ${reason}` })
}

export const source = z
  .strictObject({
    call: names.optional(),
    read: names.optional(),
    parameter: parameterSource.optional(),
    callback: z
      .strictObject({ call: names, parameter: z.union([z.number(), z.array(z.number())]), argument: argument.optional() })
      .optional(),
    /** Filled by the call: C's `fgets(buf, ...)`. */
    to: z.array(argument).optional(),
    label: z.string().default('remote'),
    /** Kinds that this source can never harm: a header cannot hold a line break. */
    clean: z.array(z.string()).optional(),
    ...conditions,
  })
  .superRefine((one, context) => {
    if (one.parameter !== undefined && one.call === undefined && one.callback === undefined && one.read === undefined)
      refuse(context, given(one, aboutCalls), 'a parameter has no call; use `parameter` and `inside`')
  })

export const sink = z.strictObject({
  kind: z.string(),
  call: names.optional(),
  new: names.optional(),
  set: names.optional(),
  read: names.optional(),
  /** Named values of a map or of named arguments: `render({ html: x })`. */
  key: z.array(z.string()).optional(),
  returns: z
    .strictObject({
      decorator: names.optional(),
      function: regex.optional(),
      class_decorator: names.optional(),
      extends: regex.optional(),
    })
    .optional(),
  index: z.boolean().optional(),
  binary: z.array(z.string()).optional(),
  argument: z.union([argument, z.array(argument)]).default('all'),
  /** No finding when the constant beginning of the value matches: the host of a URL is fixed. */
  safe_prefix: regex.optional(),
  /** The value must be text built from pieces, not passed through whole. */
  built: z.boolean().optional(),
  ...conditions,
})

export const sanitizer = z
  .strictObject({
    call: names.optional(),
    read: names.optional(),
    cast: regex.optional(),
    kinds: z.union([z.literal('all'), z.array(z.string())]),
    /** Also makes the argument variable clean, not only the result. */
    argument: argument.optional(),
    ...conditions,
  })
  .superRefine((one, context) => {
    if (one.cast !== undefined && one.call === undefined && one.read === undefined)
      refuse(context, given(one, [...aboutCalls, 'inside', 'not_inside', 'file_has', 'file_lacks']), 'a cast has no conditions')
    if (one.read !== undefined && one.call === undefined)
      refuse(context, given(one, ['args', 'argc', 'compare']), 'a read has no arguments')
  })

const propagator = z.strictObject({
  call: names,
  from: z.union([argument, z.array(argument)]).default('all'),
  to: z.union([argument, z.array(argument)]).default('result'),
  /** `format`: the result is text built around constant pieces. `element`: an element of the source. `none`: nothing flows. */
  as: z.enum(['value', 'format', 'element', 'none']).default('value'),
  ...conditions,
})

const guard = z.strictObject({
  call: names.optional(),
  argument: argument.default(0),
  when: z.boolean().default(true),
  kinds: z.union([z.literal('all'), z.array(z.string())]),
  /** Cleans everything that stems from the same source: a host check cleans the URL. */
  derived: z.boolean().default(false),
  ...conditions,
})

const mark = z.strictObject({
  call: names.optional(),
  new: names.optional(),
  set: names.optional(),
  value: constraint.optional(),
  mark: z.string(),
  on: argument.default('receiver'),
  clears: z.boolean().default(false),
  ...conditions,
})

const returnsType = z.strictObject({ call: names, type: z.string() })
const callbackType = z.strictObject({
  call: names,
  argument: argument.optional(),
  parameters: z.array(z.string().nullable()),
})

const modelParts = {
  sources: z.array(source).default([]),
  sinks: z.array(sink).default([]),
  sanitizers: z.array(sanitizer).default([]),
  propagators: z.array(propagator).default([]),
  guards: z.array(guard).default([]),
  marks: z.array(mark).default([]),
  returns: z.array(returnsType).default([]),
  callbacks: z.array(callbackType).default([]),
  subtypes: z.record(z.string(), z.array(z.string())).default({}),
  /** What functions do with memory: C and C++. */
  functions: z.array(functionModel).default([]),
}

export const packSchema = z.strictObject({
  pack: z.string(),
  languages: z.array(z.enum(languages)).min(1),
  words: wordsSchema.optional(),
  ...modelParts,
})
export type Pack = z.infer<typeof packSchema>

export const severities = ['critical', 'high', 'medium', 'low'] as const
export const severity = z.enum(severities)
export type Severity = z.infer<typeof severity>
const confidence = z.enum(['high', 'medium', 'low'])

const taint = z.strictObject({
  kind: z.string(),
  /** Which labels fire, and how severe each is. */
  from: z.record(z.string(), severity).default({ remote: 'critical', local: 'high', param: 'high' }),
  /** Labels that only fire when the value was built from pieces. */
  built: z.array(z.string()).default(['param']),
  /** What a call that nobody models does to the values it gets. */
  opaque: z.enum(['propagate', 'safe']).default('propagate'),
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
    examples: z.strictObject({
      bad: z.array(z.union([z.string(), z.strictObject({ language: z.enum(languages), code: z.string() })])).min(1),
      good: z.array(z.union([z.string(), z.strictObject({ language: z.enum(languages), code: z.string() })])).min(1),
    }),
  })
  .refine((rule) => (rule.match === undefined) !== (rule.taint === undefined), 'a rule has either match or taint')
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
export const ruleFileSchema = z.strictObject({ rules: z.array(ruleSchema).min(1) })

export type Source = z.infer<typeof source>
export type Sink = z.infer<typeof sink>
export type Sanitizer = z.infer<typeof sanitizer>
export type Propagator = z.infer<typeof propagator>
export type Guard = z.infer<typeof guard>
export type Mark = z.infer<typeof mark>
