/** Reads of names and parts in a handler. */
import { getterModifier, type Ir } from '../syntax/ir.js'
import { runFunction } from './functions.js'
import { lastName } from './names.js'
import { isCurrentPerson, nameTraits, partTraits } from './parts.js'
import { noteCheck, type Walk } from './state.js'
import { has, ofCaller, ofCarrier, type Traits } from './traits.js'

export function readName(walk: Walk, name: string): Traits {
  const known = walk.env.get(name)
  if (known !== undefined) return known
  const own = getter(walk, name)
  if (own !== null) return own
  return nameTraits(walk, name)
}

/** A property whose reading is a function of the file: `Guid CustomerId => User.FindFirst(...)`. */
function getter(walk: Walk, name: string): Traits | null {
  const { flow, handler } = walk
  const method = handler.className === null ? undefined : flow.classes.get(handler.className)?.methods.get(name)
  const lambda = method ?? flow.globals.variables.get(name)?.func?.lambda
  if (lambda === undefined || lambda.parameters.length > 0) return null
  const isRead = lambda.modifiers.includes(getterModifier) || flow.book.language === 'ruby' || flow.book.language === 'scala'
  return isRead ? runFunction(walk, lambda, [], lambda) : null
}

export function readMember(walk: Walk, ir: Extract<Ir, { op: 'member' }>, depth: number): Traits {
  const { object, property } = ir
  if (object.op === 'name' && object.name === 'this') {
    const known = walk.env.get(`this.${property}`)
    return known ?? readName(walk, property)
  }
  if (isCurrentPerson(walk.words, object, walk.words.of(property))) return ofCaller
  return partOf(walk, walk.evaluate(walk, object, depth), property, object)
}

/** A part of something. */
export function partOf(walk: Walk, object: Traits, property: string, of: Ir): Traits {
  const { words } = walk
  const said = words.of(property)
  if (has(object, ofCaller)) {
    if (walk.testing > 0 && (words.roles.within(said) || words.authorizes.within(said))) {
      noteCheck(walk, of)
      walk.asksRole = true
    }
    if (!words.ids.ends(said)) walk.unit.things.push(property)
  }
  if (has(object, ofCarrier) && isSignedIn(walk, of, said, property)) return ofCaller
  // `call.role != "technician"`: a guard has put it there.
  if (has(object, ofCarrier) && walk.testing > 0 && words.ranks.is(said)) walk.asksRole = true
  return partTraits(walk, object, property, of)
}

/** `session[:cid]`, `$_SESSION['patron']`: the client chooses nothing of what the server keeps about a visit. */
const isSignedIn = ({ words }: Walk, session: Ir, said: readonly string[], property: string): boolean => {
  if (lastName(session) === '$_SESSION' && said.length > 0) return !said.some((word) => ofVisits.has(word))
  return /session$/i.test(lastName(session)) && (words.people.ends(said) || /(?:[a-z]|_|^)i[dD]$/.test(property))
}

/** What is kept about a visit whoever it is. */
const ofVisits: ReadonlySet<string> = new Set(
  'csrf xsrf token nonce captcha flash message messages error errors old lang language locale theme cart basket step referer time url return redirect'.split(
    ' ',
  ),
)
