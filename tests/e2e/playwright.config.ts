import { defineConfig } from 'playwright/test'
import { ensureChromium } from '../support/chromium.ts'

// Stored in the environment, because every worker evaluates this file.
const executablePath = (process.env['CHROMIUM_PATH'] ??= ensureChromium())

/**
 * These tests change the catalogue of a second shop. One worker runs them all, so that only one
 * such shop is started.
 */
const CHANGES_CATALOGUE = /(admin-(blog|deals|products|publishing)|publishing-parity)\.spec\.ts$/

const TWO_NODES = /two-nodes\.spec\.ts$/

export default defineConfig({
  testDir: '.',
  projects: [
    // First, because this test waits for a minute while two shops start.
    { name: 'two nodes', testMatch: TWO_NODES },
    { name: 'changed catalogue', testMatch: CHANGES_CATALOGUE, workers: 1 },
    { name: 'demo catalogue', testIgnore: [TWO_NODES, CHANGES_CATALOGUE] }
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
