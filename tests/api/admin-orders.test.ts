import { describe, expect, test } from 'vitest'
import type { MovedOrders } from '#lib/contract/admin/orders.ts'
import { MAIL_REST, SECOND, UNDO_TIME } from '#lib/time.ts'
import { ADMIN, mailedCode, outcome } from '../support/accounts.ts'
import { LADDUS, LEMONS, ownersMarket, type OwnersMarket } from '../support/admin-orders.ts'
import { as, buy, myOrders } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const ordered = (shop: OwnersMarket, items = LEMONS) => buy(shop, shop.anita, items)

describe.each(ENGINES)('moving an order on its way on %s', engine => {
  test('mails the shopper each step, once it can’t be undone any more, and remembers who took it', async () => {
    const shop = await ownersMarket(engine)
    const { _id, orderNumber } = await ordered(shop)
    expect((await shop.move(_id, 'pending', 'packed')).body).toMatchObject({ status: 'packed' })
    shop.clock.advance(UNDO_TIME)
    expect(await shop.told()).toEqual([])
    shop.clock.advance(MAIL_REST - UNDO_TIME)
    expect(await shop.told()).toEqual([`Your order ${orderNumber} is packed`])
    await shop.move(_id, 'packed', 'delivered')
    shop.clock.advance(MAIL_REST)
    expect(await shop.told()).toContain(`Your order ${orderNumber} has been delivered`)
    expect(await myOrders(shop, shop.anita)).toMatchObject([{ status: 'delivered' }])
    expect(await shop.remembered(_id)).toEqual([
      expect.stringMatching(/moved \{"status":"packed"\} \{"status":"delivered"\}$/),
      expect.stringMatching(/moved \{"status":"pending"\} \{"status":"packed"\}$/)
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('can be undone before the shopper is mailed, and then mails nothing', async () => {
    const shop = await ownersMarket(engine)
    const { _id } = await ordered(shop)
    await shop.move(_id, 'pending', 'packed')
    shop.clock.advance(UNDO_TIME)
    const back = await shop.move(_id, 'packed', 'pending')
    expect(back.body).toMatchObject({ status: 'pending', history: [{ status: 'pending' }] })
    shop.clock.advance(MAIL_REST)
    expect(await shop.told()).toEqual([])
    expect(await shop.remembered(_id)).toHaveLength(2)
    await shop.move(_id, 'pending', 'packed')
    shop.clock.advance(MAIL_REST)
    expect(await shop.told()).toHaveLength(1)
  })

  test('is refused to whoever looked before somebody else moved it, and asked again it is the same', async () => {
    const shop = await ownersMarket(engine)
    const { _id } = await ordered(shop)
    const both = await Promise.all([shop.move(_id, 'pending', 'packed'), shop.move(_id, 'pending', 'packed')])
    expect(both.map(outcome)).toEqual(['200', '200'])
    expect(await shop.remembered(_id)).toHaveLength(1)
    await shop.move(_id, 'packed', 'delivered')
    const late = await shop.move(_id, 'pending', 'packed')
    expect(outcome(late)).toBe('409 CHANGED_MEANWHILE')
    expect(late.text).toContain('it is delivered now')
    expect(await shop.order(_id)).toMatchObject({ status: 'delivered' })
  })

  test('goes one step at a time, and only for orders that are paid', async () => {
    const shop = await ownersMarket(engine)
    const { _id } = await ordered(shop)
    expect(outcome(await shop.move(_id, 'pending', 'delivered'))).toBe('400 INVALID_INPUT')
    expect(outcome(await shop.move(_id, 'pending', 'cancelled'))).toBe('400 INVALID_INPUT')
    expect(outcome(await shop.move('nobody', 'pending', 'packed'))).toBe('404 ORDER_NOT_FOUND')
    await as(shop.anita, shop, `POST /orders/${_id}/cancel`)
    expect(outcome(await shop.move(_id, 'pending', 'packed'))).toBe('409 CHANGED_MEANWHILE')
  })

  test('is done for many at once, and leaves those that somebody else has moved', async () => {
    const shop = await ownersMarket(engine)
    const orders = [await ordered(shop), await ordered(shop, LADDUS), await ordered(shop)]
    const [first = '', second = '', third = ''] = orders.map(({ _id }) => _id)
    await shop.move(third, 'pending', 'packed')
    await shop.move(third, 'packed', 'delivered')
    const ids = [first, second, third, 'nobody']
    const { body } = await shop.ask('POST /admin/orders/move', { ids, from: 'pending', to: 'packed' })
    const { moved, left } = body as MovedOrders
    expect(moved.map(({ _id }) => _id).toSorted()).toEqual([first, second].toSorted())
    expect(left).toMatchObject([{ _id: third, status: 'delivered' }])
    shop.clock.advance(MAIL_REST)
    expect((await shop.told()).filter(subject => subject.includes('packed'))).toHaveLength(orders.length)
  })
})

describe.each(ENGINES)('cancelling an order for the shop on %s', engine => {
  const proof = { password: ADMIN.password }
  const cancel = (shop: OwnersMarket, id: string, body: object) =>
    shop.ask(`POST /admin/orders/${id}/cancel`, { proof, ...body })

  test.each(['pending', 'packed'] as const)('gives back goods and payment of a %s one, and says why', async from => {
    const shop = await ownersMarket(engine)
    const { _id } = await ordered(shop, LADDUS)
    if (from === 'packed') await shop.move(_id, 'pending', 'packed')
    shop.clock.advance(SECOND)
    const reply = await cancel(shop, _id, { from, reason: 'The ghee did not come.' })
    expect(reply.body).toMatchObject({ status: 'cancelled', refund: 'due', paymentStatus: 'refunding' })
    expect(await shop.stockOf('laddu')).toBe(20)
    shop.clock.advance(MAIL_REST)
    await shop.reconcile()
    expect(await shop.order(_id)).toMatchObject({ refund: 'made', paymentStatus: 'refunded' })
    expect((await shop.told()).filter(subject => /packed|is cancelled/.test(subject))).toHaveLength(1)
    expect(shop.mails.find(({ subject }) => subject.includes('is cancelled'))?.text).toContain('The ghee did not come.')
    expect((await shop.remembered(_id))[0]).toContain('The ghee did not come.')
    expect(await shop.violations()).toEqual([])
  })

  test('wants to know again who asks: money goes back', async () => {
    const shop = await ownersMarket(engine)
    const { _id } = await ordered(shop)
    const asked = { from: 'pending', reason: 'No lemons' }
    const refused = [undefined, {}, { password: 'halwa-12' }, { otp: '000000' }]
    const replies: string[] = []
    for (const wrong of refused) replies.push(outcome(await cancel(shop, _id, { ...asked, proof: wrong })))
    expect(replies).toEqual(['400 INVALID_INPUT', '400 INVALID_INPUT', '400 INVALID_CREDENTIALS', '400 INVALID_OTP'])
    expect(await shop.order(_id)).toMatchObject({ status: 'pending', refund: null })
    const otp = await mailedCode(shop, ADMIN.email)
    expect((await cancel(shop, _id, { ...asked, proof: { otp } })).body).toMatchObject({ status: 'cancelled' })
  })

  test('wants a reason, and that the order stands where it was seen', async () => {
    const shop = await ownersMarket(engine)
    const { _id } = await ordered(shop)
    expect((await cancel(shop, _id, { from: 'pending', reason: ' ' })).text).toContain('Please tell the shopper why')
    await shop.move(_id, 'pending', 'packed')
    const late = await cancel(shop, _id, { from: 'pending', reason: 'No lemons' })
    expect(outcome(late)).toBe('409 CHANGED_MEANWHILE')
    expect(outcome(await cancel(shop, 'nobody', { from: 'pending', reason: 'No lemons' }))).toBe('404 ORDER_NOT_FOUND')
    expect(await shop.order(_id)).toMatchObject({ status: 'packed', refund: null })
    expect(await shop.violations()).toEqual([])
  })
})
