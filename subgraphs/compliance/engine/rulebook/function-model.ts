/** The part of a pack that says what functions of libraries do with memory (docs/scanner-rules.md, "Functions"). */
import { z } from 'zod'
import { regexProblem } from './safe-regex.js'

const argument = z.number().int().min(0)
const many = z.union([argument, z.array(argument).min(1)]).transform((one) => (Array.isArray(one) ? one : [one]))

export const functionModel = z
  .strictObject({
    call: z.array(z.string().min(1)).optional(),
    /** A pattern for the last name of the call. */
    name: z
      .string()
      .refine((text) => regexProblem(text) === null, 'is not safe')
      .optional(),
    /** Only methods of these types. */
    on: z.array(z.string()).optional(),
    /** The family that it belongs to: `heap`, `file`, `descriptor`, `stack`; what gives it back has the same `family`. */
    allocates: z.string().optional(),
    /** Bytes: an argument, or the product of two. */
    size: many.optional(),
    /** Answers NULL when it fails or finds nothing. */
    may_be_null: z.boolean().optional(),
    /** Answers the next part of a text: where there is one, there were those before. */
    parts: z.boolean().optional(),
    /** It answers the same to the same question, as long as nobody changes what it asks about. */
    same_again: z.boolean().optional(),
    /** What it looks for; it always finds the zero at the end. */
    finds: argument.optional(),
    /** Answers zero when the texts of its first two arguments are the same, or as many of their characters as the third says. */
    compares: z.boolean().optional(),
    /** Answers an error, and changes nothing, when these are NULL. */
    refuses_null: many.optional(),
    /** Answers a text of its arguments, with these characters between them. */
    joins: z.string().optional(),
    /** True where this argument is NULL. */
    asks_null: argument.optional(),
    /** It never answers NULL where this word stands among its arguments. */
    never_null_with: z.string().optional(),
    /** As true as this argument: it only tells the compiler what to expect. */
    same_truth: argument.optional(),
    /** A method that answers the address that its object holds. */
    shows_address: z.boolean().optional(),
    frees: argument.optional(),
    /** A variable or a field may be NULL afterwards. */
    clears: argument.optional(),
    family: z.string().optional(),
    returns_argument: argument.optional(),
    /** `bytes` are written to `to`; or the text of an argument with its zero; `ends`: a text that reaches `bytes` has no zero. */
    writes: z
      .strictObject({
        to: argument,
        bytes: many.optional(),
        text: argument.optional(),
        appends: z.boolean().optional(),
        format: argument.optional(),
        plus: z.number().optional(),
        width: z.number().optional(),
        ends: z.literal(false).optional(),
        sets: argument.optional(),
      })
      .optional(),
    reads: z.strictObject({ from: argument, bytes: many, width: z.number().optional() }).optional(),
    /** What these point to is data from outside afterwards. */
    fills: many.optional(),
    /** What this points to leaves the program: for another one, or for the user of a kernel. */
    sends: argument.optional(),
    sends_from: z.enum(['program', 'kernel']).optional(),
    /** The memory that it allocates is all zeros. */
    zeroed: z.boolean().optional(),
    /** The number that it returns: at most an argument, the length of a text, -1 when it fails, data from outside. */
    result: z
      .strictObject({
        most: argument.optional(),
        length_of: argument.optional(),
        fails: z.boolean().optional(),
        /** It may be more than was written. */
        exceeds: z.boolean().optional(),
        data: z.boolean().optional(),
        bytes: z.number().optional(),
        signed: z.boolean().optional(),
        /** It stands in a text. */
        parsed: z.boolean().optional(),
      })
      .optional(),
    /** Must be addresses. */
    needs: many.optional(),
    /** Keeps these after it has returned; all others it only looks at. */
    keeps: many.optional(),
    /** Keeps an argument only when another one, an option, has a name like this. */
    keeps_for: z
      .strictObject({
        kept: argument,
        option: argument,
        name: z.string().refine((text) => regexProblem(text) === null, 'is not safe'),
      })
      .optional(),
    /** A format whose letter `o` stands for an argument that it takes over. */
    packs: argument.optional(),
    /** Changes what these point to. */
    changes: many.optional(),
    never_returns: z.boolean().optional(),
    /** Ends the program with this argument as its status, where that is a constant other than zero. */
    exits_with: argument.optional(),
    /** Names of constants that say so, where that argument is none of the file's numbers. */
    exit_levels: z.array(z.string()).min(1).optional(),
    /** Ends the program unless its argument holds; -1 is the last one. */
    asserts: z.number().int().min(-1).optional(),
    locks: z.union([argument, z.literal('receiver')]).optional(),
    unlocks: z.union([argument, z.literal('receiver')]).optional(),
    /** Takes a lock in a way that is not followed: shared with others, or only when it is free. */
    shares_lock: z.boolean().optional(),
    /** Makes a lock: until a thread is started nobody else has it. */
    makes_lock: z.boolean().optional(),
    /** A type whose objects hold the lock that they are made with until their block ends. */
    holds: argument.optional(),
    /** Takes the value of this argument away. */
    moves: argument.optional(),
    /** Functions that ask whether it answers anything but NULL for the same argument. */
    asked_by: z.array(z.string()).optional(),
    /** Asks what an object is and answers NULL when it is another thing; where a condition around has asked for its kind, that is known. */
    asks_kind: z.boolean().optional(),
    /** A method that gives an object a value again, whatever it was before. */
    restores: z.boolean().optional(),
    /** A method that fills this argument with what its object holds. */
    reads_into: argument.optional(),
    /** A type or an object of input: `>>` reads out of it. */
    streams: z.boolean().optional(),
    /** An argument that becomes the size of memory. */
    sizes: argument.optional(),
    /** A method of a text that answers a new one. */
    copies: z.boolean().optional(),
    /** Gives up rights for good: after those of the user those of the group stay. */
    drops: z.enum(['user', 'group']).optional(),
    /** Runs this function as a thread. */
    starts_thread: argument.optional(),
    /** Runs its function value later. */
    runs_later: z.boolean().optional(),
    /** Its answer shows the memory of this argument. */
    shows: argument.optional(),
    /** Makes a function value of a function and what it is given. */
    binds: z.boolean().optional(),
    /** Waits until what was started has ended. */
    waits: z.boolean().optional(),
    /** A constant that is at least this. */
    at_least: z.number().optional(),
    /** What goes wrong when nobody looks at the result. */
    must_check: z.enum(['privileges', 'input', 'random', 'verification']).optional(),
    /** The format by which texts are read into the arguments behind it. */
    scans: argument.optional(),
    /** Methods of containers: `view` points into them, `move` may move all elements, `end` ends the argument alone. */
    container: z.enum(['view', 'move', 'erase', 'clear']).optional(),
    /** It answers a reference to an element. */
    element: z.boolean().optional(),
    /** It answers the end of its object, which is no element. */
    end: z.boolean().optional(),
    /** A search: it may answer the end. */
    may_be_end: z.boolean().optional(),
    /** What such a method has to do with the number of elements: `needs` one, `sets` it to its argument. */
    count: z.enum(['is', 'empty', 'needs', 'grows', 'shrinks', 'clears', 'sets', 'keeps']).optional(),
  })
  .refine((one) => one.call !== undefined || one.name !== undefined, 'needs `call` or `name`')
export type FunctionModel = z.infer<typeof functionModel>
