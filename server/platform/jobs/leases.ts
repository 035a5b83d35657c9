import { sql, type RawBuilder } from 'kysely'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { isPostgres } from '../db/postgres.ts'
import type { Trx } from '../db/tables.ts'
import { hasWritten, type DataDeps } from '../db/write.ts'

const LEASE_TIME = 15 * SECOND
const RENEW_EVERY = 5 * SECOND
const RETRY_DELAY = SECOND

/** For `ms` by the database's clock. Returns false if another holder has the lease. */
export async function takeLease(
  trx: Trx,
  name: string,
  holder: string,
  ms: number
): Promise<boolean> {
  const lease = { name, holder, until: databaseTime(trx, ms) }
  return hasWritten(
    trx
      .insertInto('leases')
      .values(lease)
      .onConflict(conflict =>
        conflict
          .column('name')
          .doUpdateSet({ holder: lease.holder, until: lease.until })
          .where(row =>
            row.or([
              row('leases.holder', '=', holder),
              row('leases.until', '<=', databaseTime(trx, 0)),
              // Was written while a clock was wrong, because no lease is longer.
              row('leases.until', '>', databaseTime(trx, ms))
            ])
          )
      )
  )
}

/** Returns false if another holder has taken the lease, also if it has been released since. */
export async function renewLease(
  trx: Trx,
  name: string,
  holder: string,
  ms: number
): Promise<boolean> {
  return hasWritten(
    trx
      .updateTable('leases')
      .set({ until: databaseTime(trx, ms) })
      .where('name', '=', name)
      .where('holder', '=', holder)
  )
}

function databaseTime(trx: Trx, ms: number): RawBuilder<string> {
  const seconds = ms / SECOND
  return isPostgres(trx)
    ? sql`to_char(clock_timestamp() at time zone 'UTC' + make_interval(secs => ${seconds}),
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${seconds} seconds`})`
}

export async function renewWhile<Result>(
  renew: () => Promise<unknown>,
  work: Promise<Result>
): Promise<Result> {
  // A failed renewal is ignored, because the work confirms the lease before its next step.
  const renewal = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY)
  return work.finally(() => clearInterval(renewal))
}

export async function releaseLease(trx: Trx, name: string, holder: string): Promise<void> {
  await trx.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}

/** Returns true once for a lease that has not ended, to one of all processes. */
export async function useUpLease(trx: Trx, name: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('leases')
    .where('name', '=', name)
    .where('until', '>', databaseTime(trx, 0))
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function deleteEndedLeases(trx: Trx, prefix: string): Promise<void> {
  await trx
    .deleteFrom('leases')
    .where('name', 'like', `${prefix}%`)
    .where('until', '<=', databaseTime(trx, 0))
    .execute()
}

export interface Lock {
  /** Aborts if another process has, or may have, taken the lock. */
  signal: AbortSignal
  confirm(trx?: Trx): Promise<void>
}

interface LockOptions extends Pick<DataDeps, 'write'> {
  signal: AbortSignal
  onWait?: () => void
}

export async function withLock<Result>(
  name: string,
  { write, signal, onWait }: LockOptions,
  work: (lock: Lock) => Promise<Result>
): Promise<Result> {
  const holder = randomUUID()
  const take = (trx: Trx): Promise<boolean> => takeLease(trx, name, holder, LEASE_TIME)
  // A renewal that is still on its way when the lock is released must not take it again.
  const renew = (trx: Trx): Promise<boolean> => renewLease(trx, name, holder, LEASE_TIME)
  const lockLost = new AbortController()
  let expiry: NodeJS.Timeout | undefined
  const hold = async (takeOrRenew: typeof take): Promise<boolean> => {
    const startedAt = performance.now()
    if (!(await write(takeOrRenew))) return false
    clearTimeout(expiry)
    const expire = (): void =>
      lockLost.abort(new Error(`The lock '${name}' could not be renewed in time`))
    expiry = setTimeout(expire, startedAt + LEASE_TIME - performance.now()).unref()
    return true
  }
  for (let attempt = 0; !(await hold(take)); attempt++) {
    if (attempt === 0) onWait?.()
    await sleep(RETRY_DELAY, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  const confirm = async (trx?: Trx): Promise<void> => {
    // A renewal inside a transaction can be rolled back, so it does not move the expiry.
    if (!(await (trx ? renew(trx) : hold(renew))))
      lockLost.abort(new Error(`Another process has taken the lock '${name}'`))
    lockLost.signal.throwIfAborted()
  }
  try {
    return await renewWhile(
      confirm,
      work({ signal: AbortSignal.any([signal, lockLost.signal]), confirm })
    )
  } finally {
    clearTimeout(expiry)
    await write(trx => releaseLease(trx, name, holder)).catch(() => undefined)
  }
}
