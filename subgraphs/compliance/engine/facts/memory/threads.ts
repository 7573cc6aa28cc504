/** Counters that functions of threads step without a lock: of two steps at the same time one is lost. */
import type { Expr, FunctionIr, ProgramIr } from '../program.js'
import { type Run, modelOf, report } from '../run.js'
import type { Models } from '../calls/models.js'
import type { State } from '../state.js'

/** Functions of the file that something starts as threads, by their names. */
export function threadsOf({ functions }: ProgramIr, models: Models): ReadonlySet<string> {
  const found = new Set<string>()
  for (const fn of functions)
    for (const { name, args } of fn.calls) {
      const at = models.find(name)?.starts_thread
      const started = at === undefined ? undefined : args[at]
      const bare =
        started?.op === 'address' || started?.op === 'cast' ? (started.op === 'cast' ? started.value : started.base) : started
      if (bare?.op === 'variable' && !bare.isLocal) found.add(bare.name)
    }
  return found
}

const isLockName = (name: string): boolean => /mutex|spinlock|rwlock|lock_t$|critical_?section|semaphore|sem_t$/i.test(name)

/** What other threads can reach: a variable of the file, or a field beside a lock. */
function isShared(run: Run, target: Expr): boolean {
  if (target.op === 'variable') return !target.isLocal && !isOwnOfThread(run.text, target.name)
  if (target.op === 'index') return isShared(run, target.base)
  if (target.op !== 'field') return false
  if (isOwnOfThread(run.text, target.name)) return false
  if (!target.isArrow) return isShared(run, target.base)
  const fields = run.program.classes.get(target.base.type?.of?.name ?? '')?.fields
  return [...(fields?.values() ?? [])].some((type) => type !== null && isLockName(type.name))
}

/** `static _Thread_local int seen;`, `_Atomic int seen;` */
const isOwnOfThread = (text: string, name: string): boolean =>
  /_Atomic|thread_local|_Thread_local|__thread|atomic/.test(text) &&
  new RegExp(`(?:_Atomic|[_ ]thread_local|_Thread_local|__thread|atomic\\w*)\\b[^;{}]{0,80}\\b${name}\\b`).test(text)

/** Takes locks in a way that nobody follows here. */
const isCareful = (run: Run, fn: FunctionIr): boolean =>
  run.lockCareful.has(fn) ||
  fn.calls.some(({ name }) => {
    const model = modelOf(run, name)
    return (
      /lock|mutex|atomic|critical|enter|barrier|sem_/i.test(name) && model?.locks === undefined && model?.unlocks === undefined
    )
  })

/** `hits++`, `total += n` */
export function checkThreadStep(run: Run, state: State, target: Expr): void {
  const { fn } = run.frame
  if (!run.threads.has(fn.name) || target.type?.kind === 'other' || target.type?.name.includes('atomic') === true) return
  if (!isShared(run, target) || isCareful(run, fn)) return
  for (const [, { isLocked }] of state.allObjects()) if (isLocked) return
  report(run, 'unlocked-step', target)
}
