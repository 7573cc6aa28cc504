import type { Lambda } from '../syntax/ir.js'

/** The names by which a method means its object. */
export const selfNames = (lambda: Pick<Lambda, 'receiver'>): string[] => [
  'this',
  ...(lambda.receiver === undefined ? [] : [lambda.receiver.name]),
]
