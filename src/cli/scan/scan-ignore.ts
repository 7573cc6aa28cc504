/** `.gitignore` files, read the way git reads them: the nearest file wins, its last matching line wins, `!` takes back. */

export interface IgnoreRule {
  readonly pattern: RegExp
  readonly isNegated: boolean
  readonly isFolderOnly: boolean
}

/** The rules of one ignore file; paths are matched relative to the folder that it lies in. */
export function parseIgnoreFile(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((raw): IgnoreRule[] => {
    const line = raw.replace(/(?<!\\) +$/, '')
    if (line === '' || line.startsWith('#')) return []
    const isNegated = line.startsWith('!')
    const body = isNegated ? line.slice(1) : line
    const isFolderOnly = body.endsWith('/')
    const glob = isFolderOnly ? body.slice(0, -1) : body
    if (glob === '') return []
    // A slash at the start or inside ties the pattern to the folder of the file.
    const isAnchored = glob.includes('/')
    return [{ pattern: globPattern(glob.replace(/^\//, ''), isAnchored), isNegated, isFolderOnly }]
  })
}

/** Whether the last rule that matches ignores the path; undefined when none matches. */
export function verdict(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean | undefined {
  const rule = rules.findLast(({ pattern, isFolderOnly }) => (isFolder || !isFolderOnly) && pattern.test(path))
  return rule === undefined ? undefined : !rule.isNegated
}

/** A glob of the configuration's `include` and `exclude`: of the whole path, or of everything below it. */
export const pathPattern = (glob: string): RegExp => {
  const bare = glob.replace(/^\.?\//, '').replace(/\/(\*\*)?$/, '')
  return new RegExp(`${globPattern(bare, bare.includes('/')).source.slice(0, -1)}(?:/|$)`)
}

function globPattern(glob: string, isAnchored: boolean): RegExp {
  const prefix = isAnchored ? '^' : '^(?:.*/)?'
  const body = glob.replaceAll(
    /\\(.)|\/\*\*\/|^\*\*\/|\/\*\*$|\*+|\?|\[(!?)((?:\\.|[^\]\\])+)\]|[^*?[\\/]+|[/[\\]/g,
    (part, escaped, negated, set) => {
      if (escaped !== undefined) return escapeText(String(escaped))
      if (part === '/**/') return '/(?:.*/)?'
      if (part === '**/') return '(?:.*/)?'
      if (part === '/**') return '/.*'
      if (part.startsWith('*')) return '[^/]*'
      if (part === '?') return '[^/]'
      if (set !== undefined) return `[${negated === '!' ? '^' : ''}${String(set).replaceAll(/[\\\]^[]/g, String.raw`\$&`)}]`
      return escapeText(part)
    },
  )
  try {
    return new RegExp(`${prefix}${body}$`)
  } catch {
    // Such as a range that runs backwards; git's own matcher matches nothing then.
    return /^(?!)$/
  }
}

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
