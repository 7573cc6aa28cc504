/** Calls that leave the file: modelled by packs, known by name, or data passes through. */
import { isOfC } from '../open-globals.js'
import { conditionsHold } from '../../match/conditions.js'
import { checkedAddress } from '../conditions/enforced.js'
import { matchesText } from '../../match/constraints.js'
import { type Subject, writtenName } from '../../match/subject.js'
import type { Role, RoleOf } from '../../rulebook/compile.js'
import type { Propagator } from '../../rulebook/model-schema.js'
import { isDrawn } from '../../rulebook/labels.js'
import type { Words } from '../../rulebook/words.js'
import { elementOf, partOf, updatePlace } from '../assign.js'
import { filledBy } from './scanned.js'
import { type CallSite, selectArguments } from './call-site.js'
import { changedBy, readFrom } from '../values/collections.js'
import { capturedBy } from '../values/captures.js'
import { foldCall } from '../values/fold-call.js'
import { isKeptObject } from '../collaborators.js'
import { lookup } from '../environment.js'
import { asPiece, isSelf } from '../own-text.js'
import type { Flow, Frame } from '../state.js'
import { copiedBy, ledByTemplate, placeholder, unlessHead } from '../values/text.js'
import { assignedOrigins, assignedValue } from '../values/trail.js'
import { isHarmlessType } from '../values/harmless-types.js'
import { mergedMaps } from '../values/merged.js'
import { elementsOf, withField } from '../values/parts.js'
import {
  cleaned,
  changedOrigins,
  constantValue,
  deepOrigins,
  joinOrigins,
  joinValues,
  type Origin,
  pieceOf,
  unknown,
  type Value,
  withOrigins,
  withPicking,
} from '../values/value.js'
import { wordlessPlaces } from '../values/verbs.js'

const constantNames = '^[A-Z][A-Z0-9_]{2,}$'

const sanitizerNames =
  /(?:sanitiz|sanitis|escape|purify|encode(?:for|html|uri|url)|htmlspecial|quote(?:_|$|id|lit|val|str|name|col|tab)|parameteriz|slugify|strip_?tags|clean(?:se|_?html|_?input)?$|whitelist|allowlist|(?:require|ensure|assert|check)_?(?:\w{1,12}_?)?(?:allowed|safe|trusted|permitted)|(?:allowed|safe|trusted|permitted)_?or_?(?:throw|fail|raise))/i

/** `escapeLike`: takes the meaning out of `%` and `_`, and leaves quotes as they are. */
const wildcardNames = /(?:^|_)like$|[a-z]Like$/

/** A path that stays below its folder is what they answer with. */
const confiningNames =
  /^(?:get_?|to_?|build_?)?(?:safe|secure|confine|jail|chroot|sandbox|contain|scope)d?_?(?:(?:file|archive|zip|entry)_?)?(?:join|path|name|resolve|file_?name|file_?path)$|^(?:join|resolve|path|file|open)_?(?:path_?)?(?:safe|secure)(?:ly)?$|^(?:join|resolve|path|open)_?(?:path_?)?(?:within|inside|below|beneath|under)(?:_?(?:root|base|dir|folder))?$/i

/** A call that leaves the file: modelled by packs, or data passes through. */
export function externalResult(flow: Flow, site: CallSite, roles: readonly Role[]): Value {
  const made = checkedAddress(flow, site, resultOfLibrary(flow, withOwnText(flow, site), roles))
  const result = confiningNames.test(site.method) && made.origins.length > 0 ? cleaned(made, ['path']) : made
  if (result.origins.length === 0 || !flow.book.words.endings.has(site.method)) return result
  return withOrigins(
    result,
    result.origins.map((origin) => (origin.parameter === null ? pieceOf(origin, 'ending') : origin)),
  )
}

