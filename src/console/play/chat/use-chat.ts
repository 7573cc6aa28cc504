/** The conversation that is on the screen: what is said in it, kept as it grows, and the answers that are on their way. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useViewer } from '../../app/session/viewer.js'
import { EMPTY_TREE, pathOf, withChanged, without, withMessage, withSibling, type Message, type Tree } from './conversation.js'
import type { MessageActions } from '../answer/message-view.js'
import { chatInput, type Settings } from '../request/settings.js'
import { newChat, storedChats, type Chat } from './stored-chats.js'
import { useAnswers } from './use-answers.js'

export function useChat(models: readonly string[]) {
  const { store, chat, isNew, setKept, changeTree, show } = useKeptChat(models)
  const { ask, ...answers } = useTreeAnswers(chat, changeTree)
  const isBusy = Object.keys(answers.runs).length > 0

  useEffect(() => {
    // Not while something is being said, and only where something was.
    if (!isBusy && chat.trees.some(({ messages }) => messages.length > 0)) store.save(chat)
  }, [store, chat, isBusy])

  const say = (column: number, tree: Tree, parent: string | null, said: Said) => {
    const next = withMessage(tree, { id: crypto.randomUUID(), parent, role: 'USER', ...said })
    changeTree(column, () => next)
    ask(column, next)
  }
  const toChat = (next: Chat) => {
    answers.stop()
    show(next)
  }
  const treeOf = (column: number): Tree => chat.trees[column] ?? EMPTY_TREE

  return {
    ...answers,
    chat,
    store,
    isBusy,
    send(content: string, images: readonly string[]) {
      const said = { content, ...(images.length > 0 && { images }) }
      setKept(chat)
      if (isNew) show(chat)
      for (const [column, tree] of chat.trees.entries()) say(column, tree, pathOf(tree).at(-1)?.id ?? null, said)
    },
    setSettings: (settings: Settings) => setKept({ ...chat, settings }),
    startNew: () => toChat(newChat(models, chat.settings)),
    open: toChat,
    remove(one: Chat) {
      store.remove(one.id)
      if (one.id === chat.id) toChat(newChat(models, chat.settings))
    },
    actionsOn: (column: number, message: Message): MessageActions => ({
      onEdit: (content) =>
        say(column, treeOf(column), message.parent, { ...(message.images && { images: message.images }), content }),
      onResults: (results) => say(column, treeOf(column), message.id, { content: '', results }),
      onRepeat() {
        // As if the answer had not been given: the next one becomes a branch beside it.
        const path = pathOf(treeOf(column))
        const messages = path.slice(
          0,
          path.findIndex(({ id }) => id === message.id),
        )
        ask(column, { messages, shown: {} })
      },
      onDelete: () => changeTree(column, (tree) => without(tree, message.id)),
      onSibling: (step) => changeTree(column, (tree) => withSibling(tree, message, step)),
    }),
  }
}

type Said = Pick<Message, 'content' | 'images' | 'results'>

type ChangeTree = (column: number, change: (tree: Tree) => Tree) => void

/** The conversation of the address, or a new one. */
function useKeptChat(models: readonly string[]) {
  const { account } = useViewer()
  const { chat: id } = useSearch({ from: '/play' })
  const navigate = useNavigate({ from: '/play' })
  const store = useMemo(() => storedChats(account.id), [account.id])
  const [kept, setKept] = useState<Chat>(() => (id === undefined ? null : store.find(id)) ?? newChat(models))
  const [first, second] = models
  const chat = useMemo(() => shaped(kept, first ?? 'light', second), [kept, first, second])

  const changeTree = useCallback<ChangeTree>((column, change) => {
    setKept((before) => ({
      ...before,
      changedAt: Date.now(),
      trees: before.trees.map((tree, at) => (at === column ? change(tree) : tree)),
    }))
  }, [])

  const show = (next: Chat) => {
    setKept(next)
    const [model, beside] = next.models
    void navigate({ search: { model, ...(beside !== undefined && { beside }), chat: next.id } })
  }
  return { store, chat, isNew: id !== chat.id, setKept, changeTree, show }
}

/** As many columns as there are models: the second begins with what was said in the first. */
function shaped(chat: Chat, model: string, beside: string | undefined): Chat {
  const [first = EMPTY_TREE, second = first] = chat.trees
  if (beside === undefined) return { ...chat, models: [model], trees: [first] }
  return { ...chat, models: [model, beside], trees: [first, second] }
}

/** Answers that end in the tree of their column. */
function useTreeAnswers(chat: Chat, changeTree: ChangeTree) {
  const { runs, stop, ask } = useAnswers()
  return {
    runs,
    stop,
    /** Asks the model of a column for the answer to what this tree ends with. */
    ask(column: number, tree: Tree) {
      const path = pathOf(tree)
      const parent = path.at(-1)?.id ?? null
      const id = crypto.randomUUID()
      void ask({
        column,
        input: chatInput(chat.models[column] ?? 'light', chat.settings, path),
        onEnd: ({ content, answer }) =>
          changeTree(column, (now) => withMessage(now, { id, parent, role: 'ASSISTANT', content, answer })),
        onRecord: (record) =>
          changeTree(column, (now) => {
            const answer = now.messages.find((message) => message.id === id)?.answer
            return answer ? withChanged(now, id, { answer: { ...answer, record } }) : now
          }),
      })
    },
  }
}
