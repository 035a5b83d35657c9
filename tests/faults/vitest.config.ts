import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: '.',
    include: ['tests/faults/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'tests/support/postgres.ts',
    pool: 'forks',
    // One file at a time, because the crash rounds start many processes.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
