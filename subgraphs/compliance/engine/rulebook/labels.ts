/**
 * One policy for data that is not a request: the same in every language, whatever a rule says of requests.
 *
 * Rules name the labels that matter to them alone. What the parameters of a function, the command line, stored rows, fetched content or
 * the answer of a model may do at a place where text becomes a program is decided here: it is one step less severe than a request.
 */
import type { Rule, Severity } from './schema.js'

/** Places where text becomes a program of another language, so that joining text is a weakness by itself. */
const injections: ReadonlySet<string> = new Set([
  'sql',
  'nosql',
  'command',
  'code',
  'template',
  'ldap',
  'xpath',
  'jndi',
  'predicate',
])

/** Places where even a value that was passed on whole is a program. */
const programs: ReadonlySet<string> = new Set(['command', 'code', 'template', 'deserialization', 'callback', 'include'])

const milder: Record<Severity, Severity> = { critical: 'high', high: 'medium', medium: 'medium', low: 'low' }

/** Numbers that were drawn: what they pick, and whatever is made of them, can be guessed as well as they can. */
const drawn: ReadonlySet<string> = new Set(['weak-random', 'strong-random'])

export const isDrawn = (label: string): boolean => drawn.has(label)

/** What whoever calls a function or starts a program has chosen himself. */
const chosen: ReadonlySet<string> = new Set(['param', 'setting'])

export const isChosen = (label: string): boolean => chosen.has(label)

/** Numbers that were read out of text. A structure that holds one is no number, and its other fields are other numbers. */
const numbers: ReadonlySet<string> = new Set(['number', 'unsigned'])

export const isNumber = (label: string): boolean => numbers.has(label)

type Taint = NonNullable<Rule['taint']>

/** Shells get their input from their arguments by design, and SQL routines from their parameters: their rules say all themselves. */
const ownPolicy: ReadonlySet<string> = new Set(['bash', 'sql'])

/** The labels that a rule answers to in a language, with those that this policy adds. */
export function withPolicy(rule: Rule, language: string): Rule {
  const { taint } = rule
  const remote = taint?.from.remote
  if (taint === undefined || remote === undefined || ownPolicy.has(language)) return rule
  return { ...rule, taint: { ...taint, ...labelsOf(taint, remote) } }
}

function labelsOf({ kind, from: own, built: ownBuilt }: Taint, remote: Severity): Pick<Taint, 'from' | 'built'> {
  const from: Record<string, Severity> = { ...own }
  const built = new Set(ownBuilt)
  const add = (label: string, isBuilt: boolean): void => {
    if (from[label] !== undefined) return
    from[label] = milder[remote]
    if (isBuilt) built.add(label)
  }
  if (injections.has(kind)) {
    // A library that passes its caller's value on is silent.
    from['param'] = milder[remote]
    built.add('param')
    add('stored', !programs.has(kind))
    add('file', !programs.has(kind))
    if (programs.has(kind)) built.delete('stored')
  }
  if (kind === 'command') {
    for (const label of ['local', 'environment']) add(label, false)
  }
  if (programs.has(kind) || injections.has(kind))
    for (const label of ['fetched', 'model', 'event']) add(label, !programs.has(kind) && label !== 'model')
  if (['html', 'dom', 'path', 'ssrf'].includes(kind)) add('model', false)
  return { from, built: [...built] }
}
