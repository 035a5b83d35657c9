import { spawn, type ChildProcess } from 'node:child_process'
import { build, type Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { ROOT } from '#server/config.ts'
import { CACHE_FOLDER } from './server.ts'

export type Command = ReturnType<typeof startCommand>

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program of this repository, such as `server/main.ts`, that ends with the test. */
export function startCommand(
  [program, ...options]: readonly [string, ...string[]],
  settings: Record<string, string> = {},
  preload: readonly string[] = []
) {
  const imports = preload.flatMap(name => ['--import', compiledProgram(name)])
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  const child = spawn(process.execPath, [...imports, compiledProgram(program), ...options], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const outputs = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text: Buffer) => void (outputs[name] += text.toString()))
  running.add(child)
  const exited = once(child, 'close').then(() => {
    running.delete(child)
    return child.exitCode
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = () => outputs.stdout + outputs.stderr
  return {
    output,
    linesOf: (stream: 'stdout' | 'stderr') => outputs[stream].split('\n').filter(Boolean),
    isRunning: () => running.has(child),
    waitForExit: () => exited,
    /** Waits until the output matches. Throws the output if the process exits before that. */
    async waitForOutput(text: RegExp) {
      while (!text.test(output())) {
        if (!running.has(child)) throw new Error(`Command exited: ${output()}`)
        await wait(10)
      }
    },
    stop(signal: NodeJS.Signals) {
      child.kill(signal)
      return exited
    }
  }
}

const PROGRAMS = [
  'server/main.ts',
  ...['backup', 'publish', 'restore'].map(name => `server/commands/${name}.ts`),
  'sandbox/main.ts',
  'tests/faults/rounds/fast-clock.ts'
]

/** Keeps the paths of files that a module reads relative to itself. */
const keepModuleUrls: Plugin = {
  name: 'keep-module-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      return {
        contents: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        loader: 'ts'
      }
    })
  }
}

/**
 * The programs that tests start, compiled once. A start with tsx takes 2.5 s of CPU time, mostly
 * for loading 300 modules. The shop of the browser tests is started with tsx, like `npm start`.
 */
const folder = await compile()

function compiledProgram(file: string) {
  if (!PROGRAMS.includes(file)) throw new Error(`${file} is not in the list of programs`)
  return join(folder, file.replace(/\.ts$/, '.js'))
}

/** Returns the folder of the bundles. It is named after their content, so that runs share it. */
async function compile() {
  const outdir = join(CACHE_FOLDER, 'programs')
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outbase: '.',
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [keepModuleUrls]
  })
  const hash = createHash('sha256')
  for (const { hash: contentHash } of outputFiles) hash.update(contentHash)
  const finished = `${outdir}-${hash.digest('hex').slice(0, 20)}`
  if (existsSync(finished)) return finished
  await mkdir(CACHE_FOLDER, { recursive: true })
  const unfinished = await mkdtemp(`${outdir}-`)
  for (const { path, contents } of outputFiles) {
    const target = join(unfinished, relative(outdir, path))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, contents)
  }
  // Another test process may have finished the same bundles.
  await rename(unfinished, finished).catch(() => rm(unfinished, { recursive: true }))
  return finished
}
