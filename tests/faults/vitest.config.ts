import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: '.',
    include: ['tests/faults/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'tests/support/postgres.ts',
    pool: 'forks',
    // The rounds start many processes.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
