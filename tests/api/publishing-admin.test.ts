import { describe, expect, test } from 'vitest'
import type { Publishing, Release } from '#lib/contract/admin.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { logInAsAdmin, call, statusAndCode, register } from '../support/accounts.ts'
import type { CatalogDraft } from '../support/catalog.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openPublishingShop, type PublishingShop } from '../support/publishing-shop.ts'

interface PublishingAdmin extends PublishingShop {
  readState(): Promise<Publishing>
  readReleases(): Promise<Release[]>
  callAsAdmin(line: string, body?: unknown): ReturnType<typeof call>
}

async function openPublishingAdmin(
  engine: Engine = 'sqlite',
  content: CatalogDraft = {}
): Promise<PublishingAdmin> {
  const opened = await openPublishingShop(engine, content)
  const { token } = await logInAsAdmin(opened.shop)
  const callAsAdmin: PublishingAdmin['callAsAdmin'] = (line, body) =>
    call(opened.shop, line, { token, ...(body !== undefined && { body }) })
  return {
    ...opened,
    callAsAdmin,
    readState: async () => (await callAsAdmin('GET /admin/publishing')).body as Publishing,
    readReleases: async () =>
      (await callAsAdmin('GET /admin/publishing/releases')).body as Release[]
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
    expect(await readState()).toMatchObject({
      live: { since: '2026-11-21T04:01:00.000Z' },
      rolledBack: false
    })
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

  test('reports that an older release was restored, but only until the next change is published', async () => {
    const { publisher, runJob, readState, callAsAdmin } = await openPublishingAdmin('sqlite')
    await runJob()
    const first = (await readState()).live?.release
    publisher.clock.advance(2000)
    await publisher.changeContent('second')
    await runJob()
    expect((await readState()).live?.release).not.toBe(first)

    publisher.clock.advance(2000)
    const reply = await callAsAdmin('POST /admin/publishing/roll-back', { release: first })
    expect(reply.body).toMatchObject({ live: { release: first }, rolledBack: true })
    expect(await publisher.current()).toBe(`releases/${first}`)
    expect((await callAsAdmin('GET /admin/audit?kind=publish')).body).toMatchObject([
      { action: 'returned to', actor: { name: 'Administrator' }, after: { release: first } }
    ])
    await runJob()
    await runJob()
    expect((await readState()).live?.release).toBe(first)

    publisher.clock.advance(2000)
    await publisher.changeContent('third')
    await runJob()
    const state = await readState()
    expect(state.live?.release).not.toBe(first)
    expect(state.rolledBack).toBe(false)
  })
})

const OLDEST = 'The oldest version that is kept'

describe('GET /admin/publishing/releases', () => {
  const changesOf = (releases: readonly Release[]): string[] =>
    releases.map(({ changes }) => changes)

  test.each(ENGINES)('says on %s what changed since the release before', async engine => {
    const products = { laddu: { name: 'Boondi Laddu' }, murukku: { name: 'Murukku' } }
    const { publisher, runJob, readReleases, callAsAdmin } = await openPublishingAdmin(engine, {
      products
    })
    const publishNext = async (): Promise<void> => {
      publisher.clock.advance(1000)
      await publisher.changeContent(publisher.clock().toString())
      await runJob()
    }
    await runJob()
    const [first] = await readReleases()
    expect(first).toMatchObject({ pages: 3, current: true, changes: OLDEST })

    publisher.clock.advance(1000)
    await callAsAdmin('PATCH /admin/products/laddu', { price: 200, version: 1 })
    await publishNext()
    publisher.clock.advance(1000)
    await callAsAdmin('PATCH /admin/products/laddu', { hidden: true, version: 2 })
    publisher.clock.advance(1000)
    await callAsAdmin('PATCH /admin/products/murukku', {
      name: 'Kai Murukku',
      shelfLife: '20 days',
      version: 1
    })
    await publishNext()
    publisher.clock.advance(1000)
    // No page shows the settings of mails.
    const mail = (await callAsAdmin('GET /admin/settings/mail')).body as StoredSection<'mail'>
    await callAsAdmin('PUT /admin/settings/mail', {
      value: { ...mail.value, signature: 'Amma' },
      version: mail.version
    })
    await publishNext()
    publisher.clock.advance(1000)
    const { value, version } = (await callAsAdmin('GET /admin/settings/shop'))
      .body as StoredSection<'shop'>
    await callAsAdmin('PUT /admin/settings/shop', {
      value: { ...value, name: 'Amma’s Kitchen' },
      version
    })
    await publishNext()
    const releases = await readReleases()
    expect(changesOf(releases)).toEqual([
      'Settings “Shop details” changed',
      'Stock or flash deals',
      'Kai Murukku changed and 1 more',
      'Price of Boondi Laddu changed',
      OLDEST
    ])
    expect(releases.map(({ current }) => current)).toEqual([true, false, false, false, false])
  })
})

test('What is saved while the code of the first release is built is not named as a change of the second', async () => {
  const products = { laddu: { name: 'Boondi Laddu' } }
  const { publisher, runJob, readReleases, callAsAdmin } = await openPublishingAdmin('sqlite', {
    products
  })
  const { build } = publisher.builder
  publisher.builder.build = async request => {
    publisher.clock.advance(60_000)
    await callAsAdmin('PATCH /admin/products/laddu', { price: 200, version: 1 })
    await build(request)
  }
  await runJob()
  publisher.clock.advance(1000)
  await publisher.changeContent('second')
  await runJob()
  expect((await readReleases()).map(({ changes }) => changes)).toEqual([
    'Stock or flash deals',
    OLDEST
  ])
})

test('Publishing calls are for administrators only', async () => {
  const { shop } = await openPublishingAdmin()
  const { token } = await register(shop)
  for (const line of [
    'GET /admin/publishing',
    'POST /admin/publishing/retry',
    'POST /admin/publishing/roll-back'
  ]) {
    expect(statusAndCode(await call(shop, line)), line).toBe('401 UNAUTHORIZED')
    expect(statusAndCode(await call(shop, line, { token })), line).toBe('403 FORBIDDEN')
  }
})

test('Restoring an unknown release returns 404', async () => {
  const { runJob, callAsAdmin } = await openPublishingAdmin()
  await runJob()
  expect(
    statusAndCode(await callAsAdmin('POST /admin/publishing/roll-back', { release: '../../etc' }))
  ).toBe('404 NOT_FOUND')
})
