import { describe, expect, test } from 'vitest'
import { expectBody, expectOk, expectOutcome } from '../support/accounts.ts'
import { openCheckedShop, cancel, CART, change, LEMON, refund } from '../support/admin-orders.ts'
import { buy, ADDRESS, addShopper } from '../support/checkout.ts'
import { setSettings, CITY, readPlaces } from '../support/places.ts'

describe('Change of the delivery of a paid order', () => {
  test('of date, phone and address within the state is mailed, without personal data in the audit log', async () => {
    const shop = await openCheckedShop()
    const { _id, orderNumber } = await buy(shop, shop.anita, CART)
    const shippingAddress = { ...ADDRESS, street: '9 Mela Chinthamani' }
    const details = { deliveryDate: '2026-11-27', phone: '+91 90000 12345', shippingAddress }
    await expectBody(change(shop, _id, details), {
      deliveryDate: '2026-11-27',
      customerDetails: { phone: '9000012345', name: 'Anita Kumar' },
      shippingAddress,
      changes: [
        {
          deliveryDate: '2026-11-27',
          hasNewPhone: true,
          hasNewAddress: true,
          refunded: 0
        }
      ]
    })
    await shop.deliverMails()
    const title = `We changed your order ${orderNumber}`
    expect(shop.mails.find(({ subject }) => subject === title)?.text).toMatch(
      /27 November 2026[^]*9 Mela Chinthamani[^]*\+91 90000 12345/
    )
    const [log] = await shop.auditLog(_id)
    expect(log).toContain('"deliveryDate":"2026-11-27","phone":"changed","address":"changed"')
    expect(log).not.toMatch(/Chinthamani|90000/)
    await expectOutcome(change(shop, _id, details), '409 ORDER_NOT_CHANGEABLE')
    const wrong = await change(shop, _id, {
      deliveryDate: '2026-11-21',
      shippingAddress: { ...ADDRESS, state: 'Kerala', pincode: '682001' }
    })
    expect(wrong.body).toMatchObject({
      code: 'INVALID_INPUT',
      fields: {
        deliveryDate: expect.any(String),
        'shippingAddress.state': expect.stringContaining('same state')
      }
    })
  })

  test('gives back kitchen units and moves the place, to a full or closed day only if it is confirmed', async () => {
    const shop = await openCheckedShop()
    const [first, second, closed] = ['2026-11-25', '2026-11-26', '2026-11-27'] as const
    await setSettings(shop, { calendar: { ordersPerDay: 1, closedDates: [closed] } })
    const { _id } = await buy(shop, shop.anita, CART, { deliveryDate: first })
    await buy(shop, await addShopper(shop), CART, { deliveryDate: second })
    await refund(shop, _id, { packs: { [LEMON]: 2 } })
    expect(await readPlaces(shop)).toEqual({ [first]: [1, 2], [second]: [1, 4] })
    for (const [deliveryDate, refusal] of [
      [second, '409 DAY_FULL'],
      [closed, '409 DAY_CLOSED'],
      ['2026-11-22', '400 INVALID_INPUT']
    ] as const) {
      await expectOutcome(change(shop, _id, { deliveryDate }), refusal)
    }
    expect(await readPlaces(shop)).toEqual({ [first]: [1, 2], [second]: [1, 4] })
    const full = await change(shop, _id, { deliveryDate: second, confirmDay: true })
    expect(full.body).toMatchObject({ deliveryDate: second, version: 2 })
    expect(await readPlaces(shop)).toEqual({ [second]: [2, 6] })
    await expectOk(change(shop, _id, { deliveryDate: closed, confirmDay: true }))
    await cancel(shop, _id)
    expect(await readPlaces(shop)).toEqual({ [second]: [1, 4] })
  })

  test('of the address stays in the zone and for the same fee', async () => {
    const shop = await openCheckedShop()
    await setSettings(shop, { delivery: { zones: [{ ...CITY, fee: 40, freeAbove: 0 }] } })
    const { _id, deliveryFee } = await buy(shop, shop.anita, CART, { amount: 580.5 })
    expect(deliveryFee).toBe(40)
    const move = (pincode: string) =>
      change(shop, _id, { shippingAddress: { ...ADDRESS, pincode } })
    await expectBody(move('641001'), {
      fields: { 'shippingAddress.pincode': expect.stringContaining('delivery place') }
    })
    await expectBody(move('560001'), {
      fields: { 'shippingAddress.state': expect.stringContaining('Karnataka') }
    })
    await expectBody(move('620018'), { shippingAddress: { pincode: '620018' } })
  })
})
