/** What a start costs, in numbers that are the same on every machine. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'
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

/** A Node of this machine that is too old; the one of this repository comes first in the path. */
const older = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((path) => join(path, 'node'))
  .find((node) => existsSync(node) && Number(/\d+/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))![0]) < 24)

it.skipIf(older === undefined)('an older Node is told what to do (skipped where the machine has none)', () => {
  const { status, stderr } = spawnSync(older!, [join(packageRoot, 'dist/src/main.js'), 'serve'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^Sluice needs Node 24 .*npx sluice.*\n$/) as string,
  })
})
