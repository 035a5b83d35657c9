import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** A command of the shop in a process of its own, with these settings only. */
export interface Command {
  /** Everything it said on stdout and stderr so far. */
  said(): string
  /** When it has said this; throws what it said instead if it ended before. */
  until(text: RegExp): Promise<void>
  /** When it has ended by itself; answers the exit code. */
  ended(): Promise<number | null>
  /** Sends a signal and waits for the end; answers the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export function startCommand(args: readonly string[], settings: Record<string, string> = {}): Command {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let said = ''
  let heard: (() => void) | undefined
  const hear = (text: Buffer): void => {
    said += text.toString()
    heard?.()
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', hear)
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    said: () => said,
    until: text =>
      new Promise((resolve, reject) => {
        heard = () => text.test(said) && resolve()
        heard()
        void ended.then(() => reject(new Error(`It ended: ${said}`)))
      }),
    async ended() {
      await ended
      return child.exitCode
    },
    async end(signal) {
      child.kill(signal)
      await ended
      return child.exitCode
    }
  }
}
