/** The button that lets one pick images from the disk. */
import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../ui/forms/button.js'

export function ImagePicker({ onPick }: { readonly onPick: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Images to ask about"
        onChange={({ target }) => {
          onPick(target.files ?? [])
          target.value = ''
        }}
      />
      <IconButton label="Add an image" onClick={() => input.current?.click()}>
        <ImagePlus className="size-4" />
      </IconButton>
    </>
  )
}
