import type { Clock } from '../clock.ts'
import type { Write } from '../db/write.ts'
import { MINUTE } from '#lib/time.ts'
import { releaseLease, takeLease } from '../queries/leases.ts'

/** Longer than a batch can take; renewed before each. */
const LEASE_TIME = 3 * MINUTE

export interface DueJobs<Item> {
  name: string
  due: () => Promise<Item[]>
  handle: (item: Item) => Promise<void>
}

export async function drainDueJobs<Item>(
  { write, clock }: { write: Write; clock: Clock },
  { name, due, handle }: DueJobs<Item>,
  holder: string,
  signal?: AbortSignal
): Promise<void> {
  // Avoid the lease's write if nothing is due.
  if ((await due()).length === 0) return
  while (await write(trx => takeLease(trx, name, holder, clock(), LEASE_TIME))) {
    const items = await due()
    if (items.length === 0 || signal?.aborted) break
    // Wait for all: no item may still be running when it is retried.
    const outcomes = await Promise.allSettled(items.map(handle))
    const failure = outcomes.find(outcome => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }
  await write(trx => releaseLease(trx, name, holder))
}
