/**
 * Code in the arguments of function calls: what agents write into files and shells goes there, not into fenced blocks. Which
 * functions and which of their arguments is said by rules, because everybody calls them differently.
 */
import { isObject } from '../tokens/usage.js'

export interface ToolCodeRule {
  /** Of the function; `*` stands for any text, and letter case does not count. */
  readonly name: string
  /** Names of arguments that hold code, `a.b` for one within another; a list of words is a command. */
  readonly code: readonly string[]
  /** Names of arguments that hold the path of the file, for its language. */
  readonly path: readonly string[]
  /** The language of all of it; by its path when null. */
  readonly language: string | null
  /** The code is a patch: what it adds is read, file by file. */
  readonly isPatch: boolean
}

export interface ToolCode {
  readonly code: string
  /** A language or a path. */
  readonly label: string
}

/** What agents in use call theirs. */
export const KNOWN_TOOLS: readonly ToolCodeRule[] = [
  tool('*write*file*', ['content', 'contents', 'text', 'file_text', 'code']),
  tool('*create*file*', ['content', 'contents', 'text', 'file_text', 'code']),
  tool('*edit*file*', ['new_string', 'new_text', 'content', 'code_edit']),
  tool('write', ['content']),
  tool('*edit', ['new_string', 'new_str']),
  tool('str_replace*', ['new_str', 'file_text']),
  { ...tool('apply_patch', ['input', 'patch']), isPatch: true },
  { ...tool('*shell*', ['command', 'cmd', 'script']), language: 'bash' },
  { ...tool('*bash*', ['command', 'cmd', 'script']), language: 'bash' },
  { ...tool('*command*', ['command', 'cmd']), language: 'bash' },
  { ...tool('*python*', ['code', 'script']), language: 'python' },
]

function tool(name: string, code: readonly string[]): ToolCodeRule {
  return { name, code, path: ['path', 'file_path', 'filePath', 'filename', 'target_file'], language: null, isPatch: false }
}

/** The code in a complete call; none where no rule fits or the arguments are no JSON object. */
export function codeOfCall(rules: readonly ToolCodeRule[], name: string, argumentsText: string): ToolCode[] {
  const fitting = rules.filter((rule) => isCalled(rule.name.toLowerCase(), name.toLowerCase()))
  if (fitting.length === 0) return []
  const given = parseObject(argumentsText)
  const rule = fitting.find(({ code }) => code.some((field) => textIn(given, field) !== null))
  if (!rule) return []
  const label = rule.language ?? rule.path.map((field) => textIn(given, field)).find((text) => text !== null) ?? ''
  const texts = rule.code.flatMap((field) => textIn(given, field) ?? [])
  return rule.isPatch ? texts.flatMap(addedBy) : texts.map((code) => ({ code, label }))
}

/** Whether a name fits a pattern of texts with `*` between them; every part is looked for once. */
function isCalled(pattern: string, name: string): boolean {
  const parts = pattern.split('*')
  if (parts.length === 1) return pattern === name
  const [first = '', ...between] = parts
  const last = between.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  for (const part of between) {
    const at = name.indexOf(part, from)
    if (at < 0 || at + part.length > name.length - last.length) return false
    from = at + part.length
  }
  return true
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function textIn(given: unknown, field: string): string | null {
  const value = field.split('.').reduce<unknown>((owner, key) => (isObject(owner) ? owner[key] : null), given)
  if (typeof value === 'string') return value
  const isCommand = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
  return isCommand ? commandOf(value) : null
}

/** `["bash", "-lc", "script"]` is its script; other commands are their words. */
function commandOf(words: readonly string[]): string {
  const [program = '', option = '', script] = words
  return script !== undefined && /(^|\/)(ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(option) ? script : words.join(' ')
}

const FILE_OF_PATCH = /^(?:\*\*\* (?:Add|Update) File: |\+\+\+ (?:b\/)?)(.+)$/

/** What a patch adds to each file, with the lines around it that give it a meaning: a unified diff, or the form of `apply_patch`. */
function addedBy(patch: string): ToolCode[] {
  const files: { label: string; lines: string[] }[] = []
  for (const line of patch.split('\n')) {
    const label = FILE_OF_PATCH.exec(line)?.[1]?.trim()
    if (label !== undefined) files.push({ label, lines: [] })
    else if (line.startsWith('+') || line.startsWith(' ')) files.at(-1)?.lines.push(line.slice(1))
  }
  return files.map(({ label, lines }) => ({ label, code: lines.map((line) => `${line}\n`).join('') }))
}
