/** Memory and files that a function takes and nobody gives back: found by how their variable is mentioned in the text of the function. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../shapes.js'
import { bare, helper, knownName, mentions, scopeOf } from './c-scope.js'

const memory =
  /^(?:malloc|calloc|realloc|strdup|strndup|wcsdup|asprintf|aligned_alloc|xmalloc|xcalloc|xstrdup|kv?[mz]alloc|kcalloc|kmemdup|kstrdup|vmalloc|g_malloc0?|g_try_malloc|g_strdup|g_strdup_printf)$/
const files = /^(?:fopen|fdopen|freopen|open|creat|opendir|CreateFile[AW]?|socket)$/
/** Calls that only look at what they are given. */
const lookers =
  /(?:^|_)(?:if|while|for|switch|sizeof|return|w?print\w*|f?printf|f?puts|fputc|fputs|fgets|fread|fwrite|fscanf|fseek|ftell|feof|fflush|fgetc|getc|str\w+|wcs\w+|w?mem\w+|sn?w?printf|sscanf|atoi|assert|read|write|Print\w*|print[A-Z]\w*|readdir|fileno)$/
/** Calls that give memory back: whether they ran is a matter of the way, not of the text. */
const freers = /^(?:free|cfree|kv?free|vfree|g_free|delete)$/
const span = 300

/** `#leaked` or `#unclosed` for an allocation whose variable is never given to anybody; `#owned` for memory that some way may leave behind. */
export function ownership(lowering: Lowering, target: number, value: number): Ir[] {
  const known = knownName(lowering, target)
  const at = bare(lowering, value)
  if (known?.isLocal !== true) return []
  const isNew = lowering.typeOf(at) === 'new_expression'
  const callee = lowering.first(at, 'function')
  const name = callee === undefined ? '' : lowering.text(callee)
  const alias = scopeOf(lowering).aliases.get(name) ?? name
  const kind = isNew || memory.test(alias) ? '#leaked' : files.test(alias) ? '#unclosed' : null
  if (kind === null) return []
  const found = mentions(lowering, known.name)
  if (found === null) return []
  if (!isGivenAway(found.text, known.name, found.at, false)) return [helper(lowering, at, kind, [])]
  const { inside } = scopeOf(lowering)
  if (kind !== '#leaked' || inside === null || /cleanup|g_auto|__free\b/.test(inside.text)) return []
  inside.owned.set(known.name, lowering.startOf(at))
  return [helper(lowering, at, '#owned', [lowering.make.name(target, known.name)])]
}

/** Whether one of the places hands the pointer on; `mayFree`: giving it back does not count. */
export function isGivenAway(text: string, name: string, places: readonly number[], mayFree: boolean): boolean {
  for (const at of places.slice(0, 200)) {
    const before = text.slice(Math.max(0, at - span), at)
    const statement = before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('{'), before.lastIndexOf('}')) + 1)
    if (/\bstatic\b/.test(statement)) return true
    const after = text.slice(at + name.length, at + name.length + 40)
    if (/&\s*$/.test(before) && !/&&\s*$/.test(before)) return true
    const callee = calleeAround(statement)
    if (mayFree && (callee === null ? /\bdelete\b/.test(statement) : freers.test(callee))) continue
    if (callee === null && /\b(?:return|delete|throw)\b/.test(statement) && !/^\s*(?:->|\[)/.test(after)) return true
    if (/[^=!<>]=\s*(?:\([\w\s*]{1,40}\)\s*)?$/.test(statement) && /^\s*[;,)]/.test(after)) return true
    if (
      (/\{\s*$/.test(before) && /^\s*[,}]/.test(after)) ||
      (callee !== null && !lookers.test(callee) && /^\s*[,)+]/.test(after))
    )
      return true
  }
  return false
}

/** The function whose arguments the end of the statement stands in. */
function calleeAround(statement: string): string | null {
  let depth = 0
  for (let at = statement.length - 1; at >= 0; at--) {
    const character = statement[at]
    if (character === ')') depth++
    if (character !== '(') continue
    if (depth > 0) depth--
    else {
      const callee = /(\w+)\s*$/.exec(statement.slice(0, at))?.[1]
      if (callee !== undefined) return callee
    }
  }
  return null
}
