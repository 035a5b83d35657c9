import { spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatTable } from '../../../bench/table.ts'
import { openTestPostgres } from '../../support/postgres.ts'
import { removeFolder, temporaryFolder } from '../../support/server.ts'
import { MUTANTS, type Mutant } from './list.ts'

const COPIED_PATHS = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'server',
  'src',
  'tests',
  'bench'
]
const PAYMENT_TESTS = [
  'tests/api/checkout',
  'tests/api/payment',
  'tests/api/delivery-',
  'tests/api/order-change'
]
const NO_OTHER_ROUNDS = ['--races', '0', '--requests', '0', '--restarts', '0']
const CRASH_ROUND_OPTIONS = [
  '--database',
  'sqlite',
  '--kills',
  '3',
  '--points',
  '1',
  ...NO_OTHER_ROUNDS
]

/** Applies each mutant to a copy of the project and prints the first test that detects it. */
export async function runMutants(names: readonly string[]): Promise<boolean> {
  const selected = MUTANTS.filter(
    ({ name }) => names.length === 0 || names.some(each => name.includes(each))
  )
  const server = await openTestPostgres()
  process.env['TEST_DATABASE_URL'] = server.postgres.url
  // Otherwise a test that fails in each copy would seem to detect the mutants.
  const [, failed] = await runMutant({ name: 'none', patches: [] })
  if (failed !== NOT_DETECTED) throw new Error(`A test fails without a mutant: ${failed}`)
  const rows: string[][] = []
  for (const mutant of selected) {
    const row = await runMutant(mutant)
    rows.push(row)
    process.stdout.write(`${row.join(' | ')}\n`)
  }
  await server.stop()
  const header = ['mutant', 'first test that fails']
  process.stdout.write(
    `\n${formatTable({ title: 'Tests that detect each mutant', header, rows })}\n`
  )
  return rows.every(([, result]) => result !== NOT_DETECTED)
}

const NOT_DETECTED = '–'

async function runMutant(mutant: Mutant): Promise<string[]> {
  const folder = temporaryFolder()
  try {
    for (const name of COPIED_PATHS) cpSync(name, join(folder, name), { recursive: true })
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    applyMutant(mutant, folder)
    return [mutant.name, await findTest(folder)]
  } finally {
    removeFolder(folder)
  }
}

/** Stops at the first test that fails. */
async function findTest(folder: string): Promise<string> {
  const api = await runTests(folder, ['--no-isolate', ...PAYMENT_TESTS])
  if (api !== NOT_DETECTED) return api
  const faults = await runTests(folder, [
    '--config=tests/faults/vitest.config.ts',
    '--exclude=**/crash-rounds.test.ts',
    // Needs a folder that is not copied, and restarts nodes without an attack on any of the checks.
    '--exclude=**/rolling-restart.test.ts',
    // Fails in each copy, because it looks for the text that the mutant has replaced.
    '--exclude=**/mutants.test.ts'
  ])
  return faults === NOT_DETECTED ? runCrashRound(folder) : faults
}

export function applyMutant({ name, patches }: Mutant, folder: string): void {
  for (const { file, from, to } of patches) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (text.split(from).length !== 2)
      throw new Error(`Mutant "${name}": ${file} does not contain this text exactly once: ${from}`)
    writeFileSync(
      join(folder, file),
      text.replace(from, () => to)
    )
  }
}

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}

async function runTests(folder: string, options: readonly string[]): Promise<string> {
  const file = join(folder, 'report.json')
  await run(folder, [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...options,
    '--bail=1',
    '--reporter=json',
    `--outputFile=${file}`
  ])
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const failed = testResults
    .flatMap(each => each.assertionResults)
    .find(({ status }) => status === 'failed')
  return failed?.fullName ?? NOT_DETECTED
}

async function runCrashRound(folder: string): Promise<string> {
  const output = await run(folder, [
    '--import',
    'tsx',
    'tests/faults/main.ts',
    ...CRASH_ROUND_OPTIONS
  ])
  const violation = output.split('\n').find(line => line.startsWith('  '))
  return violation?.trim().slice(0, 100) ?? NOT_DETECTED
}

function run(cwd: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text: Buffer) => void (output += text.toString()))
  return new Promise((done, failed) =>
    child.once('error', failed).once('close', () => done(output))
  )
}
