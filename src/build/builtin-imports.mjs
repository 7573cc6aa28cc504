/**
 * To `import` a module of Node's makes a second form of it, for which each of its properties is read once: that of `node:http`
 * loads an HTTP client, that of `node:crypto` Web Crypto, at every start. `process.getBuiltinModule` gives the first form.
 *
 * @param {string} code a chunk of the bundle
 */
export function withBuiltinModules(code) {
  return code.replaceAll(
    /^import (?:([\w$]+)(?:, )?)?(?:\{ ([^}]*) \})? ?from "(node:[\w/]+)";$/gm,
    (_, /** @type {string | undefined} */ whole, /** @type {string | undefined} */ names, /** @type {string} */ module) =>
      [whole, names && `{ ${names.replaceAll(' as ', ': ')} }`]
        .filter(Boolean)
        // By its global's name, as some modules call node:process so too.
        .map((target) => `const ${target} = globalThis.process.getBuiltinModule("${module}");`)
        .join('\n'),
  )
}
