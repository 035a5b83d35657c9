import pLimit from 'p-limit'
import { ShopError } from '#lib/errors.ts'

interface WorkQueue {
  /** Owners take turns. Throws UNAVAILABLE if the queue is full. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
  checkCapacity(owner: string): void
}

interface Limits {
  concurrency: number
  maxWaiting: number
  maxWaitingPerOwner?: number
}

export function createWorkQueue({
  concurrency,
  maxWaiting,
  maxWaitingPerOwner = Infinity
}: Limits): WorkQueue {
  const limit = pLimit(concurrency)
  const tasksByOwner = new Map<string, (() => Promise<void>)[]>()

  function checkCapacity(owner: string) {
    const waiting = tasksByOwner.get(owner)?.length ?? 0
    if (limit.pendingCount >= maxWaiting || waiting >= maxWaitingPerOwner)
      throw new ShopError('UNAVAILABLE')
  }

  async function runNext() {
    const [owner, tasks] = tasksByOwner.entries().next().value ?? ['', []]
    const [task, ...otherTasks] = tasks
    tasksByOwner.delete(owner)
    // A Map keeps the order of insertion: this owner comes last now.
    if (otherTasks.length > 0) tasksByOwner.set(owner, otherTasks)
    await task?.()
  }

  return {
    checkCapacity,
    async run(owner, work) {
      checkCapacity(owner)
      return new Promise((resolve, reject) => {
        const task = () => work().then(resolve, reject)
        tasksByOwner.set(owner, [...(tasksByOwner.get(owner) ?? []), task])
        void limit(runNext)
      })
    }
  }
}

/** After a failure, starts no further work, and throws when the started work has ended. */
export async function inParallel<Item>(
  concurrency: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>
): Promise<void> {
  let failure: { error: unknown } | undefined
  await pLimit(concurrency).map(items, async item => {
    if (failure) return
    await work(item).catch((error: unknown) => {
      failure ??= { error }
    })
  })
  if (failure) throw failure.error
}

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

export function shareRunning<Key, Value>(
  running: Map<Key, Promise<Value>>,
  key: Key,
  work: () => Promise<Value>
): Promise<Value> {
  const promise = running.get(key) ?? work().finally(() => running.delete(key))
  running.set(key, promise)
  return promise
}
