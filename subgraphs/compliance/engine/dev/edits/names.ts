/** Local variables and parameters get other names. */
import { partsOf } from '../../flow/prepare.js'
import type { Ir } from '../../syntax/ir.js'
import { childrenOf, type Edit, type Program, replaceAll, typeOf } from './edit.js'

interface Found {
  readonly local: Set<string>
  /** Names that mean more than a variable: functions, members, classes, named arguments. */
  readonly taken: Set<string>
}

function namesOf(root: Ir): Found {
  const found: Found = { local: new Set(), taken: new Set(['this', 'self', 'super', '_']) }
  const stack: { ir: Ir; isInside: boolean }[] = [{ ir: root, isInside: false }]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { ir } = place
    let { isInside } = place
    if (ir.op === 'function') {
      isInside = true
      found.taken.add(ir.name)
      for (const { name } of [...ir.parameters, ...(ir.receiver === undefined ? [] : [ir.receiver])])
        if (ir.name !== 'main') found.local.add(name)
        else found.taken.add(name)
    }
    if (ir.op === 'assign' && ir.target.op === 'name') (isInside ? found.local : found.taken).add(ir.target.name)
    if (ir.op === 'member') found.taken.add(ir.property)
    if (ir.op === 'class') found.taken.add(ir.name)
    if (ir.op === 'call' && ir.callee.op === 'name') found.taken.add(ir.callee.name)
    if (ir.op === 'call') for (const { name } of ir.args) if (name !== undefined) found.taken.add(name)
    if (ir.op === 'import') for (const { local } of ir.bindings) found.taken.add(local)
    if (ir.op === 'class')
      for (const member of ir.members)
        if (member.op === 'assign' && member.target.op === 'name') found.taken.add(member.target.name)
    if (ir.op === 'collection') for (const { key } of ir.entries) if (key?.op === 'literal') found.taken.add(String(key.value))
    for (const part of partsOf(ir)) stack.push({ ir: part, isInside })
  }
  return found
}

/** The words of the name stay, because rules may read them: `user_id` becomes `user_id_b`. */
export const renaming: Edit = {
  name: 'other names of variables',
  apply(program: Program) {
    const { tree, text } = program
    if (tree === null) return null
    const { local, taken } = namesOf(program.root)
    const strings = stringsOf(program)
    const bare = (name: string): string => name.replace(/^\$/, '')
    const wanted = new Set([...local].filter((name) => !taken.has(name) && /^\$?[A-Za-z_]\w*$/.test(name)).map(bare))
    for (const name of wanted) if (new RegExp(`\\b${name}\\b`).test(strings)) wanted.delete(name)
    const places: { start: number; end: number; text: string }[] = []
    for (let node = 0; node < tree.length; node++) {
      if (tree.next[node] !== node + 1 || !/identifier|name|word/.test(typeOf(tree, node))) continue
      const [start, end] = [tree.start[node] ?? 0, tree.end[node] ?? 0]
      const name = text.slice(start, end)
      if (wanted.has(bare(name)) && typeOf(tree, node) !== 'type_identifier') places.push({ start, end, text: `${name}_b` })
    }
    return replaceAll(text, places)
  },
}

/** Texts without interpolation: a name in one may be looked up by it. */
function stringsOf({ tree, text }: Program): string {
  if (tree === null) return ''
  const parts: string[] = []
  for (let node = 0; node < tree.length; node++) {
    const type = typeOf(tree, node)
    if (
      /string|comment|preproc_(?:arg|def|function_def)/.test(type) &&
      childrenOf(tree, node).every((child) => /content|escape|start|end|fragment|text/.test(typeOf(tree, child)))
    )
      parts.push(text.slice(tree.start[node] ?? 0, tree.end[node] ?? 0))
  }
  return parts.join('\n')
}
