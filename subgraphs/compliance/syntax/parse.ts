/** Source text -> flat tree, cancelled at a deadline. */
import { Parser } from 'web-tree-sitter'
import { type FlatTree, flattenTree } from './flat-tree.js'
import { type GrammarName, loadGrammar } from './grammars.js'

/** Parsing took longer than allowed. */
export class ParseDeadlineError extends Error {
  override readonly name = 'ParseDeadlineError'
}

/**
 * Parses `text`. `deadlineMs` is an absolute time of `performance.now()`.
 *
 * Throws ParseDeadlineError when the deadline passes: some grammars need tens of seconds for a megabyte of noise.
 */
export async function parseText(text: string, grammarName: GrammarName, deadlineMs: number): Promise<FlatTree> {
  const grammar = await loadGrammar(grammarName)
  const parser = new Parser()
  try {
    parser.setLanguage(grammar)
    const progressCallback = (): boolean => performance.now() > deadlineMs
    const tree = parser.parse(text, null, { progressCallback })
    if (tree === null) throw new ParseDeadlineError('The parser reached its deadline.')
    try {
      return flattenTree(tree, grammar)
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}
