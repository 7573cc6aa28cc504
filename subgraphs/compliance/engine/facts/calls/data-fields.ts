/**
 * Fields of records that one function fills out of data and another one uses: `h->width = le32(f)` and `malloc(h->width * h->height * 4)`.
 *
 * A field counts where nobody has asked about it on the way: neither who fills it, nor who calls both, nor a function that is there to check.
 * Functions that use such a field are read once more.
 */
import type { FactKind } from '../../rulebook/fact-kinds.js'
import type { FunctionIr, Type } from '../program.js'
import { type Run, step } from '../run.js'
import { summaryOf, readAgain } from './summaries.js'

/** What follows from a number alone. */
const ofNumbers: ReadonlySet<FactKind> = new Set<FactKind>([
  'zero-divisor',
  'wrapped-size',
  'data-index',
  'data-length',
  'negative-length',
  'data-size',
])

const isCheck = /check|valid|verify|sane|sanity|limit|bound/i

const recordOf = ({ type }: { readonly type: Type | null }): string | undefined =>
  type?.kind === 'pointer' && type.of?.kind === 'record' ? type.of.name : undefined

/** By the record and the field: who fills it. */
function filledFields(run: Run): ReadonlyMap<string, ReadonlySet<FunctionIr>> {
  const found = new Map<string, Set<FunctionIr>>()
  for (const fn of run.program.functions)
    for (const [key, type] of summaryOf(run, fn)?.dataFields ?? []) {
      const [at, field] = key.split(' ')
      const parameter = fn.parameters[Number(at)]
      const record = parameter === undefined ? undefined : recordOf(parameter)
      if (record === undefined || field === undefined || field === '' || type?.kind !== 'integer') continue
      const name = `${record}.${field}`
      found.set(name, (found.get(name) ?? new Set()).add(fn))
    }
  for (const fn of run.program.functions) addWhole(run, fn, found)
  return found
}

/** `fread(header, sizeof *header, 1, in)`: all numbers of the record. */
function addWhole(run: Run, fn: FunctionIr, found: Map<string, Set<FunctionIr>>): void {
  for (const at of summaryOf(run, fn)?.fills ?? []) {
    const parameter = fn.parameters[at]
    const record = parameter === undefined ? undefined : recordOf(parameter)
    for (const [field, type] of run.program.classes.get(record ?? '')?.fields ?? []) {
      const name = `${record ?? ''}.${field}`
      if (type?.kind === 'integer') found.set(name, (found.get(name) ?? new Set()).add(fn))
    }
  }
}

export function checkDataFields(run: Run): void {
  const filled = filledFields(run)
  if (filled.size === 0) return
  const callers = new Map<string, FunctionIr[]>()
  for (const fn of run.program.functions)
    for (const name of new Set(fn.calls.map((call) => call.name))) {
      const known = callers.get(name)
      if (known === undefined) callers.set(name, [fn])
      else known.push(fn)
    }
  const checks = run.program.functions.filter((one) => isCheck.test(one.name))
  for (const fn of run.program.functions) {
    const records = new Set(fn.parameters.map((one) => recordOf(one)))
    const open = [...filled].flatMap(([name, by]) => {
      const [record = '', field = ''] = name.split('.')
      if (!records.has(record) || by.has(fn) || !run.text.slice(fn.start, fn.end).includes(`>${field}`)) return []
      step(run)
      const around = [fn, ...by].flatMap((one) => callers.get(one.name) ?? [])
      return [...by, ...around, ...checks].some((one) => one.compared.has(field)) ? [] : [name]
    })
    if (open.length > 0) readAgain(run, fn, new Set(open), ofNumbers)
  }
}
