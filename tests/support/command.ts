import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { compiledProgram } from './programs.ts'

export interface Command {
  output(): string
  /** Waits until the output matches. Throws the output if the process exits before that. */
  waitForOutput(text: RegExp): Promise<void>
  /** Returns the exit code. */
  waitForExit(): Promise<number | null>
  /** Returns the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a program of this repository, for example `server/main.ts`. */
export function startCommand(
  [program, ...options]: readonly [string, ...string[]],
  settings: Record<string, string> = {}
): Command {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  const child = spawn(process.execPath, [compiledProgram(program), ...options], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const exit = once(child, 'close')
  let output = ''
  let onOutput: (() => void) | undefined
  const append = (text: Buffer): void => {
    output += text.toString()
    onOutput?.()
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', append)
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    output: () => output,
    waitForOutput: text =>
      new Promise((resolve, reject) => {
        onOutput = () => text.test(output) && resolve()
        onOutput()
        void exit.then(() => reject(new Error(`Command exited: ${output}`)))
      }),
    async waitForExit() {
      await exit
      return child.exitCode
    },
    async stop(signal) {
      child.kill(signal)
      await exit
      return child.exitCode
    }
  }
}
