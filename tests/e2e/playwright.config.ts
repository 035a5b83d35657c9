import { defineConfig } from 'playwright/test'
import { ensureChromium } from '../support/chromium.ts'

// Stored in the environment, because every worker evaluates this file.
const executablePath = (process.env['CHROMIUM_PATH'] ??= ensureChromium())

export default defineConfig({
  testDir: '..',
  projects: [
    { name: 'e2e', testMatch: 'e2e/*.spec.ts' },
    { name: 'slow', testMatch: 'slow/*.spec.ts' }
  ],
  outputDir: '../../test-results',
  globalSetup: '../support/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // For a busy machine. The report names each test that needed a second attempt.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  // A busy machine takes a third of these. Only a failing test waits for so long.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    // Shorter than the test timeout, so that the error names the action that took too long.
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    locale: 'en-IN',
    // Tests answer requests themselves, and change pages that they then open.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'
      ]
    }
  }
})
