import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const WORKERS = Math.max(2, availableParallelism() - 1)

const WITH_DOCUMENT = [
  'tests/islands/*.test.tsx',
  'tests/stores/{cart*,payment*,quote,storage}.test.ts'
]

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['tests/{unit,api}/**/*.test.ts', 'tests/*.test.ts'],
          environment: 'node',
          globalSetup: 'tests/support/postgres.ts'
        }
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['tests/{slow,faults}/*.test.ts'],
          environment: 'node',
          globalSetup: 'tests/support/postgres.ts',
          isolate: false
        }
      },
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['tests/stores/*.test.ts'],
          exclude: WITH_DOCUMENT,
          environment: 'node',
          // Replaces the list below.
          setupFiles: [
            'tests/support/timers.ts',
            'tests/support/window.ts',
            'tests/support/fresh-modules.ts'
          ]
        }
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: WITH_DOCUMENT,
          environment: './tests/support/page-environment.ts',
          setupFiles: ['tests/support/timers.ts', 'tests/support/fresh-modules.ts'],
          isolate: false
        }
      }
    ],
    setupFiles: 'tests/support/timers.ts',
    pool: 'forks',
    // The helper threads of the garbage collector would compete for cores that are busy anyway.
    poolOptions: {
      forks: { maxForks: WORKERS, execArgv: ['--single-threaded-gc'] },
      threads: { maxThreads: WORKERS }
    },
    restoreMocks: true,
    // Tests that start the server or encode pictures take long on a busy machine.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } }
  }
})
