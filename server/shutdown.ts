import { SECOND } from '#lib/time.ts'

const PATIENCE = 15 * SECOND

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
    if (shutdown.begun) process.exit(1)
    shutdown.begun = true
    setTimeout(() => process.exit(1), PATIENCE).unref()
    for (const close of open) await close().catch(failed)
    process.exit(0)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
  return shutdown
}
