import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: '.',
    include: ['tests/faults/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'tests/support/postgres.ts',
    pool: 'forks',
    isolate: false,
    // The crash rounds mostly wait, so the other files run beside them.
    poolOptions: { forks: { maxForks: 2 } },
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
