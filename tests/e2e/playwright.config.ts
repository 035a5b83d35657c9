import { defineConfig } from 'playwright/test'
import { ensureChromium } from '../support/chromium.ts'

// Stored in the environment, because every worker evaluates this file.
const executablePath = (process.env['CHROMIUM_PATH'] ??= ensureChromium())

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: '../support/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // For a busy machine. The report names each test that needed a second attempt.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 30_000,
  expect: { timeout: 7_000 },
  use: {
    // These are shorter than the test timeout, so that the error names the action that took too long.
    actionTimeout: 7_000,
    navigationTimeout: 15_000,
    locale: 'en-IN',
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
