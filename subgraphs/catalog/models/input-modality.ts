/** What the messages of a request may hold, in the words of the configuration. */
export const InputModality = { TEXT: 'text', IMAGE: 'image' } as const
export type InputModality = (typeof InputModality)[keyof typeof InputModality]
