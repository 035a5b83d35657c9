import { expect, test } from 'vitest'
import { makeLine } from '../support/cards.ts'
import { answerPincode, OFFER, PICKUP } from '../support/delivery.ts'
import { errorReply, openPage } from '../support/session.ts'

type Reply = (url: string) => Response | Promise<Response>

async function openDelivery(reply: Reply = answerPincode({ delivery: OFFER, pickup: PICKUP })) {
  const page = await openPage({ send: async url => reply(url) })
  const { setLines } = await import('#lib/stores/cart.ts')
  return { ...page, setLines, ...(await import('#lib/stores/delivery.ts')) }
}

test('The cart is sent with the pincode, each product once', async () => {
  const { setLines, loadDelivery, calls } = await openDelivery()
  setLines([
    makeLine('pak', 2),
    makeLine('pak', 1, { discount: 20, dealId: 'd' }),
    makeLine('murukku', 1)
  ])
  await loadDelivery('620018')
  expect(calls).toEqual([
    `GET /delivery?pincode=620018&items=${encodeURIComponent('pak:3,murukku:1')}`
  ])
})

test('A late answer about another pincode is ignored', async () => {
  let answerFirst = (): void => undefined
  const first = new Promise<void>(resolve => (answerFirst = resolve))
  const page = await openDelivery(async url => {
    if (url.includes('560001')) await first
    return answerPincode()(url)
  })
  const slow = page.loadDelivery('560001')
  await page.loadDelivery('620018')
  answerFirst()
  await slow
  expect(page.$delivery.get().reply?.pincode).toBe('620018')
})

test('A failed call keeps the answer about the same pincode only', async () => {
  let isDown = false
  const page = await openDelivery(url =>
    isDown ? errorReply(503)() : answerPincode({ delivery: OFFER })(url)
  )
  await page.loadDelivery('620018')
  isDown = true
  await page.loadDelivery('620018')
  expect(page.$offer.get()?.usualFee).toBe(60)
  await page.loadDelivery('560001')
  expect(page.$offer.get()).toBeUndefined()
  expect(page.$delivery.get().error?.replyStatus).toBe(503)
})
