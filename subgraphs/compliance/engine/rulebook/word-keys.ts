/** The meanings that packs give names to (words.ts). */

/** What a name can mean. */
export const wordKeys = [
  // Results.
  'measures',
  /** A sum that says when it is too large: below a limit, so is each of its parts. */
  'sums',
  /** Digests and hashes. */
  'digests',
  'answers',
  'compiles',
  'copies',
  /** The end of a name, which says nothing of the rest: `extname`. */
  'endings',
  /** Operators whose result is a number, whatever they are given. */
  'numeric_operators',
  'makes',
  'makes_from',
  'views',
  'same_text',
  /** The result is the text of the arguments, whatever dress it wears: `JSON.stringify(x)`. */
  'serializes',
  /** The result holds what the text of the arguments says: `JSON.parse(text)`. */
  'decodes',
  /** Words before the fields of a type whose objects show them when they are written down: `data class`. */
  'shows',
  /** Words at a field that keep it from being shown: `@JsonIgnore`. */
  'hides',
  /** Methods in which a type says itself what it shows. */
  'describes',
  'addresses',
  'injects',
  /** Methods that any object has: the name alone does not say whose it is. */
  'universal',
  // Functions that are passed in.
  'maps',
  'iterates',
  /** Give the receiver itself to the function: `stream.use { it.read() }`. */
  'hands_over',
  /** Give what they are given first to the function behind it: `Using.resource(open()) { in => in.read() }`. */
  'hands_argument',
  /** Take a function by its name, as a text: `array_map('trim', $all)`. */
  'names_function',
  /** Methods by which an object that is a list hands its own elements to a function. */
  'goes_through',
  /** Give what they are given the number of the element as well: behind it, or in front of it. */
  'index_last',
  'index_first',
  'calls',
  // Ways through the program.
  'tells',
  'ends',
  'requires',
  'requires_inside',
  /** Checks by name that throw where the answer is no: `checkUrlAllowed(url)`. */
  'enforces',
  // Tests.
  /** Says that there is something: `isNotEmpty`. */
  'filled',
  /** Asks for nothing that somebody else could not show as well: whether a certificate is in date. */
  'formalities',
  'contains',
  'tests',
  'tests_whole',
  /** Find the pattern wherever it is: where one of what is not allowed finds nothing, all is allowed. */
  'tests_anywhere',
  'tests_type',
  'tests_no_type',
  'tests_type_of',
  'searches',
  'cuts',
  'begins',
  'shares',
  /** The folder that a file stands in. */
  'parents',
  'relates',
  /** Take `..` out of a path. */
  'normalizes',
  /** Members that say where a file is, as a text: `path` of a `File`. */
  'whole_paths',
  'every',
  /** Keep what meets a condition: `filter`, `takeIf`. */
  'keeps',
  /** Keep what does not: `filterNot`, `reject`. */
  'leaves_out',
  'equal',
  'equal_zero',
  'hosts',
  'parses',
  // Collections and builders of text.
  /** Types whose objects hold a text that grows: they begin with the text that they are made of. */
  'text_builders',
  'appends_text',
  'adds',
  'prepends',
  'spreads',
  'merges',
  'inserts',
  'puts',
  'gets',
  'removes',
  'removes_first',
  'removes_last',
  'gets_first',
  'gets_last',
  'clears',
  'lengths',
  // Types and decorators.
  'harmless_types',
  'carrier_types',
  /** Hold values of the type in their brackets and nothing else: `List<Long>`. */
  'holder_types',
  /** Parameters that carry what a client sent, whatever else they have: `ctx.query.id` beside `ctx.db.users.find()`. */
  'carriers',
  /** Parameters that are a whole statement: it is run because the caller wrote it. */
  'statements',
  /** Parameters that are numbers which the system gives: processes. */
  'process_numbers',
  /** Words for how long: a parameter with one of them is a number. */
  'spans',
  /** Parameters that are a whole script for a page. */
  'scripts',
  'text_types',
  'map_types',
  'state_hooks',
  /** Made of a function whose first parameter is called with what they hold: `new Promise((resolve) => ...)`. */
  'settles',
  'validators',
  'validators_of_text',
  'validators_by_pattern',
  'validators_of_limits',
  /** In a declaration: the number is not below zero. */
  'validators_of_floors',
] as const
export type WordKey = (typeof wordKeys)[number]

/** What a call on constants results in. */
export const foldKeys = [
  'length',
  'is_empty',
  'is_blank',
  'trim',
  'lower',
  'upper',
  'same',
  'equal',
  'equal_ignoring_case',
  'begins',
  'ends',
  'contains',
  'index',
  'position',
  'char_at',
  'substring',
  'substr',
  /** The text is the first argument; else it is the receiver. */
  'as_function',
] as const
export type FoldKey = (typeof foldKeys)[number]
