import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureChromium } from './support/chromium.ts'
import { removeFolder, temporaryFolder } from './support/server.ts'

type Step = 'format' | 'lint' | 'types' | 'unit' | 'api' | 'faults' | 'browser'
type Counts = { passed: number; failed: number }

/** `npm test` runs all steps in this order. `npm test -- lint unit` runs a selection. */
const STEPS: Record<Step, () => Promise<boolean>> = {
  format: () => runSilently('prettier', '--check', '--log-level', 'warn', '.'),
  lint: () => runSilently('eslint', '--max-warnings', '0', '.'),
  types: () => runSilently('astro', 'check', '--minimumFailingSeverity', 'warning'),
  unit: () => vitest('unit', 'tests/architecture', 'tests/unit', 'tests/stores', 'tests/islands'),
  // Server modules keep no state between tests, so that all files can share them.
  api: () => vitest('api', '--no-isolate', 'tests/api'),
  faults: () => vitest('faults', '--config=tests/faults/vitest.config.ts'),
  browser: async () => {
    process.env['CHROMIUM_PATH'] = ensureChromium()
    process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] = resultFile('browser')
    return run('playwright', 'test', '--config=tests/e2e', '--reporter=list,json')
  }
}

process.env['ASTRO_TELEMETRY_DISABLED'] = '1'

const resultFolder = temporaryFolder()
const requested = process.argv.slice(2)
const unknown = requested.filter(name => !(name in STEPS))
if (unknown.length > 0) {
  process.stderr.write(`Unknown step: ${unknown.join(', ')}. Steps: ${Object.keys(STEPS).join(', ')}.\n`)
  process.exit(2)
}

const startedAt = performance.now()
const failures: string[] = []
const counts: Counts = { passed: 0, failed: 0 }
const selected = (Object.keys(STEPS) as Step[]).filter(name => requested.length === 0 || requested.includes(name))
await Promise.all(selected.filter(isStaticCheck).map(runStep))
for (const name of selected) if (!isStaticCheck(name)) await runStep(name)
removeFolder(resultFolder)
print(`\n── ${failures.length === 0 ? 'Passed' : `Failed: ${failures.join(', ')}`} in ${elapsed(startedAt)} ──`)
print(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = failures.length === 0 ? 0 : 1

async function runStep(name: Step): Promise<void> {
  const start = performance.now()
  if (!isStaticCheck(name)) print(`\n── ${name} ──`)
  const succeeded = await STEPS[name]().catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error))
    return false
  })
  const { passed, failed } = isStaticCheck(name) ? { passed: 0, failed: 0 } : readCounts(name, succeeded)
  counts.passed += passed
  counts.failed += failed
  const passes = succeeded && failed === 0
  if (!passes) failures.push(name)
  print(`── ${name}: ${passes ? 'ok' : 'FAILED'} in ${elapsed(start)} ──`)
}

function vitest(name: Step, ...options: string[]): Promise<boolean> {
  return run(
    'vitest',
    'run',
    ...options,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile(name)}`
  )
}

/** Static checks use one core each, so they run in parallel. */
function isStaticCheck(name: Step): boolean {
  return name === 'format' || name === 'lint' || name === 'types'
}

function run(command: string, ...args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(join('node_modules', '.bin', command), args, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject).once('exit', code => resolve(code === 0))
  })
}

/** Prints the command's output only if it fails. */
async function runSilently(command: string, ...args: string[]): Promise<boolean> {
  const options = { maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(join('node_modules', '.bin', command), args, options).then(
    () => true,
    ({ stdout = '', stderr = '', message }: Error & { stdout?: string; stderr?: string }) => {
      print(`\n${stdout}${stderr || message}`)
      return false
    }
  )
}

function resultFile(name: Step): string {
  return join(resultFolder, `${name}.json`)
}

interface Report {
  success?: boolean
  numPassedTests?: number
  numFailedTests?: number
  stats?: { expected: number; unexpected: number; flaky: number }
}

/** A run that fails without a failed test counts as one failure. This happens if a file does not load. */
function readCounts(name: Step, succeeded: boolean): Counts {
  const report = existsSync(resultFile(name)) ? readFileSync(resultFile(name), 'utf8') : '{"success":false}'
  const { success = true, numPassedTests = 0, numFailedTests = 0, stats } = JSON.parse(report) as Report
  const failed = numFailedTests + (stats ? stats.unexpected + stats.flaky : 0)
  return {
    passed: numPassedTests + (stats?.expected ?? 0),
    failed: succeeded && success ? failed : Math.max(failed, 1)
  }
}

function elapsed(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
