/** C++ classes whose destructors do too little for those that derive from them or copy them. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { helper } from './c-scope.js'

/** `#plain_destructor` for a base class that is deleted through a pointer without a virtual destructor. */
export function plainDestructor(lowering: Lowering, node: number): Ir[] {
  const nameNode = lowering.first(node, 'name')
  const body = lowering.first(node, 'body')
  if (nameNode === undefined || body === undefined) return []
  const name = lowering.text(nameNode)
  const text = lowering.text(body)
  const isFinal = /\bfinal\s*$/.test(lowering.source.slice(lowering.startOf(nameNode), lowering.startOf(body)))
  const isDerived = lowering.first(node, '%base_class_clause') !== undefined
  const isOpen = /\bvirtual\b(?!\s*~)/.test(text)
  if (isFinal || isDerived || !/^\w+$/.test(name) || !(isOpen || hasOwningChild(lowering.source, name))) return []
  if (
    new RegExp(
      String.raw`virtual\s*(?:\w+\s*)?~|~\s*${name}\s*\([^)]*\)\s*(?:noexcept\s*)?override|protected:[^]{0,300}~\s*${name}`,
    ).test(text)
  )
    return []
  const { source } = lowering
  const isBase = new RegExp(String.raw`(?:class|struct)\s+\w+[^;{]{0,60}:\s*(?:public\s+)?(?:\w+::)?${name}\b`).test(source)
  // What shares an object remembers how it was made.
  const isDeleted = new RegExp(
    String.raw`(?:unique_ptr${isOpen ? '|shared_ptr' : ''})\s*<\s*${name}\s*>|\b${name}\s*\*\s*(?:const\s+)?(\w+)\b[^]{0,4000}\bdelete\s+\1\b`,
  ).test(source)
  return isBase && isDeleted ? [helper(lowering, nameNode, '#plain_destructor', [])] : []
}

/** A class that derives from it and holds what its own destructor gives back. */
const hasOwningChild = (source: string, name: string): boolean =>
  new RegExp(
    String.raw`(?:class|struct)\s+\w+\s*(?:final\s*)?:\s*(?:public\s+)?(?:\w+::)?${name}\s*\{[^{}]{0,600}\b(?:std::)?(?:string|vector|map|unordered_map|unique_ptr|shared_ptr|thread|[io]?fstream)\b`,
  ).test(source)

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
