/**
 * The sixteen languages: names, aliases, file extensions and interpreters.
 *
 * One table, because the contract's error message, the request schemas, the CLI and the analyzers must never disagree.
 */

export const languages = [
  'javascript',
  'typescript',
  'python',
  'java',
  'go',
  'csharp',
  'php',
  'ruby',
  'swift',
  'kotlin',
  'rust',
  'c',
  'cpp',
  'scala',
  'bash',
  'sql',
] as const

export type Language = (typeof languages)[number]

/** The first extension is the one of the default file name `main.{ext}`. */
export const extensions: Readonly<Record<Language, readonly string[]>> = {
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  python: ['py', 'pyw', 'pyi'],
  java: ['java'],
  go: ['go'],
  csharp: ['cs', 'csx'],
  php: ['php', 'phtml', 'php5', 'inc'],
  ruby: ['rb', 'rake', 'gemspec', 'ru', 'erb'],
  swift: ['swift'],
  kotlin: ['kt', 'kts'],
  rust: ['rs'],
  c: ['c', 'h'],
  cpp: ['cpp', 'cc', 'cxx', 'c++', 'hpp', 'hh', 'hxx'],
  scala: ['scala', 'sc'],
  bash: ['sh', 'bash', 'zsh', 'ksh'],
  sql: ['sql', 'ddl', 'dml', 'pls', 'pgsql'],
}

const aliases: Record<string, Language> = {
  js: 'javascript',
  jsx: 'javascript',
  node: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  python3: 'python',
  golang: 'go',
  'c#': 'csharp',
  cs: 'csharp',
  'c++': 'cpp',
  cxx: 'cpp',
  kt: 'kotlin',
  rs: 'rust',
  rb: 'ruby',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  plsql: 'sql',
  tsql: 'sql',
}

const interpreters: Record<string, Language> = {
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  ksh: 'bash',
  dash: 'bash',
  node: 'javascript',
  python: 'python',
  ruby: 'ruby',
  php: 'php',
}

const byName = new Map<string, Language>([...languages.map((name) => [name, name] as const), ...Object.entries(aliases)])
const byExtension = new Map<string, Language>(
  languages.flatMap((name) => extensions[name].map((extension) => [extension, name] as const)),
)
const byInterpreter = new Map<string, Language>(Object.entries(interpreters))

/** The language of a name or an alias in any letter case; `undefined` when it is none of the sixteen. */
export function parseLanguage(name: string): Language | undefined {
  return byName.get(name.trim().toLowerCase())
}

/** The language of a file by its extension, or by its interpreter line when it has no known extension. */
export function detectLanguage(filename: string, firstLine = ''): Language | undefined {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase()
  const known = extension === undefined ? undefined : byExtension.get(extension)
  if (known !== undefined) return known
  const interpreter = /^#!\s*\S*?\/?(?:env\s+(?:-S\s+)?)?([a-z]+)[\d.]*(?:\s|$)/.exec(firstLine)?.[1]
  return interpreter === undefined ? undefined : byInterpreter.get(interpreter)
}

const cppOnly = /^\s{0,8}(?:namespace\b|template\s{0,4}<|using\s|class\s+\w[^;\n]{0,200}$|(?:public|private|protected)\s{0,4}:)/m

/** Headers of C++ often have the extension of C. */
export const headerLanguage = (code: string): Language => (cppOnly.test(code) ? 'cpp' : 'c')

/** What a file is called whose sender gave it no name, by any name of its language; `main` when that is none of the sixteen. */
export function filenameFor(language: string): string {
  const known = parseLanguage(language)
  return known === undefined ? 'main' : defaultFilename(known)
}

/** The contract's default for `filename`: `main.{ext}`. */
export const defaultFilename = (language: Language): string => `main.${extensions[language][0] ?? 'txt'}`
