import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { toPaise } from '#lib/money.ts'
import { DAY, HOUR } from '#lib/time.ts'
import { createRepublish, type RepublishDeps } from '#server/publishing/republish.ts'
import { addToCatalog } from '../support/catalog.ts'
import { openTestPublisher, type TestPublisher } from '../support/test-publisher.ts'
import { makePage, SMALL_SITE } from '../support/releases.ts'

const DEBOUNCE = 50

interface RepublishJob {
  publisher: TestPublisher
  check(): Promise<void>
  outcomes: string[]
  change(content: string): Promise<void>
}

async function openRepublishJob(): Promise<RepublishJob> {
  const publisher = await openTestPublisher()
  const outcomes: string[] = []
  const onDone: RepublishDeps['onDone'] = outcome => void outcomes.push(outcome.state)
  const run = createRepublish({ ...publisher, log: Fastify().log, onDone }, DEBOUNCE)
  return {
    publisher,
    check: () => run(new AbortController().signal),
    outcomes,
    change: content => publisher.changeContent(content)
  }
}

describe('Automatic publishing', () => {
  test('publishes an outdated site at the start, and then checks the site only after a change', async () => {
    const { publisher, check, outcomes } = await openRepublishJob()
    await check()
    const checks = publisher.checkCount()
    await check()
    await check()
    expect(outcomes).toEqual(['published'])
    expect(publisher.checkCount()).toBe(checks)
  })

  test('publishes one release for changes that are made at the same time', async () => {
    const { check, outcomes, change } = await openRepublishJob()
    await check()
    await change('second')
    const pendingCheck = check()
    await change('third')
    await pendingCheck
    await check()
    expect(outcomes).toEqual(['published', 'published'])
  })

  test('collects changes that keep coming, and publishes them after two seconds', async () => {
    const { check, outcomes, change } = await openRepublishJob()
    await check()
    await change('first of many')
    const startTime = performance.now()
    let changeCount = 0
    const timer = setInterval(() => void change(`change ${++changeCount}`), DEBOUNCE / 10)
    await check().finally(() => clearInterval(timer))
    expect(performance.now() - startTime).toBeGreaterThan(20 * DEBOUNCE)
    expect(changeCount).toBeGreaterThan(10)
    expect(outcomes).toEqual(['published', 'published'])
  })

  test('publishes again after a change during a publish', async () => {
    const { publisher, check, outcomes, change } = await openRepublishJob()
    publisher.beforePage(async () => {
      publisher.beforePage(async () => undefined)
      await change('changed during publish')
    })
    await check()
    await check()
    await check()
    expect(outcomes).toEqual(['published', 'published'])
  })

  test('does not publish a change that does not affect the pages', async () => {
    const { check, outcomes, change } = await openRepublishJob()
    await check()
    await change('first')
    await check()
    expect(outcomes).toEqual(['published', 'fresh'])
  })

  test('publishes when a deal or a sale starts or ends and at New Year in India', async () => {
    const { publisher, check, outcomes } = await openRepublishJob()
    const deals = { morning: { product: 'jangiri', from: HOUR, to: 2 * HOUR } }
    const at = (ms: number): string => new Date(publisher.clock() + ms).toISOString()
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
})

describe('Failed automatic publish', () => {
  test('is retried only after the next change', async () => {
    const { publisher, check, outcomes, change } = await openRepublishJob()
    let renders = 0
    publisher.beforeRender(async () => {
      renders++
      throw new Error('No memory left')
    })
    await check()
    await check()
    expect({ outcomes, renders }).toEqual({ outcomes: ['failed'], renders: 1 })
    publisher.beforeRender(async () => undefined)
    await change('second')
    await check()
    expect(outcomes).toEqual(['failed', 'published'])
  })
})
