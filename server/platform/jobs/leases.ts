import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import type { Trx } from '../db/tables.ts'
import type { DataDeps } from '../db/write.ts'

const LEASE_TIME = 15 * SECOND
const RENEW_EVERY = 5 * SECOND
const RETRY_DELAY = SECOND

/** Takes or renews a lease. Returns false if another holder has the lease. `now` is in ms. */
export async function takeLease(trx: Trx, name: string, holder: string, now: number, ms: number): Promise<boolean> {
  const lease = { name, holder, until: new Date(now + ms).toISOString() }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('leases')
    .values(lease)
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder: lease.holder, until: lease.until })
        .where(row =>
          row.or([row('leases.holder', '=', holder), row('leases.until', '<=', new Date(now).toISOString())])
        )
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function releaseLease(trx: Trx, name: string, holder: string): Promise<void> {
  await trx.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}

/** A lock in the database, so that only one process at a time does the work. */
export interface Lock {
  /** Aborts if another process has taken the lock. */
  signal: AbortSignal
  /** Throws if another process has taken the lock. */
  confirm(): Promise<void>
}

interface LockOptions extends Pick<DataDeps, 'write' | 'clock'> {
  signal: AbortSignal
  onWait: () => void
}

/** Waits for the lock `name` and renews it until `work` ends. */
export async function withLock<Result>(
  name: string,
  { write, clock, signal, onWait }: LockOptions,
  work: (lock: Lock) => Promise<Result>
): Promise<Result> {
  const holder = randomUUID()
  const acquire = (): Promise<boolean> => write(trx => takeLease(trx, name, holder, clock(), LEASE_TIME))
  for (let attempt = 0; !(await acquire()); attempt++) {
    if (attempt === 0) onWait()
    await sleep(RETRY_DELAY, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  const lockLost = new AbortController()
  const confirm = async (): Promise<void> => {
    if (!(await acquire())) lockLost.abort(new Error(`Another process has taken the lock '${name}'`))
    lockLost.signal.throwIfAborted()
  }
  // A failed renewal is ignored, because the work calls `confirm` before its result takes effect.
  const renewal = setInterval(() => void confirm().catch(() => undefined), RENEW_EVERY)
  try {
    return await work({ signal: AbortSignal.any([signal, lockLost.signal]), confirm })
  } finally {
    clearInterval(renewal)
    await write(trx => releaseLease(trx, name, holder)).catch(() => undefined)
  }
}
