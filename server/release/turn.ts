import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { Write } from '../db/write.ts'
import { releaseLease, takeLease } from '../queries/leases.ts'

const NAME = 'publish'
/** How long others wait for one that died while publishing. */
const LEASE_TIME = 15 * SECOND
const RENEWAL = 5 * SECOND
const ASK_AGAIN = SECOND

export interface Turn {
  /** Aborted when the caller's signal is, or when another process took over. */
  signal: AbortSignal
  /** Throws when another process took over. */
  confirm(): Promise<void>
}

interface TurnDeps {
  write: Write
  clock: Clock
  signal: AbortSignal
  /** Told once when somebody else is publishing. */
  waiting: () => void
}

/** Runs `work` as the only publisher of this database, as soon as no other one is at work. */
export async function inTurn<Result>(deps: TurnDeps, work: (turn: Turn) => Promise<Result>): Promise<Result> {
  const { write, clock, signal } = deps
  const holder = randomUUID()
  const take = (): Promise<boolean> => write(trx => takeLease(trx, NAME, holder, clock(), LEASE_TIME))
  for (let asked = 0; !(await take()); asked++) {
    if (asked === 0) deps.waiting()
    await sleep(ASK_AGAIN, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  const lost = new AbortController()
  const confirm = async (): Promise<void> => {
    if (!(await take())) lost.abort(new Error('Another process has taken over the publishing'))
    lost.signal.throwIfAborted()
  }
  // A database that is away for a moment ends nothing: the release is confirmed once more before it is switched to.
  const renewal = setInterval(() => void confirm().catch(() => undefined), RENEWAL)
  try {
    return await work({ signal: AbortSignal.any([signal, lost.signal]), confirm })
  } finally {
    clearInterval(renewal)
    await write(trx => releaseLease(trx, NAME, holder)).catch(() => undefined)
  }
}
