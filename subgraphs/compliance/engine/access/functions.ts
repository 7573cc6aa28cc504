/** Functions that run inside of a handler: lambdas that it passes on, functions of the file that it calls. */
import { partsOf } from '../flow/prepare.js'
import type { Place } from '../flow/sink-hits.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import { bind } from './binding.js'
import { newUnit, type Walk } from './state.js'
import { nothing, type Traits } from './traits.js'

/** A function that is passed on runs here, with what it is given. */
export function runLambda(walk: Walk, lambda: Lambda, given: readonly Traits[], depth: number): Traits {
  for (const [at, parameter] of lambda.parameters.entries()) {
    const traits = given[at] ?? given.at(-1) ?? nothing
    if (parameter.pattern !== undefined) bind(walk, parameter.pattern, traits)
    else if (traits !== nothing) walk.env.set(parameter.name, traits)
  }
  return lambda.body.op === 'block' ? walk.run(walk, lambda.body, depth) : walk.evaluate(walk, lambda.body, depth)
}

const maxInlined = 3

/** A function of the file that the handler calls. */
export function runFunction(walk: Walk, lambda: Lambda, args: readonly Traits[], place: Place): Traits | null {
  if (walk.inlined.length >= maxInlined || walk.inlined.includes(lambda)) return null
  if (lambda.body.op === 'block' && lambda.body.body.length === 0) return null
  const { env } = walk
  const inner = new Map([...env].filter(([name]) => name.startsWith('this.')))
  for (const [at, parameter] of lambda.parameters.entries()) {
    const traits = args[at] ?? nothing
    if (parameter.pattern !== undefined || traits !== nothing) inner.set(parameter.name, traits)
  }
  const site = walk.site
  const [around, testing] = [walk.unit, walk.testing]
  const called: Walk = Object.assign(walk, { env: inner, site: site ?? { start: place.start, end: place.end }, testing: 0 })
  called.inlined.push(lambda)
  const before = walk.hasCaller
  walk.hasCaller = false
  const result = walk.run(called, lambda.body, 0) | returned(called, lambda)
  called.inlined.pop()
  for (const [name, traits] of inner) if (name.startsWith('this.')) env.set(name, traits)
  Object.assign(walk, { env, site, unit: around, testing, hasCaller: before || walk.hasCaller })
  return result
}

/** What the returns of a function give, with the environment at its end. */
function returned(walk: Walk, lambda: Lambda): Traits {
  let all = nothing
  const stack: Ir[] = [lambda.body]
  const quiet = {
    ...walk,
    lookups: [],
    prepared: new Map(),
    checks: [],
    acts: [],
    decisions: [],
    unit: newUnit(),
    scoped: new Set<string>(),
  }
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.op === 'jump') {
      if (at.kind === 'return' && at.value !== null) all |= walk.evaluate(quiet, at.value, 0)
    } else if (at.op !== 'function') stack.push(...partsOf(at))
  }
  return all
}
