import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import type { Clock } from '../../platform/process/clock.ts'
import type { Write } from '../../platform/db/write.ts'
import { releaseLease, takeLease } from '../../platform/jobs/leases.ts'

const LEASE_NAME = 'publish'
const LEASE_TIME = 15 * SECOND
const RENEW_EVERY = 5 * SECOND
const RETRY_DELAY = SECOND

/** A lock in the database, so that only one process publishes at a time. */
export interface PublishLock {
  signal: AbortSignal
  confirm(): Promise<void>
}

interface LockDeps {
  write: Write
  clock: Clock
  signal: AbortSignal
  onWait: () => void
}

export async function withPublishLock<Result>(
  deps: LockDeps,
  work: (lock: PublishLock) => Promise<Result>
): Promise<Result> {
  const { write, clock, signal } = deps
  const holder = randomUUID()
  const acquire = (): Promise<boolean> => write(trx => takeLease(trx, LEASE_NAME, holder, clock(), LEASE_TIME))
  for (let attempt = 0; !(await acquire()); attempt++) {
    if (attempt === 0) deps.onWait()
    await sleep(RETRY_DELAY, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  const lockLost = new AbortController()
  const confirm = async (): Promise<void> => {
    if (!(await acquire())) lockLost.abort(new Error('Another process has taken over publishing'))
    lockLost.signal.throwIfAborted()
  }
  // A failed renewal is ignored, because the lock is checked again before the new release goes live.
  const renewal = setInterval(() => void confirm().catch(() => undefined), RENEW_EVERY)
  try {
    return await work({ signal: AbortSignal.any([signal, lockLost.signal]), confirm })
  } finally {
    clearInterval(renewal)
    await write(trx => releaseLease(trx, LEASE_NAME, holder)).catch(() => undefined)
  }
}
