export interface Loop {
  wake(): void
  stop(): Promise<void>
}

interface LoopOptions {
  every: number
  run: (signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
  grace: number
}

/** Runs never overlap; after a failed run the loop continues. */
export function startLoop({ every, run, onError: failed, grace }: LoopOptions): Loop {
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wakeRequested = false

  function runNow(): void {
    if (stopped.signal.aborted) return
    clearTimeout(timer)
    wakeRequested = running !== undefined
    running ??= run(stopped.signal).catch(failed).finally(schedule)
  }

  function schedule(): void {
    running = undefined
    if (stopped.signal.aborted) return
    timer = setTimeout(runNow, wakeRequested ? 0 : every)
    timer.unref()
  }

  runNow()
  return {
    wake: runNow,
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await Promise.race([running, delay(grace)])
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
