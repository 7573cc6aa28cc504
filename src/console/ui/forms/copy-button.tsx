/** Copies a text, and says that it did. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.js'

interface CopyButtonProps {
  readonly text: string
  readonly label: string
}

const SHOWN_MS = 1_500

export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <IconButton label={isCopied ? 'Copied' : label} onClick={copy}>
      {isCopied ? <Check className="size-4 text-good" /> : <Copy className="size-4" />}
    </IconButton>
  )
}
