/**
 * Loads tree-sitter grammars from their npm packages, each at its first use.
 *
 * SQL has no grammar: its many dialects are read by our own tokenizer. TypeScript with JSX is a grammar of its own.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Language as Grammar, Parser } from 'web-tree-sitter'
import type { Language } from '../languages.js'

export type GrammarName = Exclude<Language, 'sql'> | 'tsx'

const require = createRequire(import.meta.url)
const bundled = (name: string): string => join('@repomix/tree-sitter-wasms/out', `tree-sitter-${name}.wasm`)

const files: Record<GrammarName, string> = {
  javascript: bundled('javascript'),
  typescript: bundled('typescript'),
  tsx: bundled('tsx'),
  python: bundled('python'),
  java: bundled('java'),
  go: bundled('go'),
  csharp: bundled('c_sharp'),
  php: bundled('php'),
  ruby: bundled('ruby'),
  swift: bundled('swift'),
  kotlin: '@lumis-sh/wasm-kotlin/tree-sitter-kotlin.wasm',
  rust: bundled('rust'),
  c: bundled('c'),
  cpp: bundled('cpp'),
  scala: '@lumis-sh/wasm-scala/tree-sitter-scala.wasm',
  bash: '@lumis-sh/wasm-bash/tree-sitter-bash.wasm',
}

const loaded = new Map<GrammarName, Promise<Grammar>>()
let runtime: Promise<void> | undefined

/** The grammar, compiled once per process. */
export function loadGrammar(name: GrammarName): Promise<Grammar> {
  let grammar = loaded.get(name)
  if (grammar === undefined) {
    grammar = load(name)
    loaded.set(name, grammar)
  }
  return grammar
}

async function load(name: GrammarName): Promise<Grammar> {
  // By its package: where the module itself ends up in a bundle says nothing about where the package was installed.
  runtime ??= Parser.init({ locateFile: () => require.resolve('web-tree-sitter/web-tree-sitter.wasm') })
  await runtime
  return Grammar.load(await readFile(resolveFile(files[name])))
}

/** Finds a package's file by walking up its `node_modules` candidates: packages with an `exports` map hide their binaries. */
function resolveFile(file: string): string {
  const [scope = '', name = '', ...rest] = file.split('/')
  const roots = require.resolve.paths(`${scope}/${name}`) ?? []
  const found = roots.map((root) => join(root, scope, name)).find((folder) => isPackage(folder))
  return join(found ?? dirname(file), ...rest)
}

function isPackage(folder: string): boolean {
  try {
    require.resolve(join(folder, 'package.json'))
    return true
  } catch {
    return false
  }
}
