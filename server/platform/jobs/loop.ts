export interface Loop {
  wake(): void
  stop(): Promise<void>
}

interface LoopOptions {
  interval: number
  run: (signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
  gracePeriod: number
}

/** Calls `run` at each interval. Two runs never overlap. The loop continues after a failed run. */
export function startLoop({ interval, run, onError, gracePeriod }: LoopOptions): Loop {
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wakeRequested = false

  function runNow(): void {
    if (stopped.signal.aborted) return
    clearTimeout(timer)
    wakeRequested = running !== undefined
    running ??= run(stopped.signal).catch(onError).finally(schedule)
  }

  function schedule(): void {
    running = undefined
    if (stopped.signal.aborted) return
    timer = setTimeout(runNow, wakeRequested ? 0 : interval)
    timer.unref()
  }

  runNow()
  return {
    wake: runNow,
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await Promise.race([running, delay(gracePeriod)])
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
