/** Members of C++ classes that are given back in the wrong way, and iterators that a loop uses after erase. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../shapes.js'
import { bare, helper, scopeOf } from './c-scope.js'

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const maxNodes = 3000

/** `#mismatched` for `delete p_` of a member that the file only ever makes by `new T[n]`, and the other way around. */
export function mismatched(lowering: Lowering, node: number, operand: number | undefined, isArray: boolean): Ir[] {
  const name = operand === undefined ? undefined : /^(?:this->)?([A-Za-z_]\w*)$/.exec(lowering.text(bare(lowering, operand)))?.[1]
  if (name === undefined || scopeOf(lowering).inside?.names.has(name) !== false) return []
  const made = [
    ...lowering.source.matchAll(
      new RegExp(
        String.raw`\b${name}\s*[=({]\s*new\s*(?:\(\s*std::nothrow\s*\)\s*)?(?:const\s+)?[\w:]+(?:<[^;<>]{0,80}>)?[\s*]*([\[({;),])`,
        'g',
      ),
    ),
  ]
  const isOther = made.length > 0 && made.every((match) => (match[1] === '[') !== isArray)
  return isOther ? [helper(lowering, node, '#mismatched', [])] : []
}

/** `#erased` for `v.erase(it);` in a loop that moves `it` on afterwards. */
export function erasedWhileWalked(lowering: Lowering, loop: number): Ir[] {
  const { inside } = scopeOf(lowering)
  const body = lowering.first(loop, 'body')
  const update = lowering.first(loop, 'update')
  if (inside === null || body === undefined) return []
  const stepped = update === undefined ? undefined : /\b(\w+)\s*\+\+|\+\+\s*(\w+)/.exec(lowering.text(update))
  if (update !== undefined && stepped == null) return []
  const found: Ir[] = []
  const stack = [body]
  for (let seen = 0, node = stack.pop(); node !== undefined && seen < maxNodes; seen++, node = stack.pop()) {
    stack.push(...lowering.children(node))
    if (lowering.typeOf(node) !== 'expression_statement') continue
    const [, container, name] =
      /^([\w.>()-]{1,60}?)\s*(?:\.|->)\s*erase\s*\(\s*([A-Za-z_]\w*)\s*\)\s*;$/.exec(lowering.text(node)) ?? []
    if (container === undefined || name === undefined) continue
    if (stepped != null && stepped[1] !== name && stepped[2] !== name) continue
    const walks = new RegExp(String.raw`\b${name}\s*[=({]\s*(?:std::c?begin\(\s*)?${escaped(container)}\b`)
    if (!walks.test(inside.text)) continue
    const rest = inside.text.slice(lowering.endOf(node) - inside.start, lowering.endOf(body) - inside.start)
    if (isMovedOn(rest, name, stepped != null)) found.push(helper(lowering, node, '#erased', []))
  }
  return found
}

/** Whether the iterator is used again without a new value, by what stands behind `erase(it);`. */
function isMovedOn(rest: string, name: string, isStepped: boolean): boolean {
  const step = String.raw`(?:\+\+\s*${name}\b|\b${name}\s*\+\+)`
  if (!isStepped) return new RegExp(String.raw`^[\s}]*${step}`).test(rest)
  const close = rest.search(/[{}]/)
  const block = rest.slice(0, close === -1 ? rest.length : close)
  const behind = /^[\s}]*(\w*)/.exec(rest.slice(block.length))?.[1] ?? ''
  const leaves = new RegExp(String.raw`\b(?:break|return|throw|goto)\b|\b${name}\s*=(?!=)|--\s*${name}\b|\b${name}\s*--`)
  return !leaves.test(block) && !/^(?:break|return|throw|goto)$/.test(behind)
}
