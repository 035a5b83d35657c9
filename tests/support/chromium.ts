import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

/** The same browser without windows, which is what tests need, and twice as quick with them. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Where a Chromium that starts is: CHROMIUM_PATH, else on PATH, else Playwright's own. */
export function findChromium(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) return isRunnable(chosen) ? chosen : undefined
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), chromium.executablePath()]
  return candidates.find(isRunnable)
}

/** Finds a Chromium, or installs Debian's where that is possible. Throws an Error whose message says what is missing. */
export function ensureChromium(): string {
  const found = findChromium() ?? installChromium()
  if (found) return found
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) throw new Error(`CHROMIUM_PATH names ${chosen}, which is no browser that starts.`)
  throw new Error(
    'No Chromium was found. Put one on PATH, name it in CHROMIUM_PATH, or run `npx playwright install --with-deps chromium`.'
  )
}

function installChromium(): string | undefined {
  if (process.env['CHROMIUM_PATH'] || process.getuid?.() !== 0) return undefined
  process.stdout.write('No Chromium found: installing Debian’s.\n')
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    }).status === 0
  const install = (name: string): boolean => apt('install', '-y', '--no-install-recommends', name)
  return apt('update') && (install(HEADLESS_SHELL) || install('chromium')) ? findChromium() : undefined
}

// Ubuntu's chromium-browser is a script that only says where the snap is: what does not answer is not a browser.
function isRunnable(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
