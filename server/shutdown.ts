import { SECOND } from '#lib/time.ts'

const PATIENCE = 15 * SECOND
/** Ctrl-C under npm sends the signal twice, from the terminal and from npm. */
const SAME_SIGNAL = SECOND

/** What was opened and has to be closed, the last first. */
export interface Shutdown {
  onEnd(close: () => Promise<unknown>): void
  readonly begun: boolean
}

/** Closes everything and exits on SIGTERM and SIGINT; a second signal, or 15 s, end the process at once. */
export function closeOnSignals(failed: (error: unknown) => void): Shutdown {
  const open: (() => Promise<unknown>)[] = []
  const shutdown = {
    begun: false,
    onEnd: (close: () => Promise<unknown>): void => void open.unshift(close)
  }

  async function end(): Promise<void> {
    shutdown.begun = true
    setTimeout(() => process.exit(1), PATIENCE).unref()
    for (const close of open) await close().catch(failed)
    process.exit(0)
  }

  onFirstSignal(() => void end())
  return shutdown
}

/** Calls `end` on the first SIGTERM or SIGINT; who sends another one is not made to wait. */
export function onFirstSignal(end: () => void): void {
  let first: number | undefined
  function take(): void {
    if (first === undefined) {
      first = performance.now()
      end()
    } else if (performance.now() - first > SAME_SIGNAL) process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, take)
}
