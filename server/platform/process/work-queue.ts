import { ShopError } from '#lib/errors.ts'

export interface WorkQueue {
  /** Throws ShopError UNAVAILABLE if the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>
  checkCapacity(): void
}

export function createWorkQueue({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  function checkCapacity(): void {
    if (waiting.length >= maxWaiting) throw new ShopError('UNAVAILABLE')
  }

  async function acquire(): Promise<void> {
    if (running < concurrency) {
      running++
      return
    }
    checkCapacity()
    // `release` gives the free slot to the caller that has waited longest, so that no new caller can take the slot.
    await new Promise<void>(resolve => waiting.push(resolve))
  }

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return {
    checkCapacity,
    async run(work) {
      await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    }
  }
}
