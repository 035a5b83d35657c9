import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#lib/time.ts'
import { createRepublish, type RepublishDeps } from '#server/jobs/republish.ts'
import { addToCatalog } from '../support/catalog.ts'
import { openPress, type Press } from '../support/press.ts'
import { page, SMALL_SITE } from '../support/releases.ts'

const SETTLING = 50

interface Job {
  press: Press
  /** One look of the background job. */
  turn(): Promise<void>
  outcomes: string[]
  /** A change that visitors can see. */
  change(words: string): Promise<void>
}

async function openJob(): Promise<Job> {
  const press = await openPress()
  const outcomes: string[] = []
  const done: RepublishDeps['done'] = outcome => void outcomes.push(outcome.state)
  const run = createRepublish({ ...press, log: Fastify().log, done }, SETTLING)
  return {
    press,
    turn: () => run(new AbortController().signal),
    outcomes,
    change: words => press.change(words)
  }
}

describe('the site is published again', () => {
  test('at the start when it is stale, and then only looked through again after a change', async () => {
    const { press, turn, outcomes } = await openJob()
    await turn()
    const looks = press.looks()
    await turn()
    await turn()
    expect(outcomes).toEqual(['published'])
    expect(press.looks()).toBe(looks)
  })

  test('after changes that visitors can see, those made together in one go', async () => {
    const { turn, outcomes, change } = await openJob()
    await turn()
    await change('second')
    const looking = turn()
    await change('third')
    await looking
    await turn()
    expect(outcomes).toEqual(['published', 'published'])
  })

  test('once more when something changed while it was being published', async () => {
    const { press, turn, outcomes, change } = await openJob()
    press.midway(async () => {
      press.midway(async () => undefined)
      await change('changed meanwhile')
    })
    await turn()
    await turn()
    await turn()
    expect(outcomes).toEqual(['published', 'published'])
  })

  test('not after a change that visitors can not see', async () => {
    const { turn, outcomes, change } = await openJob()
    await turn()
    await change('first')
    await turn()
    expect(outcomes).toEqual(['published', 'fresh'])
  })

  test('when a deal starts, when it ends, and at New Year in India', async () => {
    const { press, turn, outcomes } = await openJob()
    const deals = { morning: { product: 'jangiri', from: HOUR, to: 2 * HOUR } }
    await press.write(trx => addToCatalog(trx, { products: { jangiri: {} }, deals }, press.clock()))
    press.shows({ ...SMALL_SITE, 'products/jangiri.html': page('Jangiri') })
    await turn()
    for (const [what, time] of [
      ['the deal runs', HOUR],
      ['the deal is over', HOUR],
      ['it is another year', 60 * DAY]
    ] as const) {
      press.clock.advance(time / 2)
      await turn()
      const before = outcomes.length
      press.shows({ ...SMALL_SITE, 'products/jangiri.html': page(what) })
      press.clock.advance(time / 2)
      await turn()
      expect(outcomes.slice(before), what).toEqual(['published'])
    }
  })
})

describe('a publish that fails', () => {
  test('is not repeated at every look, but at once after the next change', async () => {
    const { press, turn, outcomes, change } = await openJob()
    let renders = 0
    press.before(async () => {
      renders++
      throw new Error('No memory left')
    })
    await turn()
    await turn()
    expect({ outcomes, renders }).toEqual({ outcomes: ['failed'], renders: 1 })
    press.before(async () => undefined)
    await change('second')
    await turn()
    expect(outcomes).toEqual(['failed', 'published'])
  })
})
