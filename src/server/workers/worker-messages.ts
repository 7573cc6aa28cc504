/** What the workers of one program and its first process say to each other. */

export type FromWorker =
  | { readonly kind: 'serves'; readonly welcome: string }
  /** Asks for the metrics of all. */
  | { readonly kind: 'metrics'; readonly id: number }

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload' }
  /** Null where they could not be had. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | null }

/** The libraries' own messages come the same way. */
const hasKind = (message: unknown, kinds: readonly string[]): boolean =>
  typeof message === 'object' && message !== null && 'kind' in message && kinds.includes(String(message.kind))

export const isFromWorker = (message: unknown): message is FromWorker => hasKind(message, ['serves', 'metrics'])
export const isToWorker = (message: unknown): message is ToWorker => hasKind(message, ['stop', 'reload', 'metrics'])
