/** Values by another way: parentheses, a temporary variable, a function that returns its argument. */
import type { Language } from '../../languages.js'
import {
  childOf,
  childrenOf,
  type Edit,
  nodesOf,
  parentsOf,
  type Program,
  replaceAll,
  type Replacement,
  textOf,
  typeOf,
} from './edit.js'

/** How a language declares a variable: the node, its fields, and the words before the name. */
interface Declaring {
  readonly node: string
  readonly name: string
  readonly value: string
  /** Words of a declaration of the temporary variable. */
  readonly words: string
  readonly join: string
}

const declaring: Partial<Record<Language, Declaring>> = {
  javascript: { node: 'variable_declarator', name: 'name', value: 'value', words: 'const ', join: '; ' },
  typescript: { node: 'variable_declarator', name: 'name', value: 'value', words: 'const ', join: '; ' },
  python: { node: 'assignment', name: 'left', value: 'right', words: '', join: '\n' },
  ruby: { node: 'assignment', name: 'left', value: 'right', words: '', join: '\n' },
  php: { node: 'assignment_expression', name: 'left', value: 'right', words: '', join: '; ' },
  java: { node: 'variable_declarator', name: 'name', value: 'value', words: 'var ', join: '; ' },
  rust: { node: 'let_declaration', name: 'pattern', value: 'value', words: 'let ', join: '; ' },
}

interface Place {
  readonly statement: number
  readonly value: number
}

/** Declarations of one plain name that stand as statements of their own. */
function placesOf(program: Program, how: Declaring): Place[] {
  const { tree } = program
  if (tree === null) return []
  const parents = parentsOf(tree)
  return nodesOf(tree, new Set([how.node])).flatMap((node): Place[] => {
    const [name, value] = [childOf(tree, node, how.name), childOf(tree, node, how.value)]
    if (name === undefined || value === undefined || !/^\$?\w+$/.test(textOf(program, tree, name))) return []
    if (/function|lambda|closure|class|list|object|array|^new|match|if_/.test(typeOf(tree, value))) return []
    const outer = parents[node] ?? -1
    const isOwn = how.node === 'let_declaration'
    const statement = isOwn || typeOf(tree, outer) === 'program' || /body|block/.test(typeOf(tree, outer)) ? node : outer
    const home = typeOf(tree, parents[statement] ?? -1)
    if (
      !/block|body|program|module|source/.test(home) ||
      (statement !== node && childrenOf(tree, statement).filter((child) => typeOf(tree, child) === how.node).length !== 1)
    )
      return []
    return [{ statement, value }]
  })
}

export const temporaries: Edit = {
  name: 'a temporary variable',
  languages: Object.keys(declaring) as Language[],
  apply(program) {
    const { tree, text, language } = program
    const how = declaring[language]
    if (tree === null || how === undefined) return null
    const sigil = language === 'php' ? '$' : ''
    return replaceAll(
      text,
      placesOf(program, how).flatMap(({ statement, value }, at): Replacement[] => {
        const start = tree.start[statement] ?? 0
        const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
        const name = `${sigil}held_${at}`
        const before = how.join === '\n' ? (/^\s*$/.test(indent) ? `\n${indent}` : '; ') : how.join
        return [
          { start, end: start, text: `${how.words}${name} = ${textOf(program, tree, value)}${before}` },
          { start: tree.start[value] ?? 0, end: tree.end[value] ?? 0, text: name },
        ]
      }),
    )
  },
}

export const parentheses: Edit = {
  name: 'parentheses around values',
  languages: Object.keys(declaring) as Language[],
  apply(program) {
    const { tree, text, language } = program
    const how = declaring[language]
    if (tree === null || how === undefined) return null
    return replaceAll(
      text,
      placesOf(program, how).map(({ value }) => ({
        start: tree.start[value] ?? 0,
        end: tree.end[value] ?? 0,
        text: `(${textOf(program, tree, value)})`,
      })),
    )
  },
}

const identity: Partial<Record<Language, string>> = {
  javascript: '\nfunction sameValue(value) { return value }\n',
  typescript: '\nfunction sameValue<T>(value: T): T { return value }\n',
  python: '\ndef sameValue(value):\n    return value\n',
  ruby: '\ndef sameValue(value)\n  return value\nend\n',
  php: '\nfunction sameValue($value) { return $value; }\n',
  rust: '\nfn sameValue<T>(value: T) -> T { value }\n',
}

export const helperFunction: Edit = {
  name: 'a helper function that returns its argument',
  languages: Object.keys(identity) as Language[],
  apply(program) {
    const { tree, text, language } = program
    const [how, helper] = [declaring[language], identity[language]]
    if (tree === null || how === undefined || helper === undefined || /\?>\s*$/.test(text)) return null
    const made = replaceAll(
      text,
      placesOf(program, how).map(({ value }) => ({
        start: tree.start[value] ?? 0,
        end: tree.end[value] ?? 0,
        text: `sameValue(${textOf(program, tree, value)})`,
      })),
    )
    return made === null ? null : made + helper
  },
}