function resultOfLibrary(flow: Flow, site: CallSite, roles: readonly Role[]): Value {
  const { words } = flow.book
  // `env.str("KEY")` is no `str("KEY")`.
  const isForeign = site.receiver !== null && site.receiver.value.constant === undefined && flow.book.language === 'python'
  const folded = isForeign
    ? undefined
    : foldCall(
        words.folds,
        site.method,
        site.receiver?.value.constant,
        site.args.map(({ subject }) => subject.value.constant),
      )
  if (folded !== undefined) return constantValue(folded)
  const pattern = patternOf(words, site)
  if (pattern !== undefined) return { ...unknown, pattern }
  const propagators = roles.filter(
    (role): role is RoleOf<'propagator'> =>
      role.role === 'propagator' && conditionsHold(flow, role.conditions, site) && isCapturing(site, role.conditions),
  )
  if (propagators.length > 0) {
    // Who knows the groups knows more than who only passes the text on.
    const capturing = propagators.filter((role) => role.conditions.captures !== undefined)
    const telling = capturing.length > 0 ? capturing : propagators
    return telling.reduce((value, role) => propagate(flow, site, role.conditions, value), unknown)
  }
  const args = site.args.map((argument) => argument.subject.value)
  const receiver = site.receiver?.value ?? null
  const ofCollection = collectionResult(flow, site, args)
  if (ofCollection !== null) return withPicking(ofCollection, ...args)
  // What a database answers is not what it was asked with. Packs say where its answers are themselves untrusted.
  if (words.measures.has(site.method) || words.answers.has(site.method)) return unknown
  if (words.digests.has(site.method)) return digestOf(site)
  const isText = site.isNew && words.text_builders.has(site.method)
  if (args.length === 0 && (site.isNew || isEmptyCollection(words, site)))
    return { ...unknown, fields: new Map(), written: isText ? '' : undefined }
  const fields = (site.isNew ? namedFields(site) : null) ?? mapFields(words, site)
  const isHeld = (argument: CallSite['args'][number]): boolean =>
    fields !== undefined && (argument.name !== undefined || argument.subject.value.fields === fields)
  const isAskedByKey = isLookup(words, site)
  const given = site.args
    .filter((argument, at) => !isHeld(argument) && !(isAskedByKey && at === 0))
    .reduce<readonly Origin[]>((origins, { subject }) => joinOrigins(origins, deepOrigins(subject.value)), [])
  const isSanitizer = sanitizerNames.test(site.method) && !wildcardNames.test(site.method)
  const passed = passedBy(words, site, given, isSanitizer, !site.isNew && !words.decodes.has(site.method))
  const isAsked = isKeptObject(flow, site)
  const own =
    receiver === null
      ? []
      : answered(words, site, passedBy(words, site, receiverData(flow, site, receiver), isSanitizer, isAsked))
  if (fields !== undefined && !site.isNew) return { ...unknown, fields }
  const marks = receiver === null ? {} : { marks: receiver.marks, mayMarks: receiver.mayMarks }
  const prefix = addressPrefix(flow, site)
  const [first] = args
  const begun = isText && typeof first?.constant === 'string' ? first.constant : undefined
  return {
    ...unknown,
    ...marks,
    origins: joinOrigins(own, passed),
    isConcat: args.length === 0 && receiver?.isConcat === true ? true : undefined,
    fields,
    prefix,
    written: begun,
  }
}

/** `bases.get(key)`, `LABELS.getOrDefault(key, other)`: a table answers with what it holds, not with the key. */
function isLookup(words: Words, { method, receiver }: CallSite): boolean {
  if (receiver === null || !words.gets.has(method)) return false
  const { value, ir } = receiver
  if (value.type !== undefined && words.makes.has(value.type)) return true
  const written = ir === null ? null : writtenName(ir)
  return written !== null && matchesText(constantNames, written.segment)
}

/** `str(self)` is what the object's type says of it. */
const withOwnText = (flow: Flow, site: CallSite): CallSite =>
  site.receiver === null && flow.book.words.folds.same.has(site.method)
    ? { ...site, args: site.args.map((argument) => ({ ...argument, subject: ownText(flow, site.frame, argument.subject) })) }
    : site

const ownText = (flow: Flow, frame: Frame, { value, ir }: Subject): Subject => ({
  ir,
  value: ir === null ? value : asPiece(flow, frame, ir, value),
})

/** Of an object that calls a method it has inherited nobody here knows which of its fields that reads. */
const receiverData = (flow: Flow, { receiver }: CallSite, value: Value): readonly Origin[] =>
  isSelf(flow, receiver?.ir) ? value.origins : deepOrigins(value)

