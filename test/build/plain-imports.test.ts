import { describe, expect, it } from 'vitest'
import { withPlainImports } from '../../src/build/plain-imports.mjs'

const COPY = 'var import_graphql$1 = __toESM(require_graphql(), 1);'
const PLAIN = 'var import_graphql$1 = require_graphql();'

describe('a library in the bundle', () => {
  it.each([
    ['that is read by names', 'const type = (0, import_graphql$1.typeFromAST)(schema, node);'],
    ['that is read by a name which begins like another', 'x(import_graphql$1.defaultFieldResolver);'],
    ['beside one with a longer name', 'import_graphql$1.parse(import_graphql$10);'],
  ])('%s is read without a copy', (_, use) => {
    expect(withPlainImports(`${COPY}\n${use}`)).toBe(`${PLAIN}\n${use}`)
  })

  it.each([
    ['whose default is read', 'import_graphql$1.default.parse(text);'],
    ['that is handed on whole', 'use(import_graphql$1);'],
    ['that another chunk reads', 'export { import_graphql$1 as g };'],
    ['that is read by computed names', 'import_graphql$1[name]();'],
  ])('%s keeps its copy', (_, use) => {
    const code = `${COPY}\nimport_graphql$1.parse(text);\n${use}`
    expect(withPlainImports(code)).toBe(code)
  })
})
