import { describe, expect, test } from 'vitest'
import type { Publishing } from '#lib/contract/admin.ts'
import { logInAsAdmin, call, statusAndCode, register } from '../support/accounts.ts'
import type { Engine } from '../support/database.ts'
import { openPublishingShop, type PublishingShop } from '../support/publishing-shop.ts'

interface PublishingAdmin extends PublishingShop {
  readState(): Promise<Publishing>
  callAsAdmin(line: string, body?: unknown): ReturnType<typeof call>
}

async function openPublishingAdmin(engine: Engine = 'sqlite'): Promise<PublishingAdmin> {
  const opened = await openPublishingShop(engine)
  const { token } = await logInAsAdmin(opened.shop)
  const callAsAdmin: PublishingAdmin['callAsAdmin'] = (line, body) =>
    call(opened.shop, line, { token, ...(body !== undefined && { body }) })
  return {
    ...opened,
    callAsAdmin,
    readState: async () => (await callAsAdmin('GET /admin/publishing')).body as Publishing
  }
}

describe('GET /admin/publishing', () => {
  test('reports the running publish and the time of the live release', async () => {
    const { publisher, runJob, readState } = await openPublishingAdmin('sqlite')
    await runJob()
    const { live } = await readState()
    expect(live?.since).toBe('2026-11-21T04:00:00.000Z')

    publisher.clock.advance(60_000)
    await publisher.changeContent('second')
    const states: Publishing[] = []
    publisher.beforePage(async () => void states.push(await readState()))
    await runJob()
    expect(states[0]).toMatchObject({ rendering: { cause: 'change', state: 'rendering' }, live })
    expect(states[0]).not.toHaveProperty('waiting')
    expect(await readState()).toMatchObject({ live: { since: '2026-11-21T04:01:00.000Z' } })
  })

  test('reports why a publish failed and publishes again on request', async () => {
    const { publisher, runJob, readState, callAsAdmin } = await openPublishingAdmin('sqlite')
    publisher.beforeRender(async () => {
      throw new Error('No space left on the disk')
    })
    await runJob()
    expect((await readState()).failed).toMatchObject({ problem: 'No space left on the disk' })
    publisher.beforeRender(async () => undefined)
    await runJob()
    expect((await readState()).live).toBeUndefined()
    publisher.clock.advance(1000)
    expect((await callAsAdmin('POST /admin/publishing/retry')).status).toBe(202)
    expect((await readState()).waiting).toMatchObject({ cause: 'owner' })
    await runJob()
    const state = await readState()
    expect(state.live).toBeDefined()
    expect(state).not.toHaveProperty('failed')
  })

  test('names the pages that kept their last version, and tries them again on request', async () => {
    const { publisher, runJob, readState, callAsAdmin } = await openPublishingAdmin('sqlite')
    await runJob()
    expect((await readState()).failedPages).toEqual([])
    publisher.breakPages('/products')
    await publisher.changeContent('second')
    await runJob()
    expect((await readState()).failedPages).toEqual(['/products'])
    publisher.breakPages()
    await runJob()
    expect((await readState()).failedPages).toEqual(['/products'])
    publisher.clock.advance(1000)
    await callAsAdmin('POST /admin/publishing/retry')
    await runJob()
    expect((await readState()).failedPages).toEqual([])
  })
})

test('Publishing calls are for administrators only', async () => {
  const { shop } = await openPublishingAdmin()
  const { token } = await register(shop)
  for (const line of ['GET /admin/publishing', 'POST /admin/publishing/retry']) {
    expect(statusAndCode(await call(shop, line)), line).toBe('401 UNAUTHORIZED')
    expect(statusAndCode(await call(shop, line, { token })), line).toBe('403 FORBIDDEN')
  }
})
