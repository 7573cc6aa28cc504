/** Lifetimes in C++: references that outlive what they refer to, and base classes whose destructor is not virtual. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../shapes.js'
import { bare, helper, scopeOf } from './c-scope.js'

const owningTypes =
  '(?:std::)?(?:w?string|[io]?stringstream|(?:vector|array|deque|list|(?:unordered_)?(?:map|set))\\s*<[^;()]{1,80}>|QString|QByteArray)'
const growing = '(?:push_back|emplace_back|insert|erase|clear|resize|reserve|pop_back|shrink_to_fit)'

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** `#dangling` for `return local` of a function that returns a view or a reference, and for `return &local`. */
export function dangling(lowering: Lowering, node: number): Ir[] {
  const { inside } = scopeOf(lowering)
  const value = lowering.first(node, '#0')
  if (inside?.body === undefined || value === undefined) return []
  const head = inside.text.slice(0, lowering.startOf(inside.body) - inside.start)
  if (/\bauto\b|\bdecltype\b/.test(head)) return []
  const result = head.slice(0, head.indexOf('('))
  const text = viewed(lowering.text(bare(lowering, value)))
  if (/string_view|\bconst\s+(?:std::)?string\s*&\s*(?:[\w:~]+\s*)?$/.test(result) && temporary.test(text))
    return [helper(lowering, value, '#dangling', [])]
  const name = /^&?\s*([A-Za-z_]\w*)(?:\.(?:c_str|data)\(\))?$/.exec(text)?.[1]
  if (name === undefined) return []
  const isTaken = text.startsWith('&')
  if (isTaken)
    return declares(inside.text, String.raw`(?:struct\s+)?[A-Za-z_][\w:]*`, name)
      ? [helper(lowering, value, '#dangling', [])]
      : []
  const isView = /string_view|\bspan\s*<|\w\s*&\s*(?:[\w:~]+\s*)?$/.test(result)
  const isPointer = /\*\s*(?:[\w:~]+\s*)?$/.test(result) && text.endsWith(')')
  if (!isView && !isPointer) return []
  return declares(inside.text, owningTypes, name) ? [helper(lowering, value, '#dangling', [])] : []
}

