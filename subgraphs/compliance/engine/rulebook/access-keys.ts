/** What the phrases of packs can say about access (access-words.ts). */

export const accessKeys = [
  // Who asks.
  /** Whatever ends so is the signed-in caller, wherever it stands. */
  'callers',
  /** First words that make somebody the caller: `current member`. */
  'presences',
  /** Somebody who can be signed in; parameters of such a type are the caller where a framework fills them. */
  'people',
  /** What a request is held in, with everything that hangs on it. */
  'carriers',
  /** Parts of a request or a session that say who the caller is. */
  'identity',
  // What the client sends.
  /** Parts of a request that the client fills, and functions that read them. */
  'inputs',
  /** Names of the client's data that need no request in front. */
  'input_names',
  /** Types of parameters that frameworks fill from the request. */
  'input_types',
  /** Words in names of parameters that hold all that a client sends. */
  'bodies',
  /** Last words of identifiers. */
  'ids',
  /** How something is shown, not which. */
  'choices',
  /** Who knows these may have the thing: links with a token, addresses of mail. */
  'capabilities',
  /** Identifiers of people: what is asked for by them is theirs. */
  'owners',
  /** What makes somebody more than a user, where the client says it. */
  'ranks',
  /** Types of requests and of what wraps one. */
  'requests',
  /** Types of requests that clients send too: a handler is given what it answers with before them. */
  'paired',
  /** Types of what a handler answers with. */
  'writers',
  /** Types of requests whose handler stands in front of its filters, and not behind them. */
  'leading',
  // What is asked for.
  'finds',
  'changes',
  /** Changes that cannot be taken back. */
  'acts',
  /** Things that belong to somebody. */
  'owned',
  /** Things that are meant for everybody. */
  'public',
  /** What people write where everybody reads it: nobody else changes it. */
  'posted',
  /** Tools that look into a document at hand, and no stores. */
  'searched',
  /** Words of names that say nothing about the thing: `repository`. */
  'fillers',
  // What stands in between.
  /** A word of this kind makes a function a check of what somebody may do. */
  'authorizes',
  /** Comparisons made for secrets: whoever passes them knows one, and claims nothing. */
  'compares_secrets',
  /** Tokens against forged requests: they say nothing of the thing that is asked for. */
  'forgery',
  /** Functions that run a program, where they belong to no object. */
  'programs',
  /** Verbs that are also names of things: what they are given is a path. */
  'loads',
  /** What comes out of these was signed by this program or by somebody whom it trusts. */
  'proves',
  /** They do so only where they are given a key. */
  'decodes',
  /** First words of checks, where the caller or the thing is given to them. */
  'demands',
  /** Says who somebody is, not what he may do. */
  'authenticates',
  /** Guards that only do what annotations ask for. */
  'mechanisms',
  /** Words in names of arguments and fields that hold guards: `dependencies=`, `permission_classes`. */
  'gates',
  /** Words of classes from which others inherit a guard. */
  'guarding_bases',
  'roles',
  /** Between a request and its handler without being a check. */
  'neutral',
  /** Marks of handlers that are meant for everybody. */
  'open',
  /** Answers that refuse. */
  'refuses',
  /** Notes for later: not a check. */
  'tells',
  // Where it happens.
  /** Methods and annotations that bind a handler to a path. */
  'routes',
  /** Words in names of arguments that hold a path. */
  'addresses',
  'groups',
  'filters',
  /** Filters of one route or of those before it: `r.With(auth).Get(...)`. */
  'chained',
  'controllers',
  /** The last words of what tRPC builds handlers from. */
  'procedures',
  /** Controllers that others are made from: their methods answer nothing by themselves. */
  'shared_controllers',
  /** The last words of controllers that other classes end in too: where types are declared, their handlers are given a request. */
  'asked_controllers',
  /** Acts that are for some people only. */
  'privileged',
  /** What somebody may do, where an act is about that. */
  'rights',
  /** First words of functions that answer whether, and do nothing. */
  'questions',
  /** Areas for some people only. */
  'areas',
  /** Where people come in: open by design. */
  'entrances',
] as const
export type AccessKey = (typeof accessKeys)[number]

/**
 * What all requests share: variables of the file, static fields, fields of the objects that answer. `maps`: two changes of different entries
 * harm each other too. `announced`: a function says which of the file's variables it changes. `waits`: an
 * async function runs alone from one `await` to the next.
 */
export const sharedParts = ['globals', 'statics', 'fields', 'maps', 'announced', 'waits'] as const
export type SharedPart = (typeof sharedParts)[number]
