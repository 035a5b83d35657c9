import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

/** Opens a page in a quarter of the CPU time of a whole Chromium. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const OTHERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Returns CHROMIUM_PATH if set, otherwise the first Chromium on PATH or Playwright's own. As root,
 * it installs Debian's headless shell. The Error says how to install one.
 */
export function ensureChromium(): string {
  const configuredPath = process.env['CHROMIUM_PATH']
  if (configuredPath) {
    if (isRunnable(configuredPath)) return configuredPath
    throw new Error(`CHROMIUM_PATH is ${configuredPath}, which does not start.`)
  }
  const found =
    findOnPath(HEADLESS_SHELL) ??
    installWithApt(HEADLESS_SHELL) ??
    findWholeChromium() ??
    installWithApt('chromium')
  if (found) return found
  throw new Error(
    'Chromium not found. Put it on PATH, set CHROMIUM_PATH, or run `npx playwright install --with-deps chromium`.'
  )
}

/** The headless shell shows no notifications. */
export function findWholeChromium(): string | undefined {
  return findOnPath(...OTHERS) ?? [chromium.executablePath()].find(isRunnable)
}

function findOnPath(...names: string[]) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isRunnable)
}

function installWithApt(name: string) {
  if (process.getuid?.() !== 0) return undefined
  process.stdout.write(`Installing Debian's ${name}\n`)
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    }).status === 0
  // Without Liberation, headings fall back to DejaVu Serif, which is too wide for the layout shift
  // test.
  const packages = [name, 'fonts-liberation']
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...packages)
    ? findOnPath(name)
    : undefined
}

// Starts the binary once, because Ubuntu’s chromium-browser may be a script that only asks to
// install the snap.
function isRunnable(path: string) {
  return (
    existsSync(path) &&
    spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
  )
}