/** Texts that are gone with the statement: `std::string(p)`, `std::to_string(n)`, `name + "x"`. */
const temporary = /^(?:std::)?(?:to_)?string\s*\([^()]{0,60}\)$|^\w[\w.]*\s*\+\s*"[^"]*"$|^"[^"]*"\s*\+\s*\w[\w.]*$/

/** What a view is made of: `s` of `std::string_view(s)`, `{s.data(), n}` and `std::span<char>{s}.first(2)`. */
const viewed = (text: string): string =>
  /^(?:(?:std::)?(?:w?string_view|span\s*(?:<[^<>]{0,60}>)?)\s*[({]|\{)\s*([^,;]{1,80}?)(?:\.begin\(\))?\s*(?:,[^;]{1,80})?[)}](?:\.(?:substr|first|last|subspan)\([^;]{0,60}\))?$/.exec(
    text,
  )?.[1] ?? text

/** Whether the text declares the name as a value of such a type, and not as a static one or a reference. */
const declares = (text: string, types: string, name: string): boolean =>
  new RegExp(
    String.raw`[;{}]\s*(?:const\s+)?(?!return\b|static\b|extern\b|else\b|goto\b|delete\b)${types}\s+${name}\s*[;=({]`,
  ).test(text)

/** `#invalidated` for a loop over a container whose body changes it. */
export function changedWhileWalked(lowering: Lowering, container: number, body: number): Ir[] {
  const name = lowering.text(container)
  if (!/^[\w.>-]{1,60}$/.test(name)) return []
  const change = new RegExp(String.raw`(?:^|[^\w.>])${escaped(name)}\s*(?:\.|->)\s*${growing}\s*\(`)
  const text = lowering.text(body).slice(0, 4000)
  const match = change.exec(text)
  if (
    match === null ||
    /^[^;]*;\s*(?:\w[\w.]*\s*(?:\([^;]*\)|=[^;]*)?;\s*)?(?:break|return|goto|throw)\b/.test(text.slice(match.index))
  )
    return []
  return [helper(lowering, container, '#invalidated', [])]
}

/** `auto &first = v[0]; v.push_back(x); use(first);` */
export function staleReference(lowering: Lowering, node: number): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null) return []
  const text = lowering.text(node).slice(0, 300)
  const match =
    /(?:[&*]\s*|auto\s+|iterator\s+)([A-Za-z_]\w*)\s*=\s*&?\s*([\w.>-]{1,60}?)\s*(?:\[[^\]]{1,40}\]|(?:\.|->)(?:front|back|at|begin|data|find)\s*\([^;]{0,40}\))\s*;/.exec(
      text,
    )
  const called = /[*&]\s*(?:const\s+)?([A-Za-z_]\w*)\s*=\s*(\w+)\s*\([^;]{0,80}\)\s*;$/.exec(text)
  const pointed = /&\s*([A-Za-z_]\w*)\s*=\s*\*\s*([A-Za-z_]\w*)\s*;$/.exec(text)
  const [name, container] =
    pointed !== null
      ? [pointed[1], walkedBy(lowering, inside.text, pointed[2])]
      : match === null
        ? [called?.[1], elementOf(lowering, called?.[2])]
        : [match[1], match[2]]
  const isValue = /^\s*(?:const\s+)?auto\s+\w/.test(text) && !/begin|data|find/.test(match?.[0] ?? '')
  if (name === undefined || container === undefined || isValue) return []
  const types = String.raw`(?:std::)?(?:vector|deque|basic_string)\s*<|(?:std::)?string\b`
  if (!new RegExp(String.raw`(?:${types})[^;{}]{0,80}[\s&>*]${escaped(container)}\b`).test(lowering.source)) return []
  const after = inside.text.slice(lowering.endOf(node) - inside.start)
  const block = after.slice(0, after.search(/\n\}/) + 1 || after.length).replaceAll(leaving, ' ')
  const stale = new RegExp(
    String.raw`^[^}]*?(?:^|[^\w=.>]\s*)${escaped(container)}\s*(?:\.|->)\s*(?:push_back|emplace_back|insert|clear|resize|reserve)\s*\([^;]*;(?![^}]{0,400}\b${name}\s*=[^=])[^}]{0,400}(?:[*(\s!]|<<\s*)${name}\b`,
  )
  return stale.test(block.slice(0, 2000)) ? [helper(lowering, node, '#invalidated', [])] : []
}

/** Blocks that leave the function or the loop: what stands behind them does not follow them. */
const leaving = /\{[^{}]*\b(?:return|throw|break|continue)\b[^{};]*;\s*\}/g

const finding = String.raw`(?:std::)?(?:find(?:_if(?:_not)?)?|lower_bound|upper_bound|(?:min|max)_element)\s*\(\s*`

/** The container that an iterator of the function walks: it got it itself, or from a function of the file. */
function walkedBy(lowering: Lowering, text: string, iterator: string | undefined): string | undefined {
  if (iterator === undefined) return undefined
  const begins = String.raw`(?:${finding})?([\w.>-]{1,60}?)(?:\.|->)(?:begin|end|find|insert|erase)\s*\(`
  const direct = new RegExp(String.raw`\b${iterator}\s*=\s*${begins}`).exec(text)?.[1]
  if (direct !== undefined) return direct
  const callee = new RegExp(String.raw`\b${iterator}\s*=\s*([A-Za-z_]\w*)\s*\(`).exec(text)?.[1]
  if (callee === undefined) return undefined
  const body = new RegExp(String.raw`iterator\s+(?:\w+::)?${callee}\s*\([^(){};]{0,120}\)[\w\s]{0,30}\{([^{}]{0,300})`)
  return new RegExp(String.raw`\breturn\s+${begins}`).exec(body.exec(lowering.source)?.[1] ?? '')?.[1]
}

