/**
 * A bundle reads names of a CommonJS library through a copy whose properties are getters, bound functions that look the name up:
 * at each use and, for a library with hundreds of names, at each start. Only a default import needs the copy.
 *
 * @param {string} code a chunk of the bundle
 */
export function withPlainImports(code) {
  return code.replaceAll(
    /^var ([\w$]+) = __toESM(?:\$\d+)?\((require_[\w$]+\(\)), 1\);$/gm,
    (declaration, /** @type {string} */ name, /** @type {string} */ library) =>
      isReadByNameAlone(code, name) ? `var ${name} = ${library};` : declaration,
  )
}

/** Whether all that happens to it, its declaration aside, is `name.something`. */
function isReadByNameAlone(/** @type {string} */ code, /** @type {string} */ name) {
  const escaped = name.replaceAll('$', String.raw`\$`)
  const others = code.match(new RegExp(String.raw`(?<![\w$])${escaped}(?!\.(?!default\b)|[\w$])`, 'g'))
  return others?.length === 1
}
