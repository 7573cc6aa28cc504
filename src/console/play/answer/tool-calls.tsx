/** Functions that an answer calls, and what they gave back: whoever tries a model plays the functions. */
import { useState } from 'react'
import type { ToolCall, ToolResult } from '../chat/conversation.js'
import { Button } from '../../ui/forms/button.js'
import { TextAreaField } from '../../ui/forms/field.js'

const BLOCK =
  'mt-2 overflow-x-auto whitespace-pre-wrap wrap-anywhere rounded-md border border-line bg-sunken p-3 font-mono text-xs'

interface ToolCallsProps {
  readonly calls: readonly ToolCall[]
  /** Left out where nothing more can be said to them. */
  readonly onResults?: ((results: readonly ToolResult[]) => void) | undefined
}

export const ToolCalls = ({ calls, onResults }: ToolCallsProps) => (
  <>
    {calls.map((call) => (
      <pre key={call.id} className={BLOCK}>
        {call.name}({call.arguments})
      </pre>
    ))}
    {onResults && <ResultsForm calls={calls} onResults={onResults} />}
  </>
)

function ResultsForm({ calls, onResults }: Required<ToolCallsProps>) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  return (
    <form
      className="mt-3 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onResults?.(calls.map(({ id, name }) => ({ id, name, content: typed[id] ?? '' })))
      }}
    >
      {calls.map(({ id, name }, at) => (
        <TextAreaField
          key={id}
          label={`What ${name} gives back${calls.length > 1 ? ` (call ${at + 1})` : ''}`}
          value={typed[id] ?? ''}
          onChange={(text) => setTyped({ ...typed, [id]: text })}
          placeholder='Any text, such as {"celsius": 21}'
          rows={2}
          isMonospaced
        />
      ))}
      <Button type="submit" className="justify-self-end">
        Send {calls.length === 1 ? 'the result' : 'the results'}
      </Button>
    </form>
  )
}

export const ToolResults = ({ results }: { readonly results: readonly ToolResult[] }) =>
  results.map(({ id, name, content }) => (
    <div key={id} className="font-mono text-xs">
      <span className="text-muted">{name} →</span> {content}
    </div>
  ))
