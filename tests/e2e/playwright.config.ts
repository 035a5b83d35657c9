import { defineConfig } from 'playwright/test'
import { ensureChromium } from '../support/chromium.ts'

// Each worker reads this file again: the search for a browser is done once.
const executablePath = (process.env['CHROMIUM_PATH'] ??= ensureChromium())

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: '../support/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 30_000,
  expect: { timeout: 7_000 },
  use: {
    // The shop is slow only when something is wrong; a test that waits half a minute for a click hides it.
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
