/** Parameters that are other parts of the program: objects that do its work, and no text of a caller. */
import { type WordKey, wordKeys } from '../rulebook/word-keys.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import type { CallSite } from './calls/call-site.js'
import { selfNames } from './self-names.js'
import type { Flow } from './state.js'
import type { Origin } from './values/value.js'

/** Whether the data came as one: by its type in a constructor, or by what the file asks of it where nothing has a type. */
export function isCollaborator(flow: Flow, { parameter }: Origin): boolean {
  if (parameter === null) return false
  const { of, index } = parameter
  const { name, type } = of.parameters[index] ?? { name: '' }
  if (name === '') return false
  if (type !== undefined) return of.isConstructor && isClassName(flow, type) && !flow.book.words.carrier_types.has(type)
  const key = `${of.start}:${index}`
  const known = flow.collaborators.get(key)
  if (known !== undefined) return known
  const isOne =
    !flow.book.words.carriers.has(name) && (hasParts(flow, of, name) || (of.isConstructor && isKeptToWork(flow, of, name)))
  flow.collaborators.set(key, isOne)
  return isOne
}

/** PHP writes what is no class in small letters alone, and has classes like `adFolder`. */
const isClassName = ({ book: { language } }: Flow, type: string): boolean =>
  /^[A-Z]\w*$/.test(type) || (language === 'php' && /^[a-z]\w*[A-Z]\w*$/.test(type))

/** What it gets from elsewhere may be anybody's. */
const fetching = /^_?(?:fetch|retrieve|download|receive|request)/i

/** `this.platform.limitText(n)`: what an object of another file answers, which this one keeps to work, is its own text. */
export function isKeptObject(flow: Flow, { receiver, method, frame }: CallSite): boolean {
  const type = receiver?.value.type
  if (receiver?.ir == null || type === undefined || flow.classes.has(type) || !isClassName(flow, type)) return false
  const { carrier_types: carriers, makes, addresses, text_builders: builders } = flow.book.words
  if ([carriers, makes, addresses, builders].some((names) => names.has(type))) return false
  const self = frame.lambda === null ? [] : selfNames(frame.lambda)
  return fieldOf(receiver.ir, self) !== null && !isDoneToData(flow, method) && !fetching.test(method)
}

/** `subject.metadata.tables.nearest(...)`: text has no parts that could be asked to work. */
const hasParts = (flow: Flow, lambda: Lambda, name: string): boolean =>
  callsIn(flow, lambda).some(
    ({ object, property }) => object.op === 'member' && isName(baseOf(object), [name]) && !isDoneToData(flow, property),
  )

/** `this.runner.connect()`: a constructor's parameter that is kept, and asked later for what data does not do. */
function isKeptToWork(flow: Flow, constructor: Lambda, name: string): boolean {
  const className = flow.scopes.get(constructor)?.className ?? null
  const methods = className === null ? [] : [...(flow.classes.get(className)?.methods.values() ?? [])]
  return methods.some((method) =>
    callsIn(flow, method).some(({ object, property }) => {
      const field = fieldOf(object, selfNames(method))
      return field !== null && bareName(field.name) === bareName(name) && (field.isDeeper || !isDoneToData(flow, property))
    }),
  )
}

/** Without the marks of private fields, and of variables in PHP. */
const bareName = (name: string): string => name.replace(/^[_#@$]+/, '')

const isDoneToData = ({ book }: Flow, property: string): boolean =>
  wordKeys.some((key: WordKey) => book.words[key].has(property)) ||
  Object.values(book.words.folds).some((names) => names.has(property))

type Member = Extract<Ir, { op: 'member' }>

const callsIn = (flow: Flow, lambda: Lambda): Member[] =>
  (flow.callsInside.get(lambda) ?? []).flatMap((call) => (call.op === 'call' && call.callee.op === 'member' ? [call.callee] : []))

const isName = (ir: Ir, names: readonly string[]): boolean => ir.op === 'name' && names.includes(ir.name)

function baseOf(ir: Ir): Ir {
  let base = ir
  while (base.op === 'member') base = base.object
  return base
}

/** The field of the object itself that a chain of members begins with, and whether more follows. */
function fieldOf(chain: Ir, self: readonly string[]): { readonly name: string; readonly isDeeper: boolean } | null {
  let isDeeper = false
  for (let ir = chain; ir.op === 'member'; ir = ir.object) {
    if (isName(ir.object, self)) return { name: ir.property, isDeeper }
    isDeeper = true
  }
  return null
}
