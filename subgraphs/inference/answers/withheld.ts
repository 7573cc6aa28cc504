/** A whole answer without the code that its caller's key does not let through. */
import type { ReadCompletion } from '../chat/completion.js'
import type { JsonObject } from '../tokens/usage.js'
import type { AnswerScan } from './answer-scan.js'

const NOTICE = '[This code was withheld: it breaks rules that this API key demands. See sluice.scan.]'

/** Changes the choices in place: blocks become a notice, and calls with such code are not made. */
export function withhold({ choices }: ReadCompletion, { refused }: Pick<AnswerScan, 'refused'>): void {
  for (const { choice, message } of choices) {
    const blocks = refused.filter((block) => block.choice === choice['index'])
    if (blocks.length === 0) continue
    choice['finish_reason'] = 'content_filter'
    const inText = blocks.filter(({ toolCall }) => toolCall === null)
    if (typeof message['content'] === 'string') message['content'] = withoutBlocks(message['content'], inText)
    if (inText.length < blocks.length) withoutCalls(message)
  }
}

function withoutBlocks(text: string, blocks: AnswerScan['refused']): string {
  const lines = text.split('\n')
  for (const { line, code } of blocks.toSorted((a, b) => b.line - a.line)) {
    lines.splice(line - 1, code.split('\n').length - 1, NOTICE)
  }
  return lines.join('\n')
}

/** None of them: what a later call does may need what an earlier one did. */
function withoutCalls(message: JsonObject): void {
  delete message['tool_calls']
  const { content } = message
  message['content'] = typeof content === 'string' && content !== '' ? `${content}\n\n${NOTICE}` : NOTICE
}
