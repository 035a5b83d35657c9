import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { SECOND } from '#lib/time.ts'
import type { Environment } from '../../config.ts'

const GRACE_PERIOD = 3 * SECOND
const MAX_OUTPUT = 32 * 1024

interface Options {
  cwd?: string
  env: Environment
  signal: AbortSignal
  input?: string
  onLine?: (line: string) => void
}

export interface ProcessResult {
  exit: string
  output: string
}

export function runNode(
  args: readonly string[],
  { signal, input = '', onLine, ...options }: Options
): Promise<ProcessResult> {
  const child = spawn(process.execPath, args, { ...options, stdio: 'pipe' })
  child.stdin.on('error', () => undefined).end(input)
  let output = ''
  let incompleteLine = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-MAX_OUTPUT)))
  }
  child.stdout.on('data', (text: string) => {
    const lines = (incompleteLine + text).split('\n')
    incompleteLine = lines.pop() ?? ''
    for (const line of lines) onLine?.(line)
  })

  function stop(): void {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE_PERIOD).unref()
  }

  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return new Promise<ProcessResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) =>
      resolve({ exit: killedBy ?? String(code), output: stripVTControlCharacters(output).trim() })
    )
  }).finally(() => signal.removeEventListener('abort', stop))
}
