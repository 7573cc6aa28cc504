/** Which paths patterns leave out, as git reads its ignore files: the last line that matches wins, `!` takes back. */
import ignore, { type Ignore } from 'ignore'

/** The rules of one ignore file; paths are relative to the folder that it lies in. Letter case counts, as it does for git on Linux. */
export const parseIgnoreFile = (text: string): Ignore => ignore({ ignoreCase: false }).add(text)

/** Whether the last rule that matches ignores the path; undefined when none matches. */
export function verdict(rules: Ignore, path: string, isFolder: boolean): boolean | undefined {
  const { ignored, unignored } = rules.test(isFolder ? `${path}/` : path)
  return ignored || unignored ? ignored : undefined
}

/** The configuration's `include` or `exclude`: patterns of the whole path, which may lead out of the working directory. */
export function pathMatcher(globs: readonly string[]): (name: string) => boolean {
  const rules = ignore({ ignoreCase: false, allowRelativePaths: true }).add(globs.map((glob) => glob.replace(/^\.\//, '')))
  return (name) => rules.ignores(name)
}
