/** Numbers are harmless in text, but not as sizes and indexes. */
export const numericKinds: ReadonlySet<string> = new Set([
  'integer',
  'index',
  'slice',
  'size',
  'resource',
  'loop',
  'divide',
  'narrowing',
  'rows',
  'amount',
  'signed-amount',
  'unguessable',
])
