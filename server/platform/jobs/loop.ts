import { type SelectQueryBuilder, sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { type IsoTime, SECOND, isoNow } from '#lib/time.ts'
import type { Tables, Trx } from '../db/tables.ts'
import type { DataDeps } from '../db/write.ts'
import { releaseLease, renewLease, renewWhile, takeLease } from './leases.ts'

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

/** Calls `run` at each interval. Two runs never overlap. The loop continues after a failed run. */
export function startLoop({ interval, run, onError, gracePeriod }: LoopOptions): Loop {
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wakeRequested = false

  function runNow(): void {
    if (stopped.signal.aborted) return
    clearTimeout(timer)
    wakeRequested = running !== undefined
    running ??= run(stopped.signal).catch(report).finally(schedule)
  }

  function report(error: unknown): void {
    if (!stopped.signal.aborted) onError(error)
  }

  function schedule(): void {
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

const LEASE_TIME = 30 * SECOND
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
  if (!(await write(trx => takeLease(trx, name, holder, LEASE_TIME), { shows: 'nothing' }))) return
  const renew = (): Promise<boolean> =>
    write(trx => renewLease(trx, name, holder, LEASE_TIME), { shows: 'nothing' })
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