/** What a call was given to change says no more of what it was made as. */
export function forgetChanged(flow: Flow, site: CallSite): void {
  for (const { subject } of site.args) {
    if (subject.ir?.op !== 'unary') continue
    if (subject.ir.operator === '&' && isOfC(flow))
      updatePlace(flow, site.frame, subject.ir, (old) => (old.constant === undefined ? old : { ...old, constant: undefined }))
    if (subject.ir.operator !== '&mut') continue
    updatePlace(flow, site.frame, subject.ir, (old) => {
      const { size, constant, ...rest } = old
      if (size === undefined && constant === undefined) return old
      return { ...rest, constant: undefined, fields: undefined, origins: deepOrigins(old) }
    })
  }
}

/** A digest tells nothing of the data, but who guesses what was drawn has the digest too. */
function digestOf({ args, receiver }: CallSite): Value {
  const given = [...args.map(({ subject }) => subject.value), ...(receiver === null ? [] : [receiver.value])]
  return withPicking(unknown, ...given.map((value) => withOrigins(value, deepOrigins(value))))
}

/** What is left of data that a call was given. A password that is quoted or serialized is still that password. */
function passedBy(
  words: Words,
  site: CallSite,
  origins: readonly Origin[],
  isSanitizer: boolean,
  opaque: boolean,
): readonly Origin[] {
  if (!origins.some(({ isWhole, label }) => isWhole === true || isDrawn(label)))
    return isSanitizer ? [] : opaque ? changedOrigins(origins, { opaque }) : origins
  const isSame = isSameText(words, site)
  return origins.flatMap((origin) => {
    if (origin.isWhole === true) return changedOrigins([origin], { opaque: !isSame })
    return isSanitizer && !isDrawn(origin.label) ? [] : changedOrigins([origin], { opaque })
  })
}

const isSameText = ({ serializes, same_text: same }: Words, { method, args }: CallSite): boolean =>
  serializes.has(method) || (same.has(method) && args.length === 0)

/** Of a parameter only the caller knows what the whole is, and whether the answer of a method is still that. */
const answered = (words: Words, site: CallSite, origins: readonly Origin[]): readonly Origin[] =>
  isSameText(words, site)
    ? origins
    : origins.map((origin) => (origin.parameter === null ? origin : { ...origin, isAnswer: true }))

/** JavaScript: `new URL(`/items/${id}`, base)` begins as its text does. */
const addressPrefix = (flow: Flow, site: CallSite): string | undefined =>
  site.isNew && flow.book.words.addresses.has(site.method) ? site.args[0]?.subject.value.prefix : undefined

/** `re.compile(p)`, `new RegExp(p)`, `Regex.new(p)`, `"p".r`, `"p".toRegex()`. */
function patternOf({ compiles }: Words, site: CallSite): string | undefined {
  const isMaker = compiles.has(site.method) || (site.method === 'new' && compiles.has(site.names[0]?.parent?.segment ?? ''))
  if (!isMaker) return undefined
  const { constant, pattern } = site.args[0]?.subject.value ?? site.receiver?.value ?? unknown
  return pattern ?? (typeof constant === 'string' ? constant : undefined)
}

function collectionResult(flow: Flow, site: CallSite, args: readonly Value[]): Value | null {
  const { words } = flow.book
  // The same elements in another dress.
  if (words.copies.has(site.method)) {
    const [whole] = args
    const copied = args.length === 0 ? site.receiver?.value : args.length === 1 ? whole : undefined
    if (copied?.fields !== undefined && elementsOf(copied) !== null) return copied
  }
  if (site.receiver !== null) {
    const { value, ir } = site.receiver
    const read = readFrom(words, site.method, value, args)
    if (read !== null) return read
    const change = isStaticText(flow, site) ? null : changedBy(words, site.method, value, args)
    if (change !== null) {
      const given = args.map((value) => assignedValue(value, ir))
      updatePlace(flow, site.frame, ir, (old) => changedBy(words, site.method, old, given)?.after ?? old)
    }
    // Go's methods that add something answer how much, and with an error.
    return change?.isAddition === true && flow.book.language === 'go' ? unknown : (change?.result ?? null)
  }
  const method = words.onFirst.get(site.method)
  const [list, ...rest] = site.args
  if (method === undefined || list?.subject.value.fields === undefined) return null
  const given = rest.map(({ subject }) => assignedValue(subject.value, list.subject.ir))
  const change = changedBy(words, method, list.subject.value, given)
  if (change === null) return null
  if (site.method === 'append') return change.after
  updatePlace(flow, site.frame, list.subject.ir, (old) => changedBy(words, method, old, given)?.after ?? old)
  return change.result
}

