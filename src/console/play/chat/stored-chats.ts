/** Conversations are kept in this browser and nowhere else: of what is asked here the server stores no prompt and no answer. */
import type { Tree } from './conversation.js'
import { EMPTY_TREE } from './conversation.js'
import { NO_SETTINGS, type Settings } from '../request/settings.js'

export interface Chat {
  readonly id: string
  /** Epoch milliseconds. */
  readonly changedAt: number
  readonly settings: Settings
  /** One, or two that answer side by side. */
  readonly models: readonly string[]
  /** One for each model. */
  readonly trees: readonly Tree[]
}

export const newChat = (models: readonly string[], settings: Settings = NO_SETTINGS): Chat => ({
  id: crypto.randomUUID(),
  changedAt: Date.now(),
  settings,
  models,
  trees: models.map(() => EMPTY_TREE),
})

/** The first words. */
export const titleOf = ({ trees }: Chat): string => trees[0]?.messages[0]?.content.slice(0, 80) || 'New conversation'

/** The oldest give way: a browser keeps some megabytes for a page. */
const MOST_CHATS = 100

export interface StoredChats {
  /** Newest first. */
  all(): readonly Chat[]
  find(id: string): Chat | null
  save(chat: Chat): void
  remove(id: string): void
}

/** @param accountId whose they are: another account in the same browser has its own */
export function storedChats(accountId: string): StoredChats {
  const name = `sluice.chats.${accountId}`
  const read = (): readonly Chat[] => JSON.parse(localStorage.getItem(name) ?? '[]') as readonly Chat[]
  const write = (chats: readonly Chat[]): void => {
    for (let kept = chats.slice(0, MOST_CHATS); kept.length > 0 || chats.length === 0; kept = kept.slice(0, -1)) {
      try {
        return localStorage.setItem(name, JSON.stringify(kept))
      } catch (error) {
        if (!(error instanceof DOMException)) throw error
      }
    }
  }
  return {
    all: read,
    find: (id) => read().find((chat) => chat.id === id) ?? null,
    save: (chat) => write([chat, ...read().filter(({ id }) => id !== chat.id)]),
    remove: (id) => write(read().filter((chat) => chat.id !== id)),
  }
}

/** Gives the browser a file of it. */
export function exportChat(chat: Chat): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(chat, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `sluice-chat-${new Date(chat.changedAt).toISOString().slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
