/** One conversation with one model; two stand side by side. */
import { useEffect, useRef } from 'react'
import { classes } from '../../ui/classes.js'
import { childrenOf, pathOf, type Message, type Tree } from '../chat/conversation.js'
import { MessageView, type MessageActions } from './message-view.js'
import { RunView } from './run-view.js'
import type { Run } from '../chat/use-answers.js'

interface ColumnProps {
  readonly label: string
  readonly tree: Tree
  readonly run: Run | undefined
  readonly isBusy: boolean
  readonly isOneOfTwo: boolean
  readonly actionsOn: (message: Message) => MessageActions
}

/** So near to the end that new text should stay in sight. */
const NEAR_PX = 80

export function Column({ label, tree, run, isBusy, isOneOfTwo, actionsOn }: ColumnProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const path = pathOf(tree)
  const length = path.length
  const lastLength = useRef(length)
  useEffect(() => {
    // Whoever has just asked wants to see the answer.
    if (lastLength.current !== length) isAtEnd.current = true
    lastLength.current = length
    if (isAtEnd.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  })
  const onScroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {}
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
  }
  return (
    <section
      ref={scroller}
      aria-label={label}
      tabIndex={0}
      onScroll={onScroll}
      className={classes(
        'min-h-0 min-w-0 flex-1 overflow-y-auto px-4 py-5 md:px-5',
        isOneOfTwo && 'max-md:border-b md:border-r border-line last:border-0',
      )}
    >
      <div className="mx-auto grid max-w-3xl gap-5">
        {path.map((message) => {
          const siblings = childrenOf(tree, message.parent)
          const branch = { at: siblings.findIndex(({ id }) => id === message.id), of: siblings.length }
          return (
            <MessageView
              key={message.id}
              message={message}
              branch={branch}
              isBusy={isBusy}
              isLast={message === path.at(-1)}
              {...actionsOn(message)}
            />
          )
        })}
        {run && <RunView run={run} />}
      </div>
    </section>
  )
}