/** `Files.write(path, text)`, `StringUtils.replace(text, a, b)`: a class of another file is no text that grows, nor is a package. */
function isStaticText({ book: { words }, classes, table }: Flow, { method, receiver, frame }: CallSite): boolean {
  const ir = receiver?.ir
  if (ir?.op !== 'name') return false
  const known = lookup(frame.env, ir.name)
  if (table?.importsPackages === true && known?.isLibrary === true) return true
  if (!/^[A-Z][a-z]/.test(ir.name) || classes.has(ir.name)) return false
  return (known === undefined || known.isLibrary === true) && words.appends_text.has(method) && !words.puts.has(method)
}

/** `dict()`, `Vec::new()`, `mutableListOf()`, `make(map[string]string)`, `[String]()`. */
function isEmptyCollection(words: Words, site: CallSite): boolean {
  if (site.ir.op !== 'call') return false
  const { callee } = site.ir
  if (callee.op === 'collection' || site.method === 'make') return true
  // `request.GET.dict()` is a form of what it is called on.
  if (site.receiver !== null && site.receiver.value.origins.length > 0) return false
  return words.makes.has(site.method) || (callee.op === 'member' && callee.property === 'new' && isMadeByType(words, site))
}

/** `Set.new(list)`, `HashSet::from(list)`: the method of a collection's type. */
const isMadeByType = ({ makes, makes_from: makesFrom }: Words, { ir }: CallSite): boolean =>
  ir.op === 'call' &&
  ir.callee.op === 'member' &&
  makesFrom.has(ir.callee.property) &&
  ir.callee.object.op === 'name' &&
  makes.has(ir.callee.object.name)

/** `list.map(f)` is no `Map.of(a, b)`. */
const isMethodOfValue = ({ receiver }: CallSite): boolean =>
  receiver !== null && !(receiver.ir?.op === 'name' && /^[A-Z]/.test(receiver.ir.name)) && receiver.ir?.op !== 'member'

/** `mapOf("a" to x)`, `dict(a=x)`, `List.of(a, b)`: collections made by calls. */
function mapFields(words: Words, site: CallSite): ReadonlyMap<string, Value> | undefined {
  if (site.args.length === 0 || isMethodOfValue(site) || !(words.makes.has(site.method) || isMadeByType(words, site)))
    return undefined
  const [only] = site.args
  // A copy of another collection; a capacity or a key of another thing is no element.
  if (site.args.length === 1 && only !== undefined && only.name === undefined && only.subject.ir?.op !== 'collection') {
    const { fields } = only.subject.value
    if (fields !== undefined) return fields
    if (site.isNew) return undefined
  }
  const fields = new Map<string, Value>()
  for (const [at, { name, subject }] of site.args.entries()) {
    const { ir, value } = subject
    if (name !== undefined) fields.set(name, value)
    else if (site.method === 'dict' || (ir?.op === 'collection' && ir.kind === 'map'))
      for (const [key, field] of value.fields ?? []) fields.set(key, field)
    else fields.set(String(at), value)
  }
  return fields
}

/** `T{A: x}` and `new T(a: x)` keep their parts apart. */
function namedFields(site: CallSite): ReadonlyMap<string, Value> | undefined {
  const named = site.args.filter((argument) => argument.name !== undefined && argument.name !== '{}')
  const initializer = site.args.find((argument) => argument.name === '{}')?.subject.value.fields
  if (named.length === 0 || named.length !== site.args.length) return initializer
  return new Map(named.map((argument) => [argument.name ?? '', argument.subject.value]))
}

