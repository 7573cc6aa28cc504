import { describe, expect, it } from 'vitest'
import { withBuiltinModules } from '../../src/build/builtin-imports.mjs'

describe('a module of Node in the bundle', () => {
  it.each([
    [
      'by names',
      'import { join, sep as sep$1 } from "node:path";',
      'const { join, sep: sep$1 } = globalThis.process.getBuiltinModule("node:path");',
    ],
    ['whole', 'import fs from "node:fs/promises";', 'const fs = globalThis.process.getBuiltinModule("node:fs/promises");'],
    [
      'in both ways',
      'import http, { createServer } from "node:http";',
      'const http = globalThis.process.getBuiltinModule("node:http");\nconst { createServer } = globalThis.process.getBuiltinModule("node:http");',
    ],
    [
      'by a name that is a global one',
      'import process from "node:process";',
      'const process = globalThis.process.getBuiltinModule("node:process");',
    ],
  ])('is taken as it is: %s', (_, declaration, taken) => {
    expect(withBuiltinModules(`${declaration}\nuse();`)).toBe(`${taken}\nuse();`)
  })

  it.each([
    ['as a namespace', 'import * as fs from "node:fs";'],
    ['for its effects', 'import "node:test";'],
    ['that is none', 'import { parse } from "./graphql.js";'],
  ])('is imported as before: %s', (_, declaration) => {
    expect(withBuiltinModules(declaration)).toBe(declaration)
  })
})
