/** The file format of models: where data comes from, what it passes and where it must not arrive. Packs and rules hold them. */
import { z } from 'zod'
import { languages } from '../languages.js'
import { functionModel } from './function-model.js'
import { conditions, constraint } from './matcher-schema.js'
import { names, regex } from './pattern-schema.js'
import { accessSchema, dataNamesSchema, wordsSchema } from './vocabulary-schema.js'

/** An argument: its index, a name, `receiver`, `rest` (all from the last index on), `all`, `last`, or `1|name`; of `set` the `key`, too. */
const argument = z.union([z.number(), z.string()])

const parameterSource = z.strictObject({
  name: regex.optional(),
  type: regex.optional(),
  decorator: names.optional(),
  index: z.number().optional(),
  /** Only what the function takes out of it under this name. */
  part: z.string().optional(),
  /** What its default says of it, `Query('eu', pattern='^(eu|us)$')`: such a parameter is none. */
  unless_default: regex.optional(),
  function: z
    .strictObject({
      name: regex.optional(),
      decorator: names.optional(),
      class: regex.optional(),
      extends: regex.optional(),
      class_decorator: names.optional(),
      public: z.boolean().optional(),
      /** The variable and the keys of the maps that it stands in: `resolvers.Query.search`. */
      keys: regex.optional(),
    })
    .optional(),
})

export const aboutCalls = ['args', 'argc', 'receiver', 'unused', 'goes_on', 'chosen_as', 'compare'] as const
export const given = (object: object, keys: readonly string[]): string[] =>
  keys.filter((key) => Object.entries(object).some(([name, value]) => name === key && value !== undefined))

/** Conditions that nothing would ask about are mistakes of the author. */
export const refuse = (context: z.RefinementCtx, keys: readonly string[], reason: string): void => {
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
    /** A field that something fills because its decorators say so: `@Option var branch: String`. */
    field: z.strictObject({ decorator: names }).optional(),
    /** Filled by the call: C's `fgets(buf, ...)`. */
    to: z.array(argument).optional(),
    /** The format by which it fills them: `%n` counts what was read and is none of it. */
    scans: z.number().optional(),
    label: z.string().default('remote'),
    /** Sanitizers of the same call are about its arguments: an answer of a database is no request, but still the row. */
    lasts: z.boolean().optional(),
    /** Kinds that this source can never harm: a header cannot hold a line break. */
    clean: z.array(z.string()).optional(),
    /** Kinds that it harms by its parts alone: an answer that is a piece of the page is put there by design, a field of one is data. */
    parts_only: z.array(z.string()).optional(),
    /** Kinds that it harms by parts of its parts alone: an answer that holds pieces of the page beside a flag of success. */
    nested_only: z.array(z.string()).optional(),
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
  /** A call that no model knows for this kind, by the words of its name: a verb and behind it one of `objects`, or all of it. */
  says: z
    .strictObject({
      verbs: z.array(z.string()).default([]),
      objects: z.array(z.string()).optional(),
      /** Whole names, written as one word: `sendfile`. */
      names: z.array(z.string()).default([]),
      unless: z.array(z.string()).default([]),
      /** Last words of what it is called on, or of its type. */
      of: z.array(z.string()).optional(),
      /** Last words of a name in the argument: it says what the data is used as. */
      takes: z.array(z.string()).optional(),
    })
    .optional(),
  /** Of the arguments those that meet this. */
  which: constraint.optional(),
  /** Only data with these labels. */
  labels: z.array(z.string()).optional(),
  /** Data with any but these labels. */
  other_labels: z.array(z.string()).optional(),
  /** Named values of a map or of named arguments: `render({ html: x })`. */
  key: z.array(z.string()).optional(),
  returns: z
    .strictObject({
      decorator: names.optional(),
      function: regex.optional(),
      class_decorator: names.optional(),
      extends: regex.optional(),
      /** One of its parameters has this name or this type: `(req: Request) -> String`. */
      parameter: z.strictObject({ name: regex, type: regex }).partial().optional(),
      /** Not where the function says that it returns such a type: `int`. */
      unless_type: regex.optional(),
      /** Where it says so, or says nothing (`''`), not what a call that nobody models has made of the data. */
      opaque_type: regex.optional(),
      /** Not what is written so. */
      unless_text: regex.optional(),
    })
    .optional(),
  index: z.boolean().optional(),
  /** The end of what is cut out of a list. */
  slice: z.boolean().optional(),
  binary: z.array(z.string()).optional(),
  /** The value that is converted to such a type. */
  cast: regex.optional(),
  /** Whatever is given a name that says so, by labels of `data`: a variable, a part, a key, a parameter, the answer of a function. */
  named: z.array(z.string()).optional(),
  argument: z.union([argument, z.array(argument)]).default('all'),
  /** Instead of an argument: what a statement takes from a column of such a name, as words, or adds to it. */
  moves: regex.optional(),
  /** What a function among the arguments answers arrives too: `log.debug(() => text)`. */
  answers: z.boolean().optional(),
  /** No finding when the constant beginning of the value matches: the host of a URL is fixed. */
  safe_prefix: regex.optional(),
  /** The end of the text in front of the data must match: data in a place without quotes. */
  behind: regex.optional(),
  /** Data that was joined with text counts where the text around it speaks so, or nothing of it is known. */
  speaks: regex.optional(),
  /** Behind such text a parameter of a function that nobody here calls is its caller's to choose: a name of a table, a whole statement. */
  callers: regex.optional(),
  /** Where the caller chooses the table as well, further places of the statement that are his: columns, conditions, an order. */
  clauses: regex.optional(),
  /** The value must be text built from pieces, not passed through whole. */
  built: z.boolean().optional(),
  /** `true`: the elements of a list are put together to one text there; `false`: they stay apart, and none of them is a whole program. */
  joins: z.boolean().optional(),
  /** Only what is spread into the arguments: `create(**fields)`. */
  spread: z.literal(true).optional(),
  /** Data at a part with a name of its own does not count: `user.title = body.title; create(user)`. */
  whole: z.literal(true).optional(),
  /** No finding where data with one of these labels is in the value too. */
  unless_with: z.array(z.string()).optional(),
  /** The result becomes a variable, and the first that is asked of it is its sign: not where its declaration begins so. */
  unless_signed: regex.optional(),
  /** The operation does not count with these instead of integers. */
  unless_of: z.array(z.enum(['address', 'fraction'])).optional(),
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
  /**
   * `format`: the result is text built around constant pieces. `element`: an element of the source. `merge`: the maps are laid over
   * one another, key by key. `none`: nothing flows.
   */
  as: z.enum(['value', 'format', 'element', 'merge', 'none']).default('value'),
  /** Whose parts say by their types which parts of the result are harmless: the schema that it was checked with. */
  shape: argument.optional(),
  /** The regular expression whose groups the result holds. */
  captures: argument.optional(),
  /** The part of the result that holds what was given. */
  part: z.string().optional(),
  /** Kinds for which the result is no longer clean. */
  restores: z.array(z.string()).optional(),
  /** As for a source. */
  scans: z.number().optional(),
  /** Functions that nobody here knows change it on the way. */
  opaque: z.boolean().optional(),
  ...conditions,
})

