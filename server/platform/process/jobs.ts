import { type SelectQueryBuilder, sql, type RawBuilder } from 'kysely'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type IsoTime, SECOND, isoNow } from '#lib/time.ts'
import { isPostgres } from '../db/postgres.ts'
import type { Db, Tables, Trx } from '../db/tables.ts'
import { type DataDeps, hasWritten } from '../db/write.ts'

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

/** Two runs never overlap. The loop continues after a failed run. */
export function startLoop({ interval, run, onError, gracePeriod }: LoopOptions): Loop {
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wakeRequested = false

  function runNow() {
    if (stopped.signal.aborted) return
    clearTimeout(timer)
    wakeRequested = running !== undefined
    running ??= run(stopped.signal).catch(report).finally(schedule)
  }

  function report(error: unknown) {
    if (!stopped.signal.aborted) onError(error)
  }

  function schedule() {
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
      await Promise.race([running, sleep(gracePeriod, undefined, { ref: false })])
    }
  }
}

const DRAIN_LEASE_TIME = 30 * SECOND
const BATCH = 5

interface DueJobs<Item> {
  name: string
  listDue: (now: IsoTime) => Promise<Item[]>
  handle: (item: Item) => Promise<void>
}

export async function drainDueJobs<Item>(
  { write, clock }: Pick<DataDeps, 'write' | 'clock'>,
  { name, listDue, handle }: DueJobs<Item>,
  holder: string,
  signal?: AbortSignal
): Promise<void> {
  if ((await listDue(isoNow(clock))).length === 0) return
  if (!(await write(trx => takeLease(trx, name, holder, DRAIN_LEASE_TIME), { shows: 'nothing' })))
    return
  const renew = () =>
    write(trx => renewLease(trx, name, holder, DRAIN_LEASE_TIME), { shows: 'nothing' })
  try {
    do {
      const items = await listDue(isoNow(clock))
      if (items.length === 0 || signal?.aborted) return
      // Waits for all items, because an item must not be retried while it is still running.
      const outcomes = await renewWhile(renew, Promise.allSettled(items.map(handle)))
      const failure = outcomes.find(outcome => outcome.status === 'rejected')
      if (failure) throw failure.reason
    } while (await renew())
  } finally {
    await write(trx => releaseLease(trx, name, holder), { shows: 'nothing' })
  }
}

export function listDueRows<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  column: 'next_at' | 'next_check_at',
  now: IsoTime
): Promise<Row[]> {
  const dueAt = sql.ref<string>(column)
  return query.where(dueAt, '<=', now).orderBy(dueAt).orderBy(sql.ref('id')).limit(BATCH).execute()
}

export async function postponeRow(
  trx: Trx,
  table: 'refunds' | 'webhook_events',
  id: string,
  nextAt: IsoTime
): Promise<void> {
  await trx
    .updateTable(table)
    .set({ next_at: nextAt, attempts: sql<number>`attempts + 1` })
    .where('id', '=', id)
    .where('next_at', 'is not', null)
    .execute()
}

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
async function renewLease(trx: Trx, name: string, holder: string, ms: number) {
  return hasWritten(
    trx
      .updateTable('leases')
      .set({ until: databaseTime(trx, ms) })
      .where('name', '=', name)
      .where('holder', '=', holder)
  )
}

function databaseTime(trx: Db | Trx, ms: number): RawBuilder<string> {
  const seconds = ms / SECOND
  return isPostgres(trx)
    ? sql`to_char(clock_timestamp() at time zone 'UTC' + make_interval(secs => ${seconds}),
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${seconds} seconds`})`
}

async function renewWhile<Result>(
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

export async function hasLease(db: Db, name: string): Promise<boolean> {
  const leases = db.selectFrom('leases').select('name').where('name', '=', name)
  return (await leases.where('until', '>', databaseTime(db, 0)).executeTakeFirst()) !== undefined
}

export async function deleteEndedLeases(trx: Trx, prefix: string): Promise<void> {
  await trx
    .deleteFrom('leases')
    .where('name', 'like', `${prefix}%`)
    .where('until', '<=', databaseTime(trx, 0))
    .execute()
}

export interface Lock {
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
  const take = (trx: Trx) => takeLease(trx, name, holder, LEASE_TIME)
  // A renewal that is still on its way when the lock is released must not take it again.
  const renew = (trx: Trx) => renewLease(trx, name, holder, LEASE_TIME)
  const lockLost = new AbortController()
  let expiry: NodeJS.Timeout | undefined
  const hold = async (takeOrRenew: typeof take) => {
    const startedAt = performance.now()
    if (!(await write(takeOrRenew))) return false
    clearTimeout(expiry)
    const expire = () =>
      lockLost.abort(new Error(`The lock '${name}' could not be renewed in time`))
    expiry = setTimeout(expire, startedAt + LEASE_TIME - performance.now()).unref()
    return true
  }
  for (let attempt = 0; !(await hold(take)); attempt++) {
    if (attempt === 0) onWait?.()
    await sleep(RETRY_DELAY, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  const confirm = async (trx?: Trx) => {
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
