import { SECOND } from '#lib/time.ts'

const TIMEOUT = 15 * SECOND
/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const REPEAT_WINDOW = SECOND

export interface Shutdown {
  onEnd(close: () => Promise<unknown>): void
  readonly isClosing: boolean
}

/** Closes everything and exits on SIGTERM or SIGINT. A second signal, or 15 s, ends the process at once. */
export function closeOnSignals(failed: (error: unknown) => void): Shutdown {
  const open: (() => Promise<unknown>)[] = []
  const shutdown = {
    isClosing: false,
    onEnd: (close: () => Promise<unknown>): void => void open.unshift(close)
  }

  async function end(): Promise<void> {
    shutdown.isClosing = true
    setTimeout(() => process.exit(1), TIMEOUT).unref()
    for (const close of open) await close().catch(failed)
    process.exit(0)
  }

  onFirstSignal(() => void end())
  return shutdown
}

export function onFirstSignal(end: () => void): void {
  let first: number | undefined
  function handleSignal(): void {
    if (first === undefined) {
      first = performance.now()
      end()
    } else if (performance.now() - first > REPEAT_WINDOW) process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, handleSignal)
}