function propagate(flow: Flow, site: CallSite, propagator: Propagator, before: Value): Value {
  if (propagator.as === 'none') return before
  const selectors = Array.isArray(propagator.from) ? propagator.from : [propagator.from]
  const subjects = selectors.flatMap((selector) => selectArguments(site, selector))
  const values = subjects.map((subject) => (propagator.as === 'element' ? elementOf(subject.value) : subject.value))
  const [only] = values
  let flowing = values.length === 1 && only !== undefined ? only : joinAll(values)
  if (propagator.as === 'format') flowing = copiedBy(values) ?? formatted(values)
  if (propagator.as === 'merge') flowing = mergedMaps(values) ?? flowing
  if (propagator.shape !== undefined) flowing = shaped(flow, selectArguments(site, propagator.shape)[0]?.value, flowing)
  if (propagator.captures !== undefined) flowing = capturedBy(patternIn(site, propagator), flowing) ?? flowing
  if (propagator.part !== undefined) flowing = withField(flowing, propagator.part, flowing)
  if (propagator.opaque === true) flowing = withOrigins(flowing, changedOrigins(flowing.origins, { opaque: true }))
  if (propagator.restores !== undefined) flowing = restored(flowing, propagator.restores)
  const targets = Array.isArray(propagator.to) ? propagator.to : [propagator.to]
  let result = before
  for (const target of targets) {
    if (target === 'result') result = result === unknown ? passedOn(flowing, propagator) : joinValues(result, flowing)
    else {
      for (const subject of filledBy(site, [target], propagator.scans)) {
        updatePlace(flow, site.frame, subject.ir, (old) => ({
          ...old,
          constant: undefined,
          isConcat: true,
          origins: joinOrigins(old.origins, assignedOrigins(deepOrigins(flowing), subject.ir)),
          fields: propagator.captures === undefined ? old.fields : flowing.fields,
        }))
      }
    }
  }
  return result
}

/** What a text says may be an object again. */
const restored = (value: Value, kinds: readonly string[]): Value => {
  const isKept = (kind: string): boolean => !kinds.includes(kind)
  return withOrigins(
    value,
    value.origins.map((origin) => ({ ...origin, clean: new Set([...origin.clean].filter(isKept)) })),
  )
}

const patternIn = (site: CallSite, { captures }: Propagator): Value | undefined =>
  captures === undefined ? undefined : selectArguments(site, captures)[0]?.value

/** A pattern without a harmless group says nothing of its match. */
const isCapturing = (site: CallSite, propagator: Propagator): boolean =>
  propagator.captures === undefined || capturedBy(patternIn(site, propagator), unknown) !== null

/** What was checked with a schema: a part of a harmless type is harmless. */
function shaped(flow: Flow, schema: Value | undefined, given: Value): Value {
  let result: Value = { ...given, path: null }
  for (const [key, { type }] of schema?.fields ?? [])
    if (isHarmlessType(flow, type)) result = withField(result, key, cleaned(partOf(given, key), ['text']))
  return result
}

/** The value as the result of a call that passes it on. A method may cut its receiver, an argument keeps its beginning. */
function passedOn(value: Value, propagator: Propagator): Value {
  const keepsPrefix = propagator.as === 'format' || propagator.from !== 'receiver'
  return { ...value, constant: undefined, prefix: keepsPrefix ? value.prefix : undefined }
}

const joinAll = (values: readonly Value[]): Value => {
  const origins = values.reduce<readonly Origin[]>((all, value) => joinOrigins(all, deepOrigins(value)), [])
  return { ...unknown, origins, isConcat: values.some((value) => value.isConcat === true) }
}

/** `join(root, name)` */
const behindFirst = (values: readonly Value[]): readonly Origin[] =>
  values.reduce<readonly Origin[]>((all, value, at) => {
    const origins = deepOrigins(value)
    return joinOrigins(all, at === 0 ? origins : origins.map((origin) => ({ ...origin, isBehind: true as const })))
  }, [])

/** Text around values: `format("select %s", x)`. The beginning up to the first placeholder is known. */
function formatted(given: readonly Value[]): Value {
  const wordless = wordlessPlaces(given)
  const values = wordless.size === 0 ? given : given.map((value, at) => (wordless.has(at) ? cleaned(value, ['text']) : value))
  const joined = joinAll(values)
  const template = values.find((value) => typeof value.constant === 'string')?.constant
  const isConstant = values.every((value) => value.constant !== undefined)
  const prefix = typeof template === 'string' ? (/^[^%{]*/.exec(template)?.[0] ?? '') : values[0]?.prefix
  if (isConstant && values.length === 1 && typeof template === 'string')
    return { ...unknown, constant: template, prefix: template }
  const isFirst = typeof template === 'string' && values[0]?.constant === template
  const origins = isFirst && placeholder.test(template) ? ledByTemplate(template, values.slice(1)) : behindFirst(values)
  const text: Value = {
    ...joined,
    isConcat: !isConstant,
    origins: changedOrigins(origins, { built: true }),
    prefix,
  }
  return typeof template === 'string' ? unlessHead(text, template) : text
}
