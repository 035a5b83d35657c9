import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { SECOND } from '#lib/time.ts'
import type { Environment } from '../config.ts'

const GRACE = 3 * SECOND
const KEPT_OUTPUT = 32 * 1024

interface Options {
  cwd?: string
  env: Environment
  /** Ends the process: kindly, and after three seconds by force. */
  signal: AbortSignal
  /** What it reads from stdin. */
  input?: string
  /** Told each line of stdout as it is said. */
  line?: (line: string) => void
}

export interface Ended {
  /** Its exit code, or the signal that ended it. */
  how: string
  /** The end of what it said, without colours. */
  output: string
}

/** Runs Node in a process of its own until it ends, by itself or by the signal. Throws when it can't be started. */
export function runNode(args: readonly string[], { signal, input = '', line, ...options }: Options): Promise<Ended> {
  const child = spawn(process.execPath, args, { ...options, stdio: 'pipe' })
  // One that ends before it has read everything says so itself.
  child.stdin.on('error', () => undefined).end(input)
  let said = ''
  let rest = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-KEPT_OUTPUT)))
  }
  child.stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const whole of lines) line?.(whole)
  })

  function stop(): void {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE).unref()
  }

  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, by) =>
      resolve({ how: by ?? String(code), output: stripVTControlCharacters(said).trim() })
    )
  }).finally(() => signal.removeEventListener('abort', stop))
}
