/** Comments and line breaks: what no rule may depend on. */
import { type Edit, nodesOf, type Program, replaceAll, typeOf } from './edit.js'

const dashed = new Set(['sql'])
const hashed = new Set(['python', 'ruby', 'bash'])
const lineComment = ({ language }: Program): string =>
  dashed.has(language) ? ' -- none' : hashed.has(language) ? ' # none' : ' // none'

const literal = /string|heredoc|comment|template|preproc|char|regex|text|quote|raw|jsx/

/** Places that stand inside of a literal, a comment or a directive. */
function coveredOf({ text, tree }: Program): Uint8Array {
  const covered = new Uint8Array(text.length + 1)
  if (tree === null) return covered
  for (let node = 0; node < tree.length; node++) {
    const type = typeOf(tree, node)
    if (!literal.test(type) && type !== 'ERROR') continue
    covered.fill(1, tree.start[node] ?? 0, (tree.end[node] ?? 0) + (/preproc|comment/.test(type) ? 1 : 0))
  }
  return covered
}

export const lineComments: Edit = {
  name: 'comment at the end of each line',
  apply(program) {
    const { text } = program
    if (program.language === 'sql' && text.includes("'")) return null
    const covered = coveredOf(program)
    const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index)
    const places = ends.filter(
      (at) =>
        covered[at] !== 1 &&
        covered[Math.max(0, at - 1)] !== 1 &&
        !/\\\s*$|<<|^\s*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at)),
    )
    return replaceAll(
      text,
      places.map((start) => ({ start, end: start, text: lineComment(program) })),
    )
  },
}

const withSemicolons = ['c', 'cpp', 'java', 'javascript', 'typescript', 'csharp', 'php', 'rust', 'go'] as const

export const blockComments: Edit = {
  name: 'comment before each semicolon',
  languages: withSemicolons,
  apply: (program) => atSemicolons(program, ' /* none */;'),
}

export const lineBreaks: Edit = {
  name: 'line break after each semicolon',
  languages: ['c', 'cpp', 'java', 'csharp', 'javascript', 'typescript'],
  apply: (program) => atSemicolons(program, ';\n'),
}

function atSemicolons(program: Program, replacement: string): string | null {
  const covered = coveredOf(program)
  const places = [...program.text.matchAll(/;/g)].map(({ index }) => index).filter((at) => covered[at] !== 1)
  return replaceAll(
    program.text,
    places.map((start) => ({ start, end: start + 1, text: replacement })),
  )
}

const branches = new Set([
  'if_statement',
  'else_clause',
  'while_statement',
  'for_statement',
  'do_statement',
  'for_range_loop',
  'enhanced_for_statement',
  'foreach_statement',
  'for_in_statement',
])

/** `if (x) y();` gets braces. */
export const braces: Edit = {
  name: 'braces around single statements',
  languages: ['c', 'cpp', 'java', 'javascript', 'typescript', 'csharp', 'php'],
  apply(program) {
    const { tree, text } = program
    if (tree === null) return null
    const bodies = nodesOf(tree, branches).flatMap((node) => {
      const end = tree.next[node] ?? 0
      const found: number[] = []
      for (let child = node + 1; child < end; child = tree.next[child] ?? end) {
        const type = typeOf(tree, child)
        if (
          /^(?:expression|return|break|continue|throw|echo|goto|delete|if|while|for)_statement$/.test(type) &&
          text[(tree.end[child] ?? 0) - 1] === ';'
        )
          found.push(child)
      }
      return found
    })
    return replaceAll(
      text,
      bodies.map((node) => ({
        start: tree.start[node] ?? 0,
        end: tree.end[node] ?? 0,
        text: `{ ${text.slice(tree.start[node] ?? 0, tree.end[node] ?? 0)} }`,
      })),
    )
  },
}
