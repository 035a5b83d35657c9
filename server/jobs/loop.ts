/** Work that is done again and again until it is stopped. */
export interface Loop {
  /** Runs now instead of at the next turn. */
  wake(): void
  /** No run begins any more; waits a moment for the one that is under way. */
  stop(): Promise<void>
}

interface LoopOptions {
  /** From the end of one run to the start of the next, in ms. */
  every: number
  /** Ends early when the signal is aborted. */
  run: (signal: AbortSignal) => Promise<void>
  failed: (error: unknown) => void
  /** How long `stop` waits, in ms. */
  grace: number
}

/** Starts a loop whose runs never overlap; one that fails is followed by the next. */
export function startLoop({ every, run, failed, grace }: LoopOptions): Loop {
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let awake = false

  function turn(): void {
    if (stopped.signal.aborted) return
    clearTimeout(timer)
    awake = running !== undefined
    running ??= run(stopped.signal).catch(failed).finally(rest)
  }

  function rest(): void {
    running = undefined
    if (stopped.signal.aborted) return
    timer = setTimeout(turn, awake ? 0 : every)
    timer.unref()
  }

  turn()
  return {
    wake: turn,
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await Promise.race([running, soon(grace)])
    }
  }
}

function soon(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
