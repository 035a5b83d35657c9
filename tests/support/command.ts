import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { startProcess, type ChildCommand } from './child-command.ts'

export interface Command extends Pick<ChildCommand, 'stop'> {
  output(): string
  /** Waits until the output matches. Throws the output if the process exits before that. */
  waitForOutput(text: RegExp): Promise<void>
  /** Returns the exit code. */
  waitForExit(): Promise<number | null>
}

/** Starts a program that ends with the test. */
export function startCommand(
  program: Parameters<typeof startProcess>[0],
  settings: Record<string, string> = {}
): Command {
  const { output: outputs, exited, isRunning, stop } = startProcess(program, settings)
  const output = (): string => Object.values(outputs()).join('')
  onTestFinished(() => void stop('SIGKILL'))
  return {
    output,
    stop,
    waitForExit: () => exited,
    async waitForOutput(text) {
      while (!text.test(output())) {
        if (!isRunning()) throw new Error(`Command exited: ${output()}`)
        await wait(10)
      }
    }
  }
}
