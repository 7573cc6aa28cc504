/** Edits of C and C++: casts, temporaries, split statements, helpers around the allocator, other spellings of NULL. */
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

const languages = ['c', 'cpp'] as const

interface Declared {
  readonly node: number
  /** `const char *`: all before the name. */
  readonly type: string
  readonly name: string
  readonly value: number
}

/** `T *p = value;` and `int n = value;` as statements of a block. */
function declaredIn(program: Program): Declared[] {
  const { tree, text } = program
  if (tree === null) return []
  const parents = parentsOf(tree)
  return nodesOf(tree, new Set(['declaration'])).flatMap((node): Declared[] => {
    if (typeOf(tree, parents[node] ?? -1) !== 'compound_statement') return []
    const items = childrenOf(tree, node).filter((child) => typeOf(tree, child) === 'init_declarator')
    const [item] = items
    if (
      items.length !== 1 ||
      item === undefined ||
      childrenOf(tree, node).some((child) => /_declarator$|^identifier$/.test(typeOf(tree, child)) && child !== item)
    )
      return []
    const value = childOf(tree, item, 'value')
    if (value === undefined || /list|lambda/.test(typeOf(tree, value))) return []
    const head = /^((?:const\s+)?(?:unsigned\s+|struct\s+)?[\w:]+[\s*]+?)(\w+)\s*=\s*$/.exec(
      text.slice(tree.start[node] ?? 0, tree.start[value] ?? 0),
    )
    const [, type = '', name = ''] = head ?? []
    if (head === null || /\b(?:static|auto|extern|register)\b/.test(type)) return []
    const isPlain =
      type.includes('*') || /^(?:const\s+)?(?:unsigned\s+)?(?:int|long|short|char|size_t|u?int\d+_t|std::size_t)\s*$/.test(type)
    return isPlain ? [{ node, type: type.trim(), name, value }] : []
  })
}

const declaredEdit = (name: string, of: (declared: Declared, value: string) => string | null): Edit => ({
  name,
  languages,
  apply(program) {
    const { tree, text } = program
    if (tree === null) return null
    const replacements = declaredIn(program).flatMap((declared): Replacement[] => {
      const made = of(declared, textOf(program, tree, declared.value))
      return made === null ? [] : [{ start: tree.start[declared.node] ?? 0, end: tree.end[declared.node] ?? 0, text: made }]
    })
    return replaceAll(text, replacements)
  },
})

export const casts = declaredEdit(
  'a cast to the declared type',
  ({ type, name }, value) => `${type} ${name} = (${type})(${value});`,
)
export const cTemporaries = declaredEdit(
  'a temporary variable',
  ({ type, name }, value) => `${type} ${name}_held = ${value}; ${type} ${name} = ${name}_held;`,
)
export const splitDeclarations = declaredEdit('declaration and value apart', ({ type, name }, value) =>
  /^const\b(?!.*\*)|\*\s*const$/.test(type) ? null : `${type} ${name}; ${name} = ${value};`,
)

