import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { compiledProgram } from './programs.ts'

export interface ChildCommand {
  output(): { stdout: string; stderr: string }
  isRunning(): boolean
  /** Resolves with the exit code. */
  exited: Promise<number | null>
  stop(signal: NodeJS.Signals): Promise<number | null>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program of this repository, for example `server/main.ts`. */
export function startProcess(
  [program, ...options]: readonly [string, ...string[]],
  settings: Record<string, string>,
  preload: readonly string[] = []
): ChildCommand {
  const imports = preload.flatMap(name => ['--import', compiledProgram(name)])
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  const child = spawn(process.execPath, [...imports, compiledProgram(program), ...options], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text: Buffer) => void (output[name] += text.toString()))
  running.add(child)
  const exited = once(child, 'close').then(() => {
    running.delete(child)
    return child.exitCode
  })
  return {
    output: () => output,
    isRunning: () => running.has(child),
    exited,
    stop(signal) {
      child.kill(signal)
      return exited
    }
  }
}
