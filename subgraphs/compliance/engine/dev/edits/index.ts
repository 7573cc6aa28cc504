/** All edits. Each keeps the meaning of a program, so each must keep its findings. */
import * as c from './c-family.js'
import type { Edit } from './edit.js'
import { blockComments, braces, lineBreaks, lineComments } from './layout.js'
import { renaming } from './names.js'
import { helperFunction, parentheses, temporaries } from './values.js'

export const edits: readonly Edit[] = [
  lineComments,
  blockComments,
  lineBreaks,
  braces,
  renaming,
  temporaries,
  parentheses,
  helperFunction,
  c.casts,
  c.cTemporaries,
  c.splitDeclarations,
  c.splitSteps,
  c.zeroForNull,
  c.castForNull,
  c.nullptrForNull,
  c.nullForNullptr,
  c.comparedToZero,
  c.swappedComparisons,
  c.wrappedAllocator,
  c.talkativeLog,
]
