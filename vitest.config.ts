import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

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
    // type-graphql's decorators need it before the first decorated class, whichever file a test begins with.
    setupFiles: ['reflect-metadata'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
  },
})
