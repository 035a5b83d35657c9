import { SECOND } from '#lib/time.ts'

const SHUTDOWN_TIMEOUT = 15 * SECOND
/** Under npm, one Ctrl-C arrives twice within this time. */
const REPEAT_WINDOW = SECOND

export type Progress = (line: string) => void

export async function withProgress<Result>(
  progress: Progress,
  line: string,
  work: Promise<Result>
): Promise<Result> {
  const timer = setTimeout(() => progress(line), SECOND)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

export function hideFilesFromOtherUsers(): void {
  process.umask(0o077)
}

export async function runCommand(failure: string, command: () => Promise<void>): Promise<void> {
  hideFilesFromOtherUsers()
  try {
    await command()
  } catch (error) {
    process.stderr.write(`${failure}: ${oneLine(error)}\n`)
    process.exit(1)
  }
}

export function oneLine(error: unknown): string {
  // Without a message, if a host has several addresses and refuses the connection.
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(oneLine).join(', ')
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replace(/\s*\n\s*/g, ' ').trim()
}

interface Shutdown {
  onEnd(close: () => Promise<unknown>): void
  prepare: () => Promise<unknown>
  readonly isClosing: boolean
}

/** After 15 s at the latest. A second signal exits at once. */
export function closeOnSignals(onError: (error: unknown) => void): Shutdown {
  const closers: (() => Promise<unknown>)[] = []
  const shutdown = {
    isClosing: false,
    onEnd: (close: () => Promise<unknown>): void => void closers.unshift(close),
    prepare: async (): Promise<unknown> => undefined
  }

  async function end() {
    await shutdown.prepare().catch(onError)
    shutdown.isClosing = true
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT).unref()
    for (const close of closers) await close().catch(onError)
    process.exit(0)
  }

  onFirstSignal(() => void end())
  return shutdown
}

export function onFirstSignal(end: () => void): void {
  let firstSignalAt: number | undefined
  function handleSignal() {
    if (firstSignalAt === undefined) {
      firstSignalAt = performance.now()
      end()
    } else if (performance.now() - firstSignalAt > REPEAT_WINDOW) process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, handleSignal)
}
