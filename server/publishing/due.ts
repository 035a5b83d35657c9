import { createHash } from 'node:crypto'
import { toYearInIndia } from '#lib/time.ts'
import { nextPriceChange } from '../deals/running-deals.ts'
import { readCounter } from '../platform/db/counters.ts'
import { toCheckoutUrl } from '../razorpay/settings.ts'
import type { PublishDeps } from './publish.ts'
import { findLastLivePublish, hasOpenPublish } from './queries.ts'

export async function isStale(deps: PublishDeps): Promise<boolean> {
  const { releases, database, clock } = deps
  const current = await releases.current()
  if (!current) return true
  if (deps.shared && (await deps.shared.liveId()) !== current.id) return true
  const now = clock()
  const from = Date.parse(current.createdAt)
  if (from > now || toYearInIndia(from) !== toYearInIndia(now)) return true
  const [code, counter, change] = await Promise.all([
    hashCode(deps),
    readCounter(database.kysely, 'catalog'),
    nextPriceChange(database.kysely, current.createdAt)
  ])
  return (
    current.code !== code ||
    current.counter !== counter ||
    (change !== undefined && Date.parse(change) <= now)
  )
}

export async function isDue(deps: PublishDeps): Promise<boolean> {
  await deps.shared?.follow()
  if (await isSuperseded(deps)) return false
  if (await hasOpenPublish(deps.database.kysely)) return true
  return (await isStale(deps)) && !(await isRolledBack(deps))
}

/**
 * True if another process has published another version of the code since this process started:
 * this process must not replace it. The newer version also handles the publish requests of this
 * process.
 */
export async function isSuperseded(deps: PublishDeps): Promise<boolean> {
  const current = await deps.releases.current()
  if (!current) return false
  const last = await findLastLivePublish(deps.database.kysely)
  // After a rollback, the code of the process that rolled back counts, not that of the older
  // release.
  const live =
    last?.cause === 'return' && last.release === current.id && last.code !== null
      ? last.code
      : current.code
  deps.baseCode.hash ??= live
  return live !== deps.baseCode.hash && live !== (await hashCode(deps))
}

/** Returns a hash of the code and of the settings that change the pages. */
export async function hashCode({
  version,
  config
}: Pick<PublishDeps, 'version' | 'config'>): Promise<string> {
  const parts = [await version(), config.siteUrl, config.publicApiBase, toCheckoutUrl(config)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}

export async function isRolledBack(deps: PublishDeps): Promise<boolean> {
  const last = await findLastLivePublish(deps.database.kysely)
  // `npm run publish` makes another release live without a row of its own.
  if (last?.cause !== 'return' || last.release !== (await deps.releases.current())?.id) return false
  return (
    last.counter === (await readCounter(deps.database.kysely, 'catalog')) &&
    last.code === (await hashCode(deps))
  )
}
