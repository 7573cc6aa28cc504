/** The playground: ask one model or two, watch the answers come, and see what each cost and why it was answered there. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Columns2, Download, History, MessageSquareText, PanelRight, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../ui/forms/button.js'
import { Dialog } from '../ui/layout/dialog.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { Column } from './answer/column.js'
import { ChatsDialog } from './chat/chats-dialog.js'
import { Composer } from './composer/composer.js'
import { pathOf } from './chat/conversation.js'
import { ModelPicker } from './models/model-picker.js'
import { RequestPanel } from './request/request-panel.js'
import { chatInput, readSettings } from './request/settings.js'
import { exportChat } from './chat/stored-chats.js'
import { useChat } from './chat/use-chat.js'
import { takesImages, useModels } from './models/use-models.js'

/** A dialog over the page. */
type Shown = 'chats' | 'request'

export function PlayPage() {
  const { model, beside } = useSearch({ from: '/play' })
  const models = useModels()
  const chosen = model ?? models.find(({ availability }) => availability === 'INSTANT')?.id ?? 'light'
  const chat = useChat(beside === undefined ? [chosen] : [chosen, beside])
  const [shown, show] = useState<Shown | null>(null)
  useStopKey(chat.isBusy, chat.stop)
  const { faults } = readSettings(chat.chat.settings)
  const isEmpty = chat.chat.trees.every(({ messages }) => messages.length === 0) && !chat.isBusy
  const input = chatInput(chosen, chat.chat.settings, pathOf(chat.chat.trees[0] ?? { messages: [], shown: {} }))
  const panel = <RequestPanel settings={chat.chat.settings} onSettings={chat.setSettings} input={input} />
  return (
    <>
      <Toolbar chat={chat} isEmpty={isEmpty} show={show} />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <Pickers models={models} chosen={chosen} beside={beside} />
          <div className="flex min-h-0 flex-1 max-md:flex-col">
            {isEmpty ? (
              <div className="flex-1">
                <EmptyState icon={MessageSquareText} title="Ask something">
                  The answer streams in; below it stand its cost, its speed, and why it was answered where it was.
                </EmptyState>
              </div>
            ) : (
              chat.chat.trees.map((tree, at) => (
                <Column
                  key={at}
                  label={`Conversation with ${chat.chat.models[at] ?? ''}`}
                  tree={tree}
                  run={chat.runs[at]}
                  isBusy={chat.isBusy}
                  isOneOfTwo={chat.chat.trees.length > 1}
                  actionsOn={(message) => chat.actionsOn(at, message)}
                />
              ))
            )}
          </div>
          <Composer
            isBusy={chat.isBusy}
            obstacle={Object.keys(faults).length > 0 ? 'A setting of the request is wrong.' : null}
            takesImages={chat.chat.models.every((id) => takesImages(models, id))}
            onSend={chat.send}
            onStop={chat.stop}
          />
        </div>
        <aside
          aria-label="Request and code"
          className="hidden w-80 shrink-0 overflow-y-auto border-l border-line lg:block xl:w-96"
        >
          {panel}
        </aside>
      </div>
      <ChatsDialog
        store={chat.store}
        isOpen={shown === 'chats'}
        onClose={() => show(null)}
        onOpen={(one) => {
          show(null)
          chat.open(one)
        }}
        onRemove={chat.remove}
      />
      <Dialog title="Request and code" isOpen={shown === 'request'} onClose={() => show(null)}>
        <div className="min-h-0 overflow-y-auto">{panel}</div>
      </Dialog>
    </>
  )
}

interface ToolbarProps {
  readonly chat: ReturnType<typeof useChat>
  readonly isEmpty: boolean
  readonly show: (what: Shown) => void
}

const Toolbar = ({ chat, isEmpty, show }: ToolbarProps) => (
  <PageHeader title="Playground">
    <IconButton label="New conversation" onClick={chat.startNew}>
      <Plus className="size-4" />
    </IconButton>
    <IconButton label="Conversations" onClick={() => show('chats')}>
      <History className="size-4" />
    </IconButton>
    <IconButton label="Export as JSON" disabled={isEmpty} onClick={() => exportChat(chat.chat)}>
      <Download className="size-4" />
    </IconButton>
    <IconButton label="Request and code" className="lg:hidden" onClick={() => show('request')}>
      <PanelRight className="size-4" />
    </IconButton>
  </PageHeader>
)

interface PickersProps {
  readonly models: ReturnType<typeof useModels>
  readonly chosen: string
  readonly beside: string | undefined
}

function Pickers({ models, chosen, beside }: PickersProps) {
  const navigate = useNavigate({ from: '/play' })
  const other = models.find(({ id, availability }) => id !== chosen && availability === 'INSTANT')?.id ?? 'medium'
  const setBeside = (id: string | undefined) => void navigate({ search: (search) => ({ ...search, beside: id }), replace: true })
  return (
    <div className="flex items-center gap-2 px-4 py-2.5 md:px-5">
      <ModelPicker
        label="Model"
        models={models}
        chosen={chosen}
        onChoose={(id) => void navigate({ search: (search) => ({ ...search, model: id }), replace: true })}
      />
      {beside !== undefined && <ModelPicker label="Model beside it" models={models} chosen={beside} onChoose={setBeside} />}
      <IconButton
        label={beside === undefined ? 'Ask a second model beside it' : 'Ask one model only'}
        aria-pressed={beside !== undefined}
        className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
        onClick={() => setBeside(beside === undefined ? other : undefined)}
      >
        <Columns2 className="size-4" />
      </IconButton>
    </div>
  )
}

function useStopKey(isBusy: boolean, stop: () => void): void {
  useEffect(() => {
    if (!isBusy) return
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && stop()
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isBusy, stop])
}
