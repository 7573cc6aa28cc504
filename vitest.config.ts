import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const require = createRequire(import.meta.url)
const platform = fileURLToPath(new URL('./src/platform/', import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      // One graphql module for our code and for the libraries that require() it.
      { find: /^graphql$/, replacement: require.resolve('graphql') },
      { find: /^#platform\/(.*)\.js$/, replacement: `${platform}$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Kills, full disks and stopped databases take minutes of real time: `npm run chaos:short` and `npm run chaos`.
    exclude: [...configDefaults.exclude, ...(process.env['SLUICE_CHAOS'] ? [] : ['test/chaos/**'])],
    // type-graphql's decorators need it before the first decorated class, whichever file a test begins with.
    setupFiles: ['reflect-metadata', 'test/kit/shared-process.ts'],
    globalSetup: ['test/kit/global-setup.ts'],
    // Limits against hanging, not measures of speed: a shared machine may be several times slower.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // One more than the cores of the smallest machine that runs them: many tests wait for processes, clocks and databases.
    maxWorkers: 3,
    pool: 'forks',
    // Loading the program anew for each file would take as long as the tests. What a test changes of its process it puts back.
    isolate: false,
  },
})
