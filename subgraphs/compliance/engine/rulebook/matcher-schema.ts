/** The file format of matchers: what a rule or a condition is about, and what must hold there. */
import { z } from 'zod'
import { factKinds } from './fact-kinds.js'
import { many, names, regex, tokenPattern } from './pattern-schema.js'

const literal = z.union([z.string(), z.number(), z.boolean(), z.null()])
const range = z.strictObject({ lt: z.number(), lte: z.number(), gt: z.number(), gte: z.number() }).partial()

/** A condition on one value. All given fields must hold. */
export interface Constraint {
  is?: string | number | boolean | null
  in?: (string | number | boolean | null)[]
  string?: string
  starts?: string
  number?: z.infer<typeof range>
  constant?: boolean
  missing?: boolean
  type?: string
  path?: string[]
  name?: string
  text?: string
  concat?: boolean
  tainted?: boolean | string[]
  untested?: string[]
  unquoted?: boolean
  mark?: string
  lacks_mark?: string
  keys?: Record<string, Constraint>
  lacks_keys?: string[]
  element?: Constraint
  empty?: boolean
  entropy?: number
  placeholder?: boolean
  /** A regular expression that can take exponential time, where all of the text or a part of it must match. */
  slow_pattern?: 'whole' | 'part'
  /** A collection that outlives the function, and from which nothing ever takes. */
  growing?: true
  /** The text of a function that stands there or is named. */
  body?: string
  /** Is built from nothing but such data, constants, and calls that join them. */
  made_of?: { names: string; known: string; calls: string }
  size?: z.infer<typeof range>
  kind?: string[]
  /** A function that has no other answer. */
  always?: Constraint
  /** A function that changes what it has not made itself. */
  changes?: 'outer'
  not?: Constraint
  any?: Constraint[]
  all?: Constraint[]
}

