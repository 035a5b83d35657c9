import { MINUTE } from '#lib/time.ts'
import type { Write } from '../db/write.ts'
import type { Clock } from '../process/clock.ts'
import { releaseLease, takeLease } from './leases.ts'

/** Must be longer than a batch takes, because the lease is renewed only before each batch. */
const LEASE_TIME = 3 * MINUTE

export interface DueJobs<Item> {
  name: string
  listDue: () => Promise<Item[]>
  handle: (item: Item) => Promise<void>
}

export async function drainDueJobs<Item>(
  { write, clock }: { write: Write; clock: Clock },
  { name, listDue, handle }: DueJobs<Item>,
  holder: string,
  signal?: AbortSignal
): Promise<void> {
  if ((await listDue()).length === 0) return
  while (await write(trx => takeLease(trx, name, holder, clock(), LEASE_TIME))) {
    const items = await listDue()
    if (items.length === 0 || signal?.aborted) break
    // Waits for all items, because an item must not be retried while it is still running.
    const outcomes = await Promise.allSettled(items.map(handle))
    const failure = outcomes.find(outcome => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }
  await write(trx => releaseLease(trx, name, holder))
}
