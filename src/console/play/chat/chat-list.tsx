/** The conversations that this browser keeps. */
import { MessagesSquare, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { EmptyState } from '../../ui/notices/empty-state.js'
import { IconButton } from '../../ui/forms/button.js'
import { titleOf, type Chat, type StoredChats } from './stored-chats.js'

interface ChatListProps {
  readonly store: StoredChats
  readonly onOpen: (chat: Chat) => void
  readonly onRemove: (chat: Chat) => void
}

export function ChatList({ store, onOpen, onRemove }: ChatListProps) {
  const [chats, setChats] = useState(() => store.all())
  if (chats.length === 0) {
    return (
      <EmptyState icon={MessagesSquare} title="None yet">
        What you ask in the playground is kept here, in this browser only.
      </EmptyState>
    )
  }
  const remove = (chat: Chat) => {
    onRemove(chat)
    setChats(store.all())
  }
  return (
    <ul className="min-h-0 overflow-y-auto p-1.5">
      {chats.map((chat) => (
        <li key={chat.id} className="flex items-center rounded-md hover:bg-hover">
          <button type="button" className="min-w-0 flex-1 px-2.5 py-2 text-left" onClick={() => onOpen(chat)}>
            <span className="block truncate">{titleOf(chat)}</span>
            <span className="block text-xs text-muted" title={new Date(chat.changedAt).toUTCString()}>
              {new Date(chat.changedAt).toLocaleString()} · {chat.models.join(' and ')}
            </span>
          </button>
          <IconButton label={`Delete “${titleOf(chat)}”`} onClick={() => remove(chat)}>
            <Trash2 className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
