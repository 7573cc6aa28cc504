/** How a request is asked, as it stands in the fields, and the request of the API that comes of it. */
import type { ChatCompletionInput, ChatMessageInput } from '../../../generated/console.js'
import type { Message } from '../chat/conversation.js'

/** Texts, as they were typed. */
export interface Settings {
  readonly system: string
  readonly temperature: string
  readonly topP: string
  readonly maxTokens: string
  readonly seed: string
  /** One a line. */
  readonly stop: string
  /** A JSON array in the shape of the OpenAI API. */
  readonly tools: string
  /** A JSON Schema that the answer must fit. */
  readonly schema: string
}

export const NO_SETTINGS: Settings = {
  system: '',
  temperature: '',
  topP: '',
  maxTokens: '',
  seed: '',
  stop: '',
  tools: '',
  schema: '',
}

export type SettingFaults = Partial<Record<keyof Settings, string>>

type Reading = { readonly input: Omit<ChatCompletionInput, 'model' | 'messages'>; readonly faults: SettingFaults }

/** What the fields mean, and what is wrong with them. */
export function readSettings(settings: Settings): Reading {
  const faults: SettingFaults = {}
  const input: Reading['input'] = {}
  const number = (name: 'temperature' | 'topP' | 'maxTokens' | 'seed', fits: (value: number) => boolean, words: string) => {
    const text = settings[name].trim()
    if (text === '') return
    const value = Number(text)
    if (Number.isNaN(value) || !fits(value)) faults[name] = words
    else input[name] = value
  }
  number('temperature', (value) => value >= 0 && value <= 2, 'A number from 0 to 2.')
  number('topP', (value) => value >= 0 && value <= 1, 'A number from 0 to 1.')
  number('maxTokens', (value) => Number.isInteger(value) && value > 0, 'A whole number, at least 1.')
  number('seed', Number.isInteger, 'A whole number.')
  const stop = settings.stop.split('\n').filter((line) => line !== '')
  if (stop.length > 0) input.stop = stop
  readTools(settings.tools, input, faults)
  readSchema(settings.schema, input, faults)
  return { input, faults }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const TOOLS_WORDS = 'A JSON array such as [{"type": "function", "function": {"name": "weather", "parameters": {…}}}].'

function readTools(text: string, input: Reading['input'], faults: SettingFaults): void {
  if (text.trim() === '') return
  const value = parsed(text)
  const functions = Array.isArray(value) ? value.map((tool: unknown) => (isObject(tool) ? tool['function'] : null)) : []
  if (functions.length === 0 || !functions.every((one) => isObject(one) && typeof one['name'] === 'string')) {
    faults.tools = TOOLS_WORDS
    return
  }
  input.tools = functions.filter(isObject).map(({ name, description, parameters, strict }) => ({
    function: {
      name: String(name),
      ...(typeof description === 'string' && { description }),
      ...(isObject(parameters) && { parameters }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  }))
}

function readSchema(text: string, input: Reading['input'], faults: SettingFaults): void {
  if (text.trim() === '') return
  const schema = parsed(text)
  if (!isObject(schema)) faults.schema = 'A JSON Schema: a JSON object.'
  else input.responseFormat = { type: 'JSON_SCHEMA', jsonSchema: { name: 'answer', schema, strict: true } }
}

/** The whole request. */
export function chatInput(model: string, settings: Settings, path: readonly Message[]): ChatCompletionInput {
  const system: ChatMessageInput[] = settings.system.trim() === '' ? [] : [{ role: 'SYSTEM', content: settings.system }]
  const messages = path.filter(
    ({ content, images, results, answer }) => content !== '' || (images ?? results ?? answer?.toolCalls)?.length,
  )
  return { model, messages: [...system, ...messages.flatMap(messageInputs)], ...readSettings(settings).input }
}

const messageInputs = ({ results, ...message }: Message): ChatMessageInput[] =>
  results?.map(({ id, content }) => ({ role: 'TOOL', toolCallId: id, content })) ?? [messageInput(message)]

const messageInput = ({ role, content, images, answer }: Message): ChatMessageInput => ({
  role,
  ...(images
    ? { parts: [...(content === '' ? [] : [{ text: content }]), ...images.map((url) => ({ image: { url } }))] }
    : { content }),
  ...(answer &&
    answer.toolCalls.length > 0 && { toolCalls: answer.toolCalls.map(({ id, ...call }) => ({ id, function: call })) }),
})
