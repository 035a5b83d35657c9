import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { Write } from '../db/write.ts'
import { releaseLease, takeLease } from '../queries/leases.ts'

const NAME = 'publish'
const LEASE_TIME = 15 * SECOND
const RENEW_EVERY = 5 * SECOND
const RETRY_DELAY = SECOND

/** A database lock, so that one process publishes at a time. */
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
  const acquire = (): Promise<boolean> => write(trx => takeLease(trx, NAME, holder, clock(), LEASE_TIME))
  for (let attempt = 0; !(await acquire()); attempt++) {
    if (attempt === 0) deps.onWait()
    await sleep(RETRY_DELAY, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  const lost = new AbortController()
  const confirm = async (): Promise<void> => {
    if (!(await acquire())) lost.abort(new Error('Another process has taken over publishing'))
    lost.signal.throwIfAborted()
  }
  // Ignore failed renewals: the lock is confirmed again before the switch.
  const renewal = setInterval(() => void confirm().catch(() => undefined), RENEW_EVERY)
  try {
    return await work({ signal: AbortSignal.any([signal, lost.signal]), confirm })
  } finally {
    clearInterval(renewal)
    await write(trx => releaseLease(trx, NAME, holder)).catch(() => undefined)
  }
}
