import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A command of the shop in a process of its own, to be ended at any moment. */
export interface Process {
  pid: number
  /** Everything it said on stdout and stderr so far. */
  said(): string
  running(): boolean
  /** When it has ended, by whatever. */
  ended: Promise<void>
  /** Sends a signal and waits for the end; answers the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const alive = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Starts a command with these settings only, after loading what is named in `before`. */
export function startProcess(
  args: readonly string[],
  settings: Record<string, string>,
  before: readonly string[] = []
): Process {
  const loaded = ['tsx', ...before].flatMap(name => ['--import', name])
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  const child = spawn(process.execPath, [...loaded, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => void (said += text.toString()))
  alive.add(child)
  const ended = once(child, 'close').then(() => void alive.delete(child))
  return {
    pid: child.pid ?? 0,
    said: () => said,
    running: () => child.exitCode === null && child.signalCode === null,
    ended,
    async end(signal) {
      child.kill(signal)
      await ended
      return child.exitCode
    }
  }
}
