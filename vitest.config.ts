import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/kit/runner/longest-first.js'

const require = createRequire(import.meta.url)
const platform = fileURLToPath(new URL('./src/platform/', import.meta.url))

/** Go further with SLUICE_CHAOS (test/kit/effort.ts), beside test/chaos, which runs with it alone. */
const LONGER = [
  'test/accounts/ledger/fold.test.ts',
  'test/accounts/ledger/memory-holds.test.ts',
  'test/accounts/ledger/budget-periods.test.ts',
  'test/accounts/ledger/leases-model.test.ts',
  'test/accounts/ledger/model.test.ts',
  'test/compute/sessions.property.test.ts',
  'test/contract/arbitrary-text.test.ts',
  'test/contract/chats/overspend-and-abort.test.ts',
  'test/contract/scans/scan-fairness.test.ts',
  'test/deploy/boards.test.ts',
  'test/engine/growth.test.ts',
  'test/engine/robustness.test.ts',
  'test/engine/stability.test.ts',
]
const BROWSER = 'test/**/*.browser.test.ts'

/**
 * `npm test` is what one server in one process does. What takes minutes of real time, many processes or a browser has scripts of
 * its own, each of which sets one of these; so have the commands and the examples of the documentation, where nearly every test
 * starts the program.
 */
const SUITES: Record<string, string[]> = {
  // Counts processor time, to which whatever runs beside it adds.
  SLUICE_MEASURED: ['test/engine/megabytes.test.ts'],
  SLUICE_CHAOS: ['test/chaos/**/*.test.ts', ...LONGER],
  SLUICE_MODES: ['test/modes/**/*.test.ts'],
  SLUICE_BROWSER: [BROWSER],
  SLUICE_DOCS: ['test/docs/**/*.test.ts', 'test/examples/**/*.test.ts'],
  SLUICE_COMMANDS: ['test/cli/**/*.test.ts', 'test/mcp/mcp-stdio.test.ts', 'test/mcp/inspector.test.ts'],
}
const chosen = Object.keys(SUITES).find((name) => process.env[name])
const include = chosen ? SUITES[chosen] : ['test/**/*.test.ts']
const elsewhere = Object.values(SUITES)
  .flat()
  .filter((pattern) => !LONGER.includes(pattern))

export default defineConfig({
  resolve: {
    alias: [
      // One graphql module for our code and for the libraries that require() it.
      { find: /^graphql$/, replacement: require.resolve('graphql') },
      { find: /^#platform\/(.*)\.js$/, replacement: `${platform}$1.ts` },
    ],
  },
  test: {
    include,
    exclude: [...configDefaults.exclude, ...(chosen ? (chosen === 'SLUICE_BROWSER' ? [] : [BROWSER]) : elsewhere)],
    // type-graphql's decorators need it before the first decorated class, whichever file a test begins with.
    setupFiles: ['reflect-metadata', 'test/kit/runner/shared-process.ts'],
    globalSetup: ['test/kit/runner/global-setup.ts'],
    // Limits against hanging, not measures of speed: a shared machine may be several times slower.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    // One more than the cores of the smallest machine that runs them: many tests wait for processes, clocks and databases.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Loading the program anew for each file would take as long as the tests. What a test changes of its process it puts back.
    isolate: false,
    // One file's objects are gone when the next begins; with V8's usual nursery a fifth of the time went to moving them about.
    execArgv: ['--max-semi-space-size=64'],
  },
})