const guard = z.strictObject({
  call: names.optional(),
  argument: argument.default(0),
  when: z.boolean().default(true),
  kinds: z.union([z.literal('all'), z.array(z.string())]),
  /** Cleans everything that stems from the same source: a host check cleans the URL. */
  derived: z.boolean().default(false),
  /** Cleans all that variables hold: the request itself is vouched for, as by the token of a form. */
  everything: z.boolean().default(false),
  /** It never returns where it fails, so it need not stand in a condition. */
  ends: z.boolean().default(false),
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
  /** Only on the way where the call, asked in a condition, answered so. */
  when: z.boolean().optional(),
  ...conditions,
})

/** `of`: the type that an argument names, as in `decode(User.self)`. */
const returnsType = z
  .strictObject({ call: names, type: z.string().optional(), of: argument.optional(), ...conditions })
  .refine((one) => (one.type === undefined) !== (one.of === undefined), 'needs either `type` or `of`')
const callbackType = z.strictObject({
  call: names,
  argument: argument.optional(),
  parameters: z.array(z.string().nullable()),
  ...conditions,
})

/** What a parameter without a type is: by its name, by methods that are called on it (all of one list), or by the one behind it. */
const parameterType = z.strictObject({
  type: z.string(),
  name: regex.optional(),
  calls: z.array(z.array(z.string())).optional(),
  before: z.string().optional(),
  /** Methods of the type that matter in a function which cannot tell itself what it is given. */
  asked: z.array(z.string()).optional(),
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
  parameters: z.array(parameterType).default([]),
  subtypes: z.record(z.string(), z.array(z.string())).default({}),
  /** What names say of the data that they hold. */
  data: z.array(dataNamesSchema).default([]),
  /** What functions do with memory: C and C++. */
  functions: z.array(functionModel).default([]),
}

export const packSchema = z.strictObject({
  pack: z.string(),
  languages: z.array(z.enum(languages)).min(1),
  words: wordsSchema.optional(),
  /** Who asks for what, and what stands in between. */
  access: accessSchema.optional(),
  ...modelParts,
})
export type Pack = z.infer<typeof packSchema>

export type Source = z.infer<typeof source>
export type Sink = z.infer<typeof sink>
export type Sanitizer = z.infer<typeof sanitizer>
export type Propagator = z.infer<typeof propagator>
export type Guard = z.infer<typeof guard>
export type Mark = z.infer<typeof mark>
export type ParameterType = z.infer<typeof parameterType>
export type ReturnsType = z.infer<typeof returnsType>
export type CallbackType = z.infer<typeof callbackType>
