/** The images of a message, small, in a row. */
import { X } from 'lucide-react'
import { IconButton } from '../../ui/forms/button.js'

interface ImageStripProps {
  readonly images: readonly string[]
  readonly onRemove?: (at: number) => void
}

export const ImageStrip = ({ images, onRemove }: ImageStripProps) => (
  <ul aria-label="Images" className="flex flex-wrap gap-2">
    {images.map((url, at) => (
      <li key={at} className="relative">
        <img
          src={url}
          alt={`${at + 1} of ${images.length}`}
          className="h-20 max-w-40 rounded-md border border-line object-cover"
        />
        {onRemove && (
          <IconButton
            label={`Remove image ${at + 1}`}
            variant="secondary"
            className="absolute -right-1.5 -top-1.5 size-6"
            onClick={() => onRemove(at)}
          >
            <X className="size-3.5" />
          </IconButton>
        )}
      </li>
    ))}
  </ul>
)
