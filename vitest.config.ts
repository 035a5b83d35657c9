import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const WORKERS = Math.max(2, availableParallelism() - 1)

export default defineConfig({
  test: {
    include: ['tests/{unit,stores,islands,api}/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
    // Files that need a document ask for happy-dom in their first line.
    environment: 'node',
    globalSetup: 'tests/support/postgres.ts',
    setupFiles: 'tests/support/timers.ts',
    pool: 'forks',
    // One less than there are cores unless told, which is one on the smallest machines.
    poolOptions: { forks: { maxForks: WORKERS }, threads: { maxThreads: WORKERS } },
    restoreMocks: true,
    // Tests that start the server or encode pictures take long on a busy machine.
    testTimeout: 90_000,
    hookTimeout: 60_000
  }
})
