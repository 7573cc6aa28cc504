/** Where the next message is written. */
import { ArrowUp, Square } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { IconButton } from '../../ui/forms/button.js'
import { ImagePicker } from './image-picker.js'
import { ImageStrip } from './image-strip.js'
import { useImages } from './use-images.js'

interface ComposerProps {
  readonly isBusy: boolean
  /** Why nothing can be sent; null when it can. */
  readonly obstacle: string | null
  /** Whether every model that is asked does. */
  readonly takesImages: boolean
  readonly onSend: (content: string, images: readonly string[]) => void
  readonly onStop: () => void
}

const NO_IMAGES = 'This model takes no images.'

export function Composer({ isBusy, obstacle: given, takesImages, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('')
  const { images, fault, add, remove, clear } = useImages()
  const obstacle = given ?? (images.length > 0 && !takesImages ? NO_IMAGES : null)
  const maySend = !isBusy && obstacle === null && (text.trim() !== '' || images.length > 0)
  const send = () => {
    if (!maySend) return
    onSend(text, images)
    setText('')
    clear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <div
      className="shrink-0 px-4 pb-4 md:px-5"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        add(event.dataTransfer.files)
      }}
    >
      {images.length > 0 && (
        <div className="mx-auto max-w-3xl pb-2">
          <ImageStrip images={images} onRemove={remove} />
        </div>
      )}
      <div className="mx-auto flex max-w-3xl items-end gap-2 rounded-lg border border-edge/60 bg-surface p-1.5 shadow-low focus-within:border-accent">
        {takesImages && <ImagePicker onPick={add} />}
        <textarea
          aria-label="Message"
          data-search-field
          autoFocus
          rows={1}
          placeholder="Ask something…"
          className="field-sizing-content max-h-52 min-h-8 w-full resize-none bg-transparent px-2 py-1.5 outline-none"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={({ clipboardData }) => add(clipboardData.files)}
        />
        {isBusy ? (
          <IconButton label="Stop (Esc)" variant="secondary" onClick={onStop}>
            <Square className="size-3.5 fill-current" />
          </IconButton>
        ) : (
          <IconButton label="Send (Enter)" variant="primary" disabled={!maySend} onClick={send}>
            <ArrowUp className="size-4" />
          </IconButton>
        )}
      </div>
      {(obstacle ?? fault) !== null && <p className="mx-auto mt-1.5 max-w-3xl text-xs text-bad">{obstacle ?? fault}</p>}
    </div>
  )
}
