/** The same request in four languages, to be pasted into a program. */
import { print } from 'graphql'
import { PlayChatDocument, type ChatCompletionInput, type ChatMessageInput } from '../../../generated/console.js'

export const LANGUAGES = ['curl', 'Python', 'JavaScript', 'GraphQL'] as const
export type CodeLanguage = (typeof LANGUAGES)[number]

export function codeSample(language: CodeLanguage, origin: string, asked: ChatCompletionInput): string {
  const input = { ...asked, messages: asked.messages.map(withShortImages) }
  const body = openAiBody(input)
  switch (language) {
    case 'curl':
      return curl(origin, body)
    case 'Python':
      return python(origin, body)
    case 'JavaScript':
      return javaScript(origin, body)
    case 'GraphQL':
      return graphQl(origin, input)
  }
}

/** Nobody reads the hundred thousand letters of an image. */
const withShortImages = ({ parts, ...message }: ChatMessageInput): ChatMessageInput => ({
  ...message,
  ...(parts && { parts: parts.map((part) => (part.image ? { image: { url: `${part.image.url.slice(0, 40)}…` } } : part)) }),
})

type Body = Readonly<Record<string, unknown>>

/** In the shape of the OpenAI API. */
function openAiBody({
  model,
  messages,
  maxTokens,
  topP,
  temperature,
  seed,
  stop,
  tools,
  responseFormat,
}: ChatCompletionInput): Body {
  const fields = {
    model,
    messages: messages.map(openAiMessage),
    max_tokens: maxTokens,
    temperature,
    top_p: topP,
    seed,
    stop,
    tools: tools?.map((tool) => ({ type: 'function', function: tool.function })),
    response_format: responseFormat?.jsonSchema && { type: 'json_schema', json_schema: responseFormat.jsonSchema },
    stream: true,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null))
}

const openAiMessage = ({ role, content, parts, toolCalls, toolCallId }: ChatMessageInput): object => ({
  role: role.toLowerCase(),
  content: parts?.map(({ text, image }) => (image ? { type: 'image_url', image_url: image } : { type: 'text', text })) ?? content,
  ...(toolCallId != null && { tool_call_id: toolCallId }),
  ...(toolCalls && { tool_calls: toolCalls.map(({ id, function: call }) => ({ id, type: 'function', function: call })) }),
})

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const indented = (text: string): string => text.replaceAll('\n', '\n  ')
/** Within single quotes of a shell. */
const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`)

const curl = (origin: string, body: Body): string => `curl -N ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $SLUICE_API_KEY" -H "Content-Type: application/json" \\
  -d '${quoted(json(body))}'`

/** JSON as a Python literal. */
function pythonValue(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const parts = Array.isArray(value)
    ? value.map((item) => inner + pythonValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${pythonValue(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')},\n${indent}${close}`
}

const python = (origin: string, body: Body): string => `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["SLUICE_API_KEY"])
stream = client.chat.completions.create(
${Object.entries(body)
  .map(([name, value]) => `    ${name}=${pythonValue(value, '    ')},`)
  .join('\n')}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`

const javaScript = (origin: string, body: Body): string => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.SLUICE_API_KEY })
const stream = await client.chat.completions.create(${json(body)})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`

const graphQl = (origin: string, input: ChatCompletionInput): string => `import { createClient } from 'graphql-sse'

const client = createClient({
  url: '${origin}/graphql',
  headers: { authorization: \`Bearer \${process.env.SLUICE_API_KEY}\` },
})
const query = /* GraphQL */ \`
  ${indented(print(PlayChatDocument))}
\`
const variables = ${json({ input })}
for await (const { data } of client.iterate({ query, variables })) {
  process.stdout.write(data.chatCompletion.choices?.[0]?.delta.content ?? '')
}`
