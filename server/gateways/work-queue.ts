import { ShopError } from '#lib/errors.ts'

/** Lets so much work run at a time, and so much wait; the first to come is the first to run. */
export interface WorkQueue {
  /** Throws ShopError UNAVAILABLE when too much waits. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Throws ShopError UNAVAILABLE when too much waits, so that nothing else is begun for what would be refused. */
  expectRoom(): void
}

export function createWorkQueue({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  function expectRoom(): void {
    if (waiting.length >= mostWaiting) throw new ShopError('UNAVAILABLE')
  }

  async function turn(): Promise<void> {
    if (running < atOnce) {
      running++
      return
    }
    expectRoom()
    // Whoever ends hands over the place, so that nobody who comes in between takes it.
    await new Promise<void>(resolve => waiting.push(resolve))
  }

  function end(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return {
    expectRoom,
    async run(work) {
      await turn()
      try {
        return await work()
      } finally {
        end()
      }
    }
  }
}
