import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable'
]

/** Returns CHROMIUM_PATH if set; otherwise searches PATH, then Playwright’s own browsers. */
function findChromium(): string | undefined {
  const configuredPath = process.env['CHROMIUM_PATH']
  if (configuredPath) return isRunnable(configuredPath) ? configuredPath : undefined
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [
    ...NAMES.flatMap(name => folders.map(folder => join(folder, name))),
    chromium.executablePath()
  ]
  return candidates.find(isRunnable)
}

/**
 * Finds Chromium, or installs the Debian package when running as root. The Error says how to
 * install it.
 */
export function ensureChromium(): string {
  const found = findChromium() ?? installChromium()
  if (found) return found
  const configuredPath = process.env['CHROMIUM_PATH']
  if (configuredPath) throw new Error(`CHROMIUM_PATH is ${configuredPath}, which does not start.`)
  throw new Error(
    'Chromium not found. Put it on PATH, set CHROMIUM_PATH, or run `npx playwright install --with-deps chromium`.'
  )
}

function installChromium(): string | undefined {
  if (process.env['CHROMIUM_PATH'] || process.getuid?.() !== 0) return undefined
  process.stdout.write('Chromium not found, installing the Debian package\n')
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    }).status === 0
  // Without Liberation, headings fall back to DejaVu Serif, which is too wide for the layout shift
  // test.
  const install = (name: string): boolean =>
    apt('install', '-y', '--no-install-recommends', name, 'fonts-liberation')
  return apt('update') && (install(HEADLESS_SHELL) || install('chromium'))
    ? findChromium()
    : undefined
}

// Starts the binary once, because Ubuntu’s chromium-browser may be a script that only asks to
// install the snap.
function isRunnable(path: string): boolean {
  return (
    existsSync(path) &&
    spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
  )
}
