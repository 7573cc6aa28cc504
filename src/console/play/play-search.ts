/** What of the playground is in its address. */

export interface PlaySearch {
  /** A model id or a tier; the first that answers when left out. */
  readonly model?: string
  /** Answers the same prompts beside it. */
  readonly beside?: string
  /** The conversation, of those that this browser keeps. */
  readonly chat?: string
}

export function readPlaySearch(search: Record<string, unknown>): PlaySearch {
  const text = (name: keyof PlaySearch) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? { [name]: value } : {}
  }
  return { ...text('model'), ...text('beside'), ...text('chat') }
}
