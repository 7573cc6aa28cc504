/**
 * A conversation is a tree: to say something else at a place opens a branch there, and what was said before stays. One path
 * through it is shown. Plain data, because it is stored and exported.
 */
import type { PlayRequestQuery } from '../../../generated/console.js'
import type { Fault } from '../../graph/faults.js'
import type { CodeCheck } from './code-check.js'

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** What a function gave back. */
export interface ToolResult {
  /** Of the call. */
  readonly id: string
  readonly name: string
  readonly content: string
}

export type RequestRecord = NonNullable<PlayRequestQuery['usageRecord']>

/** How an answer came about. */
export interface Answer {
  readonly model: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly ending: 'complete' | 'stopped' | 'failed'
  readonly finishReason: string | null
  /** Of answers from before it was kept, and of those without code: left out or null. */
  readonly code?: CodeCheck | null
  readonly fault: Fault | null
  /** Null when nothing of the request has reached this browser. */
  readonly requestId: string | null
  /** What it cost and why it was answered where it was; null until it is known. */
  readonly record: RequestRecord | null
}

export interface Message {
  readonly id: string
  /** The message before it; null for the first. */
  readonly parent: string | null
  readonly role: 'USER' | 'ASSISTANT'
  readonly content: string
  /** That are asked about, as `data:` URLs. */
  readonly images?: readonly string[]
  /** Of the functions that the answer before called, in the place of a text. */
  readonly results?: readonly ToolResult[]
  /** Of the assistant's messages. */
  readonly answer?: Answer
}

export interface Tree {
  readonly messages: readonly Message[]
  /** Which of several that follow the same message is shown, by that message's id; the empty text stands for the beginning. */
  readonly shown: Readonly<Record<string, string>>
}

export const EMPTY_TREE: Tree = { messages: [], shown: {} }

const keyOf = (parent: string | null): string => parent ?? ''

export const childrenOf = (tree: Tree, parent: string | null): readonly Message[] =>
  tree.messages.filter((message) => message.parent === parent)

/** The messages that are shown, from the first to the last. */
export function pathOf(tree: Tree): readonly Message[] {
  const path: Message[] = []
  for (let parent: string | null = null; ;) {
    const children = childrenOf(tree, parent)
    const next: Message | undefined = children.find(({ id }) => id === tree.shown[keyOf(parent)]) ?? children.at(-1)
    if (!next) return path
    path.push(next)
    parent = next.id
  }
}

/** The tree with one more message, which is shown. */
export const withMessage = (tree: Tree, message: Message): Tree => ({
  messages: [...tree.messages, message],
  shown: { ...tree.shown, [keyOf(message.parent)]: message.id },
})

export const withChanged = (tree: Tree, id: string, change: Partial<Pick<Message, 'content' | 'answer'>>): Tree => ({
  ...tree,
  messages: tree.messages.map((message) => (message.id === id ? { ...message, ...change } : message)),
})

/** Shows another of the branches that begin where this message stands. */
export function withSibling(tree: Tree, message: Message, step: 1 | -1): Tree {
  const siblings = childrenOf(tree, message.parent)
  const at = siblings.findIndex(({ id }) => id === message.id)
  const next = siblings[at + step]
  return next ? { ...tree, shown: { ...tree.shown, [keyOf(message.parent)]: next.id } } : tree
}

/** Without a message and all that follows it. */
export function without(tree: Tree, id: string): Tree {
  const gone = new Set([id])
  // A message stands behind the one that it follows.
  for (const message of tree.messages) if (message.parent !== null && gone.has(message.parent)) gone.add(message.id)
  const shown = Object.entries(tree.shown).filter(([parent, child]) => !gone.has(parent) && !gone.has(child))
  return { messages: tree.messages.filter((message) => !gone.has(message.id)), shown: Object.fromEntries(shown) }
}