/** `a[i++] = c;` as two statements. */
export const splitSteps: Edit = {
  name: 'a step as a statement of its own',
  languages,
  apply(program) {
    const { text, tree } = program
    if (tree === null) return null
    const statements = nodesOf(tree, new Set(['expression_statement']))
    return replaceAll(
      text,
      statements.flatMap((node): Replacement[] => {
        const written = textOf(program, tree, node)
        const steps = [...written.matchAll(/(?<![\w.>])([A-Za-z_]\w*)\s*\+\+/g)]
        const [step] = steps
        const name = step?.[1] ?? ''
        if (
          steps.length !== 1 ||
          step === undefined ||
          !/^[^"']*=/.test(written) ||
          (written.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length !== 1
        )
          return []
        const rest = written.slice(0, step.index) + name + written.slice(step.index + step[0].length)
        return [{ start: tree.start[node] ?? 0, end: tree.end[node] ?? 0, text: `{ ${rest} ${name}++; }` }]
      }),
    )
  },
}

const words = (name: string, pattern: RegExp, by: string, only: readonly ('c' | 'cpp')[] = languages): Edit => ({
  name,
  languages: only,
  apply(program) {
    const { tree, text } = program
    if (tree === null) return null
    const places = nodesOf(tree, new Set(['null', 'nullptr', 'identifier'])).filter((node) =>
      pattern.test(textOf(program, tree, node)),
    )
    const free = places.filter((node) => !/preproc/.test(typeOf(tree, node)))
    return replaceAll(
      text,
      free.map((node) => ({ start: tree.start[node] ?? 0, end: tree.end[node] ?? 0, text: by })),
    )
  },
})

export const zeroForNull = words('0 for NULL', /^(?:NULL|nullptr)$/, '0', ['c'])
export const castForNull = words('(void *)0 for NULL', /^NULL$/, '((void *)0)', ['c'])
export const nullptrForNull = words('nullptr for NULL', /^NULL$/, 'nullptr', ['cpp'])
export const nullForNullptr = words('NULL for nullptr', /^nullptr$/, 'NULL', ['cpp'])

/** `!p` as `p == 0`. */
export const comparedToZero: Edit = {
  name: 'a comparison for !',
  languages: ['c'],
  apply(program) {
    const { tree, text } = program
    if (tree === null) return null
    const places = nodesOf(tree, new Set(['unary_expression'])).filter((node) => /^!\s*\w+$/.test(textOf(program, tree, node)))
    return replaceAll(
      text,
      places.map((node) => ({
        start: tree.start[node] ?? 0,
        end: tree.end[node] ?? 0,
        text: `(${textOf(program, tree, node).slice(1).trim()} == 0)`,
      })),
    )
  },
}

const mirrored: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '==': '==', '!=': '!=' }

/** `a < b` as `b > a`. */
export const swappedComparisons: Edit = {
  name: 'comparisons the other way round',
  languages,
  apply(program) {
    const { tree, text } = program
    if (tree === null) return null
    return replaceAll(
      text,
      nodesOf(tree, new Set(['binary_expression'])).flatMap((node): Replacement[] => {
        const [left, right] = [childOf(tree, node, 'left'), childOf(tree, node, 'right')]
        if (left === undefined || right === undefined) return []
        const operator = text.slice(tree.end[left] ?? 0, tree.start[right] ?? 0).trim()
        const [a, b] = [textOf(program, tree, left), textOf(program, tree, right)]
        if (mirrored[operator] === undefined || /[=&|?]|\+\+|--|[<>](?!\w)/.test((a + b).replaceAll('->', '.'))) return []
        return [{ start: tree.start[node] ?? 0, end: tree.end[node] ?? 0, text: `${b} ${mirrored[operator]} ${a}` }]
      }),
    )
  },
}

const helpers = [
  { call: /\bfree\s*\(/g, by: 'give_back(', text: 'static void give_back(void *memory) { free(memory); }\n', from: 'free' },
  {
    call: /\bmalloc\s*\(/g,
    by: 'take_memory(',
    text: 'static void *take_memory(unsigned long bytes) { return malloc(bytes); }\n',
    from: 'malloc',
  },
]

/** `free` and `malloc` behind functions of the file. */
export const wrappedAllocator: Edit = {
  name: 'helper functions around the allocator',
  languages,
  apply({ text }) {
    let made = text
    for (const { call, by, text: helper, from } of helpers) {
      if (
        new RegExp(`\\bdefine\\b[^\\n]*\\b${from}\\b|["'][^"'\\n]*\\b${from}\\s*\\(`).test(made) ||
        !new RegExp(call.source).test(made)
      )
        continue
      const includes = /^(?:\s*#[^\n]*\n)*/.exec(made)?.[0] ?? ''
      made = includes + helper + made.slice(includes.length).replaceAll(call, by)
    }
    return made === text ? null : made
  },
}

/** Words of a message that sound like a check. */
export const talkativeLog: Edit = {
  name: 'a message about overflow and SIZE_MAX',
  languages,
  apply(program) {
    const { tree, text } = program
    if (tree === null) return null
    const bodies = nodesOf(tree, new Set(['function_definition'])).flatMap((node) => childOf(tree, node, 'body') ?? [])
    const places = bodies.filter((body) => typeOf(tree, body) === 'compound_statement')
    return replaceAll(
      text,
      places.map((body) => ({
        start: (tree.start[body] ?? 0) + 1,
        end: (tree.start[body] ?? 0) + 1,
        text: ' puts("overflow check, SIZE_MAX, NULL cleanup");',
      })),
    )
  },
}
