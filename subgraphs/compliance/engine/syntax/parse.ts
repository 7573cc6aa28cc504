/** Source text -> flat tree, within a time limit. */
import { Parser } from 'web-tree-sitter'
import { type FlatTree, flattenTree } from './flat-tree.js'
import { type GrammarName, loadGrammar } from './grammars.js'
import { type TimeLimit, TimeLimitError } from './time-limit.js'

/**
 * Parses `text`.
 *
 * `startLimit` is called when the grammar is loaded, so that loading counts for no file. Throws TimeLimitError when the limit is
 * over: some grammars need tens of seconds for a megabyte of noise. Answers the limit too, for what comes after.
 */
export async function parseText(
  text: string,
  grammarName: GrammarName,
  startLimit: () => TimeLimit,
): Promise<{ tree: FlatTree; limit: TimeLimit }> {
  const grammar = await loadGrammar(grammarName)
  const parser = new Parser()
  const limit = startLimit()
  try {
    parser.setLanguage(grammar)
    const tree = parser.parse(text, null, { progressCallback: () => limit.isOver() })
    if (tree === null) throw new TimeLimitError('The parser reached its limit.')
    try {
      return { tree: flattenTree(tree, grammar, limit), limit }
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}
