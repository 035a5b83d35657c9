import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureChromium } from './support/chromium.ts'
import { removeFolder, temporaryFolder } from './support/server.ts'

type Step = 'format' | 'lint' | 'types' | 'unit' | 'api' | 'faults' | 'browser'
type Counts = { passed: number; failed: number }

/** `npm test` runs every step in this order; `npm test -- lint unit` runs those. */
const STEPS: Record<Step, () => Promise<boolean>> = {
  format: () => quietly('prettier', '--check', '--log-level', 'warn', '.'),
  lint: () => quietly('eslint', '--max-warnings', '0', '.'),
  types: () => quietly('astro', 'check', '--minimumFailingSeverity', 'warning'),
  unit: () => vitest('unit', 'tests/architecture', 'tests/unit', 'tests/stores', 'tests/islands'),
  // Each test opens a shop of its own; the shop's code keeps nothing between them, and is loaded once for all files.
  api: () => vitest('api', '--no-isolate', 'tests/api'),
  faults: () => vitest('faults', '--config=tests/faults/vitest.config.ts'),
  browser: async () => {
    process.env['CHROMIUM_PATH'] = ensureChromium()
    process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] = results('browser')
    return run('playwright', 'test', '--config=tests/e2e', '--reporter=list,json')
  }
}

// Tests of a shop are nobody's business.
process.env['ASTRO_TELEMETRY_DISABLED'] = '1'

const folder = temporaryFolder()
const chosen = process.argv.slice(2)
const unknown = chosen.filter(name => !(name in STEPS))
if (unknown.length > 0) {
  process.stderr.write(`There is no step ${unknown.join(', ')}. Steps: ${Object.keys(STEPS).join(', ')}.\n`)
  process.exit(2)
}

const began = performance.now()
const failures: string[] = []
const counts: Counts = { passed: 0, failed: 0 }
const wanted = (Object.keys(STEPS) as Step[]).filter(name => chosen.length === 0 || chosen.includes(name))
await Promise.all(wanted.filter(isReading).map(take))
for (const name of wanted) if (!isReading(name)) await take(name)
removeFolder(folder)
say(`\n── ${failures.length === 0 ? 'All is well' : `Not well: ${failures.join(', ')}`} after ${since(began)} ──`)
say(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = failures.length === 0 ? 0 : 1

async function take(name: Step): Promise<void> {
  const start = performance.now()
  if (!isReading(name)) say(`\n── ${name} ──`)
  const ended = await STEPS[name]().catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error))
    return false
  })
  const { passed, failed } = isReading(name) ? { passed: 0, failed: 0 } : outcome(name, ended)
  counts.passed += passed
  counts.failed += failed
  const well = ended && failed === 0
  if (!well) failures.push(name)
  say(`── ${name}: ${well ? 'ok' : 'FAILED'} in ${since(start)} ──`)
}

function vitest(name: Step, ...options: string[]): Promise<boolean> {
  return run('vitest', 'run', ...options, '--reporter=default', '--reporter=json', `--outputFile.json=${results(name)}`)
}

/** Steps that only read: they use one core each and run side by side. */
function isReading(name: Step): boolean {
  return name === 'format' || name === 'lint' || name === 'types'
}

function run(command: string, ...args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(join('node_modules', '.bin', command), args, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject).once('exit', code => resolve(code === 0))
  })
}

/** What it says is shown in one piece when it has ended, and only if it did not end well. */
async function quietly(command: string, ...args: string[]): Promise<boolean> {
  const options = { maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(join('node_modules', '.bin', command), args, options).then(
    () => true,
    ({ stdout = '', stderr = '', message }: Error & { stdout?: string; stderr?: string }) => {
      say(`\n${stdout}${stderr || message}`)
      return false
    }
  )
}

function results(name: Step): string {
  return join(folder, `${name}.json`)
}

interface Report {
  success?: boolean
  numPassedTests?: number
  numFailedTests?: number
  stats?: { expected: number; unexpected: number; flaky: number }
}

/** What a runner of tests wrote down. One that ended badly without naming a test (a file did not load) counts as one. */
function outcome(name: Step, ended: boolean): Counts {
  const written = existsSync(results(name)) ? readFileSync(results(name), 'utf8') : '{"success":false}'
  const { success = true, numPassedTests = 0, numFailedTests = 0, stats } = JSON.parse(written) as Report
  const failed = numFailedTests + (stats ? stats.unexpected + stats.flaky : 0)
  return { passed: numPassedTests + (stats?.expected ?? 0), failed: ended && success ? failed : Math.max(failed, 1) }
}

function since(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
