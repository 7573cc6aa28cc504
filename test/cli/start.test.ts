/** What a start costs, in numbers that are the same on every machine. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

it.runIf(process.platform === 'linux')("the engine's own threads make way for the one that answers (Linux)", async () => {
  await using server = await startSluice(['serve'], { cwd: folder })
  const threads = readdirSync(`/proc/${server.pid}/task`).map((id) => {
    const [, name, after] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${server.pid}/task/${id}/stat`, 'utf8'))!
    // proc_pid_stat(5): the nineteenth field, two of which stand before.
    return { name: Number(id) === server.pid ? 'main' : name!, niceness: Number(after!.split(' ')[16]) }
  })
  const niceness = (wanted: string) => [...new Set(threads.filter(({ name }) => name === wanted).map((one) => one.niceness))]
  const own = niceness('main')[0]!
  expect(niceness('V8Worker')).toEqual([own + 10])
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
