import { randomUUID } from 'node:crypto'
import { WEBSITE_AUDIT_ID } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { readCounter } from '../platform/db/counters.ts'
import { insertPublish, NEW_PUBLISH } from './queries.ts'
import { withPublishLock } from './release/publish-lock.ts'
import { hashCode, type PublishDeps } from './publish-site.ts'

/** `release` stays live until the content or the code changes or somebody requests a publish. Throws NOT_FOUND. */
export async function rollBackRelease(
  deps: PublishDeps,
  actor: Actor,
  release: string,
  signal: AbortSignal
): Promise<void> {
  await withPublishLock({ ...deps, signal, onWait: () => undefined }, async ({ confirm }) => {
    const exists = (await deps.store.listIds()).includes(release) && (await deps.store.manifest(release))
    if (!exists) throw new ShopError('NOT_FOUND')
    const counter = await readCounter(deps.database.kysely, 'catalog')
    const code = await hashCode(deps)
    await confirm()
    await deps.store.switchTo(release)
    await deps.releases.refresh()
    const at = isoNow(deps.clock)
    const ended = { state: 'live' as const, requested_at: at, started_at: at, ended_at: at }
    await deps.write(async trx => {
      await insertPublish(trx, {
        ...NEW_PUBLISH,
        ...ended,
        id: randomUUID(),
        cause: 'return',
        release,
        pages: 0,
        counter,
        code
      })
      await record(trx, { actor, at, kind: 'publish', id: WEBSITE_AUDIT_ID, action: 'returned to', after: { release } })
    })
  })
}
