/** One message, with what can be done to it. */
import { ChevronLeft, ChevronRight, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button, IconButton } from '../../ui/forms/button.js'
import { classes } from '../../ui/classes.js'
import { CopyButton } from '../../ui/forms/copy-button.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'
import { CONTROL } from '../../ui/forms/field.js'
import { AnswerFacts } from './answer-facts.js'
import type { CodeCheck } from '../chat/code-check.js'
import type { Message, ToolCall, ToolResult } from '../chat/conversation.js'
import { ImageStrip } from '../composer/image-strip.js'

/** It is as large as the rest of the page, and needed when the first answer comes. */
const Markdown = lazy(() => import('./markdown.js').then((module) => ({ default: module.Markdown })))

/** Only answers with code have it. */
const CodeFindings = lazy(() => import('./code-findings.js').then((module) => ({ default: module.CodeFindings })))

/** Only answers that call functions have them. */
const tools = () => import('./tool-calls.js')
const ToolCalls = lazy(() => tools().then((module) => ({ default: module.ToolCalls })))
const ToolResults = lazy(() => tools().then((module) => ({ default: module.ToolResults })))

export const CodeNotice = ({ check }: { readonly check: CodeCheck }) => (
  <Suspense fallback={null}>
    <CodeFindings check={check} />
  </Suspense>
)

export interface MessageActions {
  readonly onEdit: (content: string) => void
  readonly onRepeat: () => void
  readonly onDelete: () => void
  readonly onSibling: (step: 1 | -1) => void
  readonly onResults: (results: readonly ToolResult[]) => void
}

interface MessageViewProps extends MessageActions {
  readonly message: Message
  /** Which of how many branches. */
  readonly branch: { readonly at: number; readonly of: number }
  readonly isBusy: boolean
  readonly isLast: boolean
}

export function MessageView(props: MessageViewProps) {
  const { message, branch, isBusy, isLast, onEdit, onRepeat, onDelete, onSibling, onResults } = props
  const [isEditing, setEditing] = useState(false)
  const { role, content, images, results, answer } = message
  const isUser = role === 'USER'
  if (isEditing) {
    const save = (text: string) => {
      setEditing(false)
      onEdit(text)
    }
    return <MessageEditor content={content} onSave={save} onCancel={() => setEditing(false)} />
  }
  return (
    <article className={classes('group', isUser && 'ml-auto w-fit max-w-[85%]')} aria-label={isUser ? 'You' : answer?.model}>
      {!isUser && <p className="mb-1 font-mono text-2xs text-muted">{answer?.model}</p>}
      {isUser ? (
        <div className="grid gap-2 whitespace-pre-wrap wrap-anywhere rounded-lg bg-accent-soft px-3.5 py-2">
          {images && <ImageStrip images={images} />}
          {results && (
            <Suspense>
              <ToolResults results={results} />
            </Suspense>
          )}
          {content}
        </div>
      ) : (
        <AnswerBody
          content={content}
          toolCalls={answer?.toolCalls ?? []}
          reasoning={answer?.reasoning ?? ''}
          onResults={isLast && !isBusy ? onResults : undefined}
        />
      )}
      {answer?.code && <CodeNotice check={answer.code} />}
      {answer?.fault && <FaultNotice fault={answer.fault} />}
      {answer && <AnswerFacts answer={answer} />}
      <div
        className={classes(
          'mt-0.5 flex items-center text-muted transition-opacity focus-within:opacity-100 group-hover:opacity-100 pointer-fine:-mb-4 pointer-fine:opacity-0',
          isUser ? 'justify-end' : '-ml-2',
        )}
      >
        {branch.of > 1 && <BranchSwitch branch={branch} isBusy={isBusy} onSibling={onSibling} />}
        <CopyButton text={content} label="Copy the message" />
        {results ? null : isUser ? (
          <IconButton label="Say something else here" disabled={isBusy} onClick={() => setEditing(true)}>
            <Pencil className="size-3.5" />
          </IconButton>
        ) : (
          <IconButton label="Ask again" disabled={isBusy} onClick={onRepeat}>
            <RefreshCw className="size-3.5" />
          </IconButton>
        )}
        <IconButton label="Delete from here" disabled={isBusy} onClick={onDelete}>
          <Trash2 className="size-3.5" />
        </IconButton>
      </div>
    </article>
  )
}

type BranchSwitchProps = Pick<MessageViewProps, 'branch' | 'isBusy' | 'onSibling'>

const BranchSwitch = ({ branch: { at, of }, isBusy, onSibling }: BranchSwitchProps) => (
  <span className="flex items-center text-xs tabular-nums">
    <IconButton label="The branch before" disabled={isBusy || at === 0} onClick={() => onSibling(-1)}>
      <ChevronLeft className="size-4" />
    </IconButton>
    {at + 1}/{of}
    <IconButton label="The next branch" disabled={isBusy || at === of - 1} onClick={() => onSibling(1)}>
      <ChevronRight className="size-4" />
    </IconButton>
  </span>
)

interface AnswerBodyProps {
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  /** Where the functions have not given anything back. */
  readonly onResults?: MessageActions['onResults'] | undefined
  /** While it comes. */
  readonly children?: ReactNode
}

export const AnswerBody = ({ content, reasoning, toolCalls, onResults, children }: AnswerBodyProps) => (
  <>
    {reasoning !== '' && (
      <details className="mb-2 text-sm text-muted">
        <summary>Reasoning</summary>
        <p className="mt-1 whitespace-pre-wrap border-l-2 border-line pl-3">{reasoning}</p>
      </details>
    )}
    {content !== '' && (
      <Suspense fallback={<p className="whitespace-pre-wrap">{content}</p>}>
        <Markdown text={content} />
      </Suspense>
    )}
    {toolCalls.length > 0 && (
      <Suspense>
        <ToolCalls calls={toolCalls} onResults={onResults} />
      </Suspense>
    )}
    {children}
  </>
)

interface MessageEditorProps {
  readonly content: string
  readonly onSave: (content: string) => void
  readonly onCancel: () => void
}

function MessageEditor({ content, onSave, onCancel }: MessageEditorProps) {
  const [text, setText] = useState(content)
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(text)
      }}
    >
      <textarea
        aria-label="The message"
        autoFocus
        rows={Math.min(12, text.split('\n').length + 1)}
        className={classes(CONTROL, 'py-2')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={text.trim() === ''}>
          Send
        </Button>
      </div>
    </form>
  )
}
