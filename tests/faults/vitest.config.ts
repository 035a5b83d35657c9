import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: '.',
    include: ['tests/faults/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'tests/support/postgres.ts',
    pool: 'forks',
    // Rounds start processes and kill them: side by side they would only wait for each other.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