/** The container whose element a function of the file returns as a pointer or reference. */
function elementOf(lowering: Lowering, callee: string | undefined): string | undefined {
  if (callee === undefined) return undefined
  const body = new RegExp(String.raw`[*&]\s*(?:\w+::)?${callee}\s*\([^(){};]{0,120}\)[\w\s]{0,30}\{([^]{0,600})`).exec(
    lowering.source,
  )?.[1]
  const text = body?.slice(0, body.search(/\n\s{0,4}\}/) + 1 || body.length) ?? ''
  const walked = /\bfor\s*\([^;:()]{0,60}&\s*(\w+)\s*:\s*(\w+)\s*\)[^]*?\breturn\s+(?:&\s*)?(\w+)\s*;/.exec(text)
  if (walked !== null && walked[1] === walked[3]) return walked[2]
  return /\breturn\s+&?\s*(\w+)\s*(?:\[|\.(?:at|back|front|data)\()/.exec(text)?.[1]
}

/** `#plain_destructor` for a base class that is deleted through a pointer without a virtual destructor. */
export function plainDestructor(lowering: Lowering, node: number): Ir[] {
  const nameNode = lowering.first(node, 'name')
  const body = lowering.first(node, 'body')
  if (nameNode === undefined || body === undefined) return []
  const name = lowering.text(nameNode)
  const text = lowering.text(body)
  const isFinal = /\bfinal\s*$/.test(lowering.source.slice(lowering.startOf(nameNode), lowering.startOf(body)))
  const isDerived = lowering.first(node, '%base_class_clause') !== undefined
  if (isFinal || isDerived || !/^\w+$/.test(name) || !/\bvirtual\b(?!\s*~)/.test(text)) return []
  if (
    new RegExp(
      String.raw`virtual\s*(?:\w+\s*)?~|~\s*${name}\s*\([^)]*\)\s*(?:noexcept\s*)?override|protected:[^]{0,300}~\s*${name}`,
    ).test(text)
  )
    return []
  const { source } = lowering
  const isBase = new RegExp(String.raw`(?:class|struct)\s+\w+[^;{]{0,60}:\s*(?:public\s+)?(?:\w+::)?${name}\b`).test(source)
  const isDeleted = new RegExp(
    String.raw`(?:unique_ptr|shared_ptr)\s*<\s*${name}\s*>|\b${name}\s*\*\s*(?:const\s+)?(\w+)\b[^]{0,4000}\bdelete\s+\1\b`,
  ).test(source)
  return isBase && isDeleted ? [helper(lowering, nameNode, '#plain_destructor', [])] : []
}

/** `#copied_owner` for a class whose destructor deletes what a copy points to as well, and that the file copies. */
export function copiedOwner(lowering: Lowering, node: number): Ir[] {
  const nameNode = lowering.first(node, 'name')
  const body = lowering.first(node, 'body')
  if (nameNode === undefined || body === undefined) return []
  const name = lowering.text(nameNode)
  const text = lowering.text(body)
  if (
    !/^\w+$/.test(name) ||
    !new RegExp(String.raw`~\s*${name}\s*\(\s*\)[^{};]{0,40}\{[^}]{0,400}\b(?:delete|free\s*\()`).test(text)
  )
    return []
  if (new RegExp(String.raw`\b${name}\s*\(\s*(?:const\s+)?${name}\s*&|operator\s*=|[Nn]on[Cc]opyable|COPY`).test(text)) return []
  const bases = lowering.source.slice(lowering.endOf(nameNode), lowering.startOf(body))
  if (/noncopyable/i.test(bases)) return []
  const isCopied = new RegExp(
    String.raw`[(,]\s*(?:const\s+)?${name}\s+\w+\s*[,)]|\b${name}\s+\w+\s*=\s*(?:\*?\w+)\s*;|vector\s*<\s*${name}\s*>`,
  )
  return isCopied.test(lowering.source) ? [helper(lowering, nameNode, '#copied_owner', [])] : []
}
