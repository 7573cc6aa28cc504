/** The conversations that this browser keeps, for who asks for them. */
import { lazy, Suspense } from 'react'
import { Dialog } from '../../ui/layout/dialog.js'
import { Skeleton } from '../../ui/notices/skeleton.js'
import type { Chat, StoredChats } from './stored-chats.js'

const ChatList = lazy(() => import('./chat-list.js').then((module) => ({ default: module.ChatList })))

interface ChatsDialogProps {
  readonly store: StoredChats
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onOpen: (chat: Chat) => void
  readonly onRemove: (chat: Chat) => void
}

export const ChatsDialog = ({ isOpen, onClose, ...rest }: ChatsDialogProps) => (
  <Dialog title="Conversations in this browser" isOpen={isOpen} onClose={onClose}>
    <Suspense fallback={<Skeleton className="m-4 h-40" />}>
      <ChatList {...rest} />
    </Suspense>
  </Dialog>
)
