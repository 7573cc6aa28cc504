/** What the build does to functions on properties: they stay what they were, and let go of what they reach. */
import { spawnSync } from 'node:child_process'
import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { withYoungClosures } from '../../src/build/young-closures.mjs'

it('only takes functions that are assigned to properties within functions', () => {
  const made = (code: string) => withYoungClosures(code)
  expect(made('function f(o) { o.a = () => 1 }')).toBe('function f(o) { o.a = (0, () => 1) }')
  expect(made('const f = (o) => { o[x] = async function g() { o.b = y => y } }')).toBe(
    'const f = (o) => { o[x] = (0, async function g() { o.b = (0, y => y) }) }',
  )
  expect(made('class A { #p; constructor() { this.#p = () => this } }')).toBe(
    'class A { #p; constructor() { this.#p = (0, () => this) } }',
  )
  const others = 'a.b = () => 1\nfunction f(o) { const g = () => 1; let h; h = function () {}; o.c = g; o.d = { e: () => h }; }'
  expect(made(others)).toBe(others)
  expect(made('#!/usr/bin/env node\nimport a from "b"\nexport const f = (o) => (o.a ??= () => a)')).toBe(
    '#!/usr/bin/env node\nimport a from "b"\nexport const f = (o) => (o.a ??= (0, () => a))',
  )
})

it('changes nothing of what the functions do', () => {
  const code = `class A { constructor() { this.self = () => this; this.own = function () { return this }; this.next = async () => arguments.length } }
    const a = new A(1, 2); [a.self() === a, a.own() === a, a.self.name, typeof a.own.prototype, a.next.constructor.name]`
  const run = (text: string): unknown => runInThisContext(`{${text}}`)
  expect(run(withYoungClosures(code))).toEqual(run(code))
})

/** 64 at a time make 100,000 requests of 4 kB, each with a function on an object that reaches all of it. */
const REQUESTS = `
  import { setFlagsFromString } from 'node:v8'
  setFlagsFromString('--trace-gc-nvp')
  const work = async (request) => {
    const end = { request }
    end.onEnd = () => request.bytes
    await new Promise(setImmediate)
    return end.onEnd().length
  }
  let left = 100_000
  const caller = async () => { while (left-- > 0) await work({ bytes: new Array(500).fill(left) }) }
  await Promise.all(Array.from({ length: 64 }, caller))
`

function promotedBytes(code: string): number {
  // Optimised code makes them young, where a function is ever optimised; that would be a matter of luck here.
  const args = ['--no-opt', '--no-maglev', '--input-type=module', '--eval', code]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  return [...stdout.matchAll(/ gc=s .* promoted=(\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

it('lets what a request has made go with the request', () => {
  const asWritten = promotedBytes(REQUESTS)
  const asBuilt = promotedBytes(withYoungClosures(REQUESTS))
  // Should V8 ever leave them young by itself, this fails and the step can go.
  expect(asWritten).toBeGreaterThan(50_000_000)
  expect(asBuilt).toBeLessThan(asWritten / 10)
})
