import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Publishing } from '#lib/contract/admin.ts'
import { toPaise } from '#lib/money.ts'
import { DAY, HOUR } from '#lib/time.ts'
import { createRepublish, type RepublishDeps } from '#server/publishing/republish.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { addToCatalog } from '../support/catalog.ts'
import { openPublishingShop } from '../support/publishing-shop.ts'
import { makePage, openTestPublisher, SMALL_SITE } from '../support/test-publisher.ts'

const DEBOUNCE = 50

async function openRepublishJob() {
  const publisher = await openTestPublisher()
  const outcomes: string[] = []
  const onDone: RepublishDeps['onDone'] = outcome => void outcomes.push(outcome.state)
  const run = createRepublish({ ...publisher, log: Fastify().log, onDone }, DEBOUNCE)
  return {
    publisher,
    check: () => run(new AbortController().signal),
    outcomes,
    change: publisher.changeContent
  }
}

describe('Automatic publishing', () => {
  test('publishes an outdated site at the start, and then only changes that affect the pages', async () => {
    const { publisher, check, outcomes, change } = await openRepublishJob()
    await check()
    const checks = publisher.checkCount()
    await check()
    await check()
    expect(outcomes).toEqual(['published'])
    expect(publisher.checkCount()).toBe(checks)
    await change('first')
    await check()
    expect(outcomes).toEqual(['published', 'fresh'])
  })

  test('publishes when a deal or a sale starts or ends and at New Year in India', async () => {
    const { publisher, check, outcomes } = await openRepublishJob()
    const deals = { morning: { product: 'jangiri', from: HOUR, to: 2 * HOUR } }
    const at = (ms: number) => new Date(publisher.clock() + ms).toISOString()
    const sale = { sale_price: toPaise(80_00), sale_from: at(3 * HOUR), sale_until: at(4 * HOUR) }
    await publisher.write(trx =>
      addToCatalog(trx, { products: { jangiri: sale }, deals }, publisher.clock())
    )
    publisher.setFiles({ ...SMALL_SITE, 'products/jangiri.html': makePage('Jangiri') })
    await check()
    for (const [event, time] of [
      ['the deal has started', HOUR],
      ['the deal has ended', HOUR],
      ['the sale has started', HOUR],
      ['the sale has ended', HOUR],
      ['it is another year', 60 * DAY]
    ] as const) {
      publisher.clock.advance(time / 2)
      await check()
      const before = outcomes.length
      publisher.setFiles({ ...SMALL_SITE, 'products/jangiri.html': makePage(event) })
      publisher.clock.advance(time / 2)
      await check()
      expect(outcomes.slice(before), event).toEqual(['published'])
    }
  })

  test('is retried after a failure only after the next change', async () => {
    const { publisher, check, outcomes, change } = await openRepublishJob()
    publisher.beforeRender(async () => {
      throw new Error('No memory left')
    })
    await check()
    publisher.beforeRender(async () => undefined)
    await check()
    expect(outcomes).toEqual(['failed'])
    await change('second')
    await check()
    expect(outcomes).toEqual(['failed', 'published'])
  })
})

describe('GET /admin/publishing', () => {
  async function openPublishingAdmin() {
    const opened = await openPublishingShop('sqlite')
    const { token } = await logInAsAdmin(opened.shop)
    return {
      ...opened,
      retry: () => call(opened.shop, 'POST /admin/publishing/retry', { token }),
      readState: async () =>
        (await call(opened.shop, 'GET /admin/publishing', { token })).body as Publishing
    }
  }

  test('reports the running publish and the time of the live release', async () => {
    const { publisher, runJob, readState } = await openPublishingAdmin()
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
    const { publisher, runJob, readState, retry } = await openPublishingAdmin()
    publisher.beforeRender(async () => {
      throw new Error('No space left on the disk')
    })
    await runJob()
    expect((await readState()).failed).toMatchObject({ problem: 'No space left on the disk' })
    publisher.beforeRender(async () => undefined)
    publisher.clock.advance(1000)
    expect((await retry()).status).toBe(202)
    expect((await readState()).waiting).toMatchObject({ cause: 'owner' })
    await runJob()
    const state = await readState()
    expect(state.live).toBeDefined()
    expect(state).not.toHaveProperty('failed')
  })

  test('names the pages that kept their last version, and tries them again on request', async () => {
    const { publisher, runJob, readState, retry } = await openPublishingAdmin()
    await runJob()
    publisher.breakPages('/products')
    await publisher.changeContent('second')
    await runJob()
    publisher.breakPages()
    await runJob()
    expect((await readState()).failedPages).toEqual(['/products'])
    publisher.clock.advance(1000)
    await retry()
    await runJob()
    expect((await readState()).failedPages).toEqual([])
  })
})
