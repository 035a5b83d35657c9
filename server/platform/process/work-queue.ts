import pLimit from 'p-limit'
import { ShopError } from '#lib/errors.ts'

interface WorkQueue {
  /** Throws ShopError UNAVAILABLE if the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>
  checkCapacity(): void
}

export function createWorkQueue({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }): WorkQueue {
  const limit = pLimit(concurrency)

  function checkCapacity(): void {
    if (limit.pendingCount >= maxWaiting) throw new ShopError('UNAVAILABLE')
  }

  return {
    checkCapacity,
    async run(work) {
      checkCapacity()
      return limit(work)
    }
  }
}

/** Throws UNAVAILABLE if the work takes longer than `ms`. The work is not cancelled. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ShopError('UNAVAILABLE')), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
