/** What a start costs, in numbers that are the same on every machine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSluice, startSluice } from '../kit/process.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-start-'))
const counter = join(folder, 'counter.mjs')
const env = { NODE_OPTIONS: `--import ${counter}` }
beforeAll(() =>
  writeFileSync(
    counter,
    `import { registerHooks } from 'node:module'
    import { isMainThread } from 'node:worker_threads'
    let files = 0
    registerHooks({ load: (url, context, next) => (url.startsWith('file:') && files++, next(url, context)) })
    if (isMainThread) process.on('exit', () => process.stderr.write(process.argv[2] + ' read ' + files + ' modules\\n'))`,
  ),
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const modulesRead = (command: string, printed: string): number =>
  Number(new RegExp(`^${command} read (\\d+) modules$`, 'm').exec(printed)?.[1])

it('a server reads its modules from a few files, not from thousands', async () => {
  const server = await startSluice(['serve'], { cwd: folder, env })
  expect(await server.end()).toBe(0)
  const read = modulesRead('serve', server.logged().join('\n'))
  expect(read).toBeGreaterThan(10)
  expect(read).toBeLessThan(150)
})

it('a command that only talks to a server does not load one', async () => {
  const { stderr } = await runSluice(['models'], { cwd: folder, env })
  const read = modulesRead('models', stderr)
  expect(read).toBeGreaterThan(1)
  expect(read).toBeLessThan(30)
})
