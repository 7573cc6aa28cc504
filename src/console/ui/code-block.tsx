/** Code to read and to copy. */
import { CopyButton } from './forms/copy-button.js'

interface CodeBlockProps {
  /** What is copied. */
  readonly code: string
  /** What is shown of it, where it holds a secret. */
  readonly shown?: string
  /** What is copied, such as "the command". */
  readonly what: string
}

export const CodeBlock = ({ code, shown = code, what }: CodeBlockProps) => (
  <div className="group relative rounded-md border border-line bg-sunken">
    {/* It scrolls, so it is reached by keyboard. */}
    <pre className="overflow-x-auto p-3 pr-12 font-mono text-xs leading-relaxed" tabIndex={0} aria-label={what}>
      <code>{shown}</code>
    </pre>
    <div className="absolute right-0 top-0 rounded-md bg-sunken p-1">
      <CopyButton text={code} label={`Copy ${what}`} />
    </div>
  </div>
)