export const constraint: z.ZodType<Constraint> = z.lazy(() =>
  z.strictObject({
    is: literal.optional(),
    in: z.array(literal).optional(),
    string: regex.optional(),
    starts: regex.optional(),
    number: range.optional(),
    constant: z.boolean().optional(),
    missing: z.boolean().optional(),
    type: regex.optional(),
    path: names.optional(),
    name: regex.optional(),
    text: regex.optional(),
    concat: z.boolean().optional(),
    tainted: z.union([z.boolean(), z.array(z.string())]).optional(),
    /** The same, as long as nobody made a number of it or compared it with what is known. */
    untested: z.array(z.string()).optional(),
    unquoted: z.boolean().optional(),
    mark: z.string().optional(),
    lacks_mark: z.string().optional(),
    keys: z.record(z.string(), constraint).optional(),
    lacks_keys: z.array(z.string()).optional(),
    element: constraint.optional(),
    empty: z.boolean().optional(),
    entropy: z.number().optional(),
    placeholder: z.boolean().optional(),
    slow_pattern: z.enum(['whole', 'part']).optional(),
    size: range.optional(),
    kind: z.array(z.string()).optional(),
    always: constraint.optional(),
    changes: z.literal('outer').optional(),
    body: regex.optional(),
    growing: z.literal(true).optional(),
    made_of: z.strictObject({ names: regex, known: regex, calls: regex }).optional(),
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
    /** The text of the innermost loop, its head included. */
    loop_has: regex,
    loop_lacks: regex,
    /** The text of a condition around it; both branches count. */
    if: regex,
    catch: z.boolean(),
    has_call: names,
    lacks_call: names,
    /** The function calls itself. */
    recursive: z.boolean(),
    /** The file calls it, and not only from within itself. */
    called: z.boolean(),
    has_text: regex,
    lacks_text: regex,
  })
  .partial()
export type Context = z.infer<typeof context>

/** Conditions that any matcher may add. */
export const conditions = {
  args: z.record(z.string(), constraint).optional(),
  argc: z.union([z.number(), z.strictObject({ min: z.number().optional(), max: z.number().optional() })]).optional(),
  receiver: constraint.optional(),
  /** The call stands alone: nothing is done with its result. */
  unused: z.boolean().optional(),
  /** The branch that the call stands in does not leave, and other work follows behind the branch. */
  goes_on: z.boolean().optional(),
  /** The call stands in a branch that was taken for a constant like this, or calls what was looked up in a table. */
  chosen_as: regex.optional(),
  inside: context.optional(),
  not_inside: context.optional(),
  file_has: many(regex).optional(),
  file_lacks: many(regex).optional(),
  compare: z
    .array(z.strictObject({ left: z.string(), operator: z.enum(['<', '<=', '>', '>=', '==', '!=']), right: z.string() }))
    .optional(),
}

export const matcher = z.strictObject({
  call: names.optional(),
  new: names.optional(),
  read: names.optional(),
  set: names.optional(),
  value: constraint.optional(),
  declare: z.strictObject({ name: regex.optional(), type: regex.optional(), value: constraint.optional() }).optional(),
  decorator: names.optional(),
  /** The name of what the decorator stands on. */
  decorates: regex.optional(),
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
      always: constraint.optional(),
      /** What a way out of the function keeps although others give it back; reported there. */
      leaves: z.strictObject({ takes: names, gives_back: names, sure: names.optional(), marked: regex.optional() }).optional(),
      /** What it opens, keeps to itself and never closes; reported where it is opened. */
      leaves_open: z
        .strictObject({
          opens: names,
          closes: z.array(z.string()).min(1),
          uses: names.optional(),
          wraps: names.optional(),
          memory: names.optional(),
          handed: regex.optional(),
          chains: z.array(z.string()).optional(),
          chain_opens: names.optional(),
          spent: z.strictObject({ opens: names, ends: z.array(z.string()).min(1) }).optional(),
          exits: z.boolean().optional(),
          failing: names.optional(),
        })
        .optional(),
      /** Where it says yes, or lets pass, because what it asked has failed; reported there. */
      fails_open: z
        .strictObject({
          answers: z.boolean().optional(),
          yes: regex.optional(),
          refuses: z.boolean().optional(),
          ends: z.boolean().optional(),
          checks: names.optional(),
          passes: names.optional(),
          recovers: names.optional(),
          failing: regex.optional(),
          grants: regex.optional(),
          anyway: z.boolean().optional(),
        })
        .optional(),
      /** Writes that rest on a test of a count that was read before; reported there. */
      stale_write: z
        .strictObject({ reads: names, counted: regex, writes: names, holders: names.optional(), own: z.boolean().optional() })
        .optional(),
      /** A change that rests on what a store was asked before: whether something is free or there, how many there are; reported there. */
      asked_claim: z
        .strictObject({
          exists: names,
          counts: names,
          reads: names,
          adds: names,
          repeats: names.optional(),
          claims: names,
          writes: names,
          unique: regex,
        })
        .optional(),
      /** The second step on a value that is only safe for one: an atomic number, an entry of a concurrent map. */
      two_steps: z
        .strictObject({
          asks: names.optional(),
          counts: names.optional(),
          gets: names,
          puts: names,
          sets: names.optional(),
          has: names.optional(),
          plain: z.boolean().optional(),
        })
        .optional(),
      /** A change that rests on what was read or asked before a pause in which others run; reported there. */
      over_pause: z.strictObject({ pauses: regex.optional(), counted: regex, fields: z.boolean().optional() }).optional(),
      /** A change under a lock that rests on a test under an earlier one; reported there. */
      split_lock: z
        .strictObject({
          takes: names,
          gives_back: names,
          holders: regex,
          removes: z.array(z.string()).min(1),
          puts: z.array(z.string()).optional(),
          runs: names.optional(),
          words: regex.optional(),
          chained: names.optional(),
        })
        .optional(),
      /** A check that whoever is checked can leave out; reported at its condition. */
      half_check: z.strictObject({ verifies: names, sent: regex, refuses: regex, unfailed: regex, answers: regex }).optional(),
      /** Calls that free a field which another function of the file sets to a text of the program; reported there. */
      frees_literal: names.optional(),
      /** An index or a pointer that is used in front of the test of its bound; reported there. */
      late_bound: z.boolean().optional(),
      /** A parameter that is taken from one place and given to another, and may be less than nothing; reported there. */
      moved_amount: z.strictObject({ signed: regex, checks: regex }).optional(),
      /** A mean of elements of which there may be none; reported at the division. */
      empty_mean: z.strictObject({ sizes: regex, real: regex.optional(), whole: regex.optional() }).optional(),
      /** A list that a loop reads at the number of its size; reported there. */
      past_end: z.strictObject({ sizes: regex, gets: z.array(z.string()), ranges: z.array(z.string()) }).optional(),
      /** A loop over data whose step may be none; reported there. */
      stuck_loop: z.strictObject({ reads: names, numbers: names }).optional(),
      /** A loop that asks again until something outside says yes, and never gives up; reported there. */
      endless_retry: z
        .strictObject({ acts: regex, quiet: regex, bounds: regex, lasting: regex, conflicts: regex, nothing: regex })
        .optional(),
      /** What the rounds of a loop change at the same time without a lock; reported there. */
      round_change: z.strictObject({ starts: names, changes: names, waits: regex }).optional(),
      /** What a thread that it starts and the rest of the file touch at the same time; reported there. */
      thread_race: z
        .strictObject({
          starts: names,
          collects: names,
          pools: regex,
          threads: regex,
          returns: names,
          waits: z.array(z.string()).min(1),
          changes: z.array(z.string()).min(1),
          safe: regex,
          alone: regex,
          takes: regex,
          gives_back: regex,
          runs: regex,
        })
        .optional(),
      /** An amount that was compared with a loaded count and is then taken from it by a call; reported there. */
      negated_move: z.strictObject({ counted: regex }).optional(),
      /** What functions change that run several times at once; reported there. */
      pool_change: z
        .strictObject({
          starts: names,
          one: names.default([]),
          collects: names.default([]),
          pools: regex,
          threads: regex,
          alls: names.default([]),
          gathers: names.default([]),
          once: names.default([]),
          single: regex,
          plain: regex,
          numbers: regex,
          safe: regex,
          changes: z.array(z.string()).min(1),
          changes_first: names.default([]),
          alone: regex,
          waits: regex,
          takes: regex,
          gives_back: regex,
          runs: regex,
        })
        .optional(),
      /** Last words of calls that are deferred in a loop although each round opens something for itself; reported there. */
      deferred_close: z.array(z.string()).min(1).optional(),
      /** Its text, over several lines; reported where what matches ends. */
      written: regex.optional(),
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
      /** Fields that one method fills for another; reported where it does. */
      kept_fields: z.strictObject({ alone: regex, tools: regex }).optional(),
      /** Fields that some methods change under a lock and others without one; reported there. */
      skips_lock: z
        .strictObject({
          statements: z.array(z.string()),
          holds: names,
          takes: names,
          gives_back: names,
          methods: regex,
          alone: regex,
          collections: regex,
          changes: z.array(z.string()).min(1),
          elements: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
  import: regex.optional(),
  literal: constraint.optional(),
  object: z.record(z.string(), constraint).optional(),
  /**
   * What is switched or set by a name, however a language writes it: a key, a named argument, a part that is assigned, a call
   * with one argument (`withVerify(false)`), a name and a value that are put somewhere. Names are read as words.
   */
  option: z
    .strictObject({
      /** Of the words: `requireSignedTokens` is `require signed tokens`. */
      name: regex.optional(),
      /** One word of each of these lists is in it, and none of `without`. */
      words: z.array(z.array(z.string()).min(1)).min(1).optional(),
      without: z.array(z.string()).optional(),
      value: constraint,
      /** Of the whole literal, call or target that it stands in. */
      beside: regex.optional(),
    })
    .optional(),
  binary: z.strictObject({ operator: z.array(z.string()), left: constraint.optional(), right: constraint.optional() }).optional(),
  index: z.strictObject({ object: constraint.optional(), index: constraint.optional() }).optional(),
  /** `tries`: the call that stands alone at the end of what is tried; `attempts`: some call in it. */
  catch: z
    .strictObject({
      type: regex.optional(),
      empty: z.boolean().optional(),
      tries: names.optional(),
      attempts: z
        .strictObject({
          calls: names,
          text: regex.optional(),
          functions: z.boolean().optional(),
          excusable: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
  throws: constraint.optional(),
  syntax: z.strictObject({ kind: z.array(z.string()), text: regex.optional() }).optional(),
  text: regex.optional(),
  /** What the analysis of memory and numbers proved. */
  fact: z.array(z.enum(factKinds)).min(1).optional(),
  tokens: many(tokenPattern).optional(),
  unless_tokens: many(tokenPattern).optional(),
  /** Each column of a table is looked at for itself, and excused by what stands in its own definition. */
  unless_column: many(tokenPattern).optional(),
  /** What stands in front of the tokens, up to 200 characters with the lines before. */
  unless_behind: regex.optional(),
  secret: z
    .strictObject({
      pattern: regex,
      keywords: z.array(z.string()).min(1),
      entropy: z.number().optional(),
      group: z.number().optional(),
      /** What stands behind it, over the ends of lines. */
      followed: regex.optional(),
    })
    .optional(),
  ...conditions,
})
export type Matcher = z.infer<typeof matcher>
