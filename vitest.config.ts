import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/{unit,stores,islands,api}/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
    // Files that need a document ask for happy-dom in their first line.
    environment: 'node',
    globalSetup: 'tests/support/postgres.ts',
    pool: 'forks',
    restoreMocks: true,
    testTimeout: 15_000,
    hookTimeout: 60_000
  }
})
