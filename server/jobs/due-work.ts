import type { Clock } from '../clock.ts'
import type { Write } from '../db/write.ts'
import { MINUTE } from '#lib/time.ts'
import { releaseLease, takeLease } from '../queries/leases.ts'

/** Longer than a batch can take; taken anew before each. */
const LEASE_TIME = 3 * MINUTE

export interface DueWork<Item> {
  /** By which others know that it is being done. */
  name: string
  /** A batch of what is due; what is done is due no more, or later. */
  due: () => Promise<Item[]>
  handle: (item: Item) => Promise<void>
}

/** Does all that is due, a batch at a time; of several processes one does. Throws what an item throws, after its batch. */
export async function doWhatIsDue<Item>(
  { write, clock }: { write: Write; clock: Clock },
  { name, due, handle }: DueWork<Item>,
  holder: string,
  signal?: AbortSignal
): Promise<void> {
  // A shop in which nothing is due writes nothing.
  if ((await due()).length === 0) return
  while (await write(trx => takeLease(trx, name, holder, clock(), LEASE_TIME))) {
    const items = await due()
    if (items.length === 0 || signal?.aborted) break
    // All of them, so that none is still under way when it is tried again.
    const outcomes = await Promise.allSettled(items.map(handle))
    const failure = outcomes.find(outcome => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }
  await write(trx => releaseLease(trx, name, holder))
}
