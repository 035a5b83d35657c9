import { describe, expect, test } from 'vitest'
import type { OrderStatusReport } from '#lib/contract/desk.ts'
import { STATUS_MAIL_DELAY, SECOND, UNDO_WINDOW } from '#lib/time.ts'
import { ADMIN, requestCode, statusAndCode } from '../support/accounts.ts'
import {
  LADDUS,
  LEMONS,
  openAdminOrdersShop,
  type AdminOrdersShop
} from '../support/admin-orders.ts'
import { callAs, buy, myOrders } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const placeOrder = (shop: AdminOrdersShop, items = LEMONS) => buy(shop, shop.anita, items)

describe('Fulfilment status change', () => {
  test('is mailed to the shopper after the undo window and recorded in the audit log', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id, orderNumber } = await placeOrder(shop)
    expect((await shop.changeStatus(_id, 'pending', 'packed')).body).toMatchObject({
      status: 'packed'
    })
    shop.clock.advance(UNDO_WINDOW)
    expect(await shop.statusMails()).toEqual([])
    shop.clock.advance(STATUS_MAIL_DELAY - UNDO_WINDOW)
    expect(await shop.statusMails()).toEqual([`Your order ${orderNumber} is packed`])
    await shop.changeStatus(_id, 'packed', 'delivered')
    shop.clock.advance(STATUS_MAIL_DELAY)
    expect(await shop.statusMails()).toContain(`Your order ${orderNumber} has been delivered`)
    expect(await myOrders(shop, shop.anita)).toMatchObject([{ status: 'delivered' }])
    expect(await shop.auditLog(_id)).toEqual([
      expect.stringMatching(/moved \{"status":"packed"\} \{"status":"delivered"\}$/),
      expect.stringMatching(/moved \{"status":"pending"\} \{"status":"packed"\}$/)
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('can be undone before the mail is sent, and then no mail is sent', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop)
    await shop.changeStatus(_id, 'pending', 'packed')
    shop.clock.advance(UNDO_WINDOW)
    const undone = await shop.changeStatus(_id, 'packed', 'pending')
    expect(undone.body).toMatchObject({ status: 'pending', history: [{ status: 'pending' }] })
    shop.clock.advance(STATUS_MAIL_DELAY)
    expect(await shop.statusMails()).toEqual([])
    expect(await shop.auditLog(_id)).toHaveLength(2)
    await shop.changeStatus(_id, 'pending', 'packed')
    shop.clock.advance(STATUS_MAIL_DELAY)
    expect(await shop.statusMails()).toHaveLength(1)
  })

  test('goes only one step at a time and is refused after a cancellation', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop)
    expect(statusAndCode(await shop.changeStatus(_id, 'pending', 'delivered'))).toBe(
      '400 INVALID_INPUT'
    )
    expect(statusAndCode(await shop.changeStatus(_id, 'pending', 'cancelled'))).toBe(
      '400 INVALID_INPUT'
    )
    expect(statusAndCode(await shop.changeStatus('nobody', 'pending', 'packed'))).toBe(
      '404 ORDER_NOT_FOUND'
    )
    await callAs(shop.anita, shop, `POST /orders/${_id}/cancel`)
    expect(statusAndCode(await shop.changeStatus(_id, 'pending', 'packed'))).toBe(
      '409 EDIT_CONFLICT'
    )
  })
})

describe.each(ENGINES)('Fulfilment status change on %s', engine => {
  test('succeeds if it is sent twice, and is refused if the order no longer has the expected status', async () => {
    const shop = await openAdminOrdersShop(engine)
    const { _id } = await placeOrder(shop)
    const replies = await Promise.all([
      shop.changeStatus(_id, 'pending', 'packed'),
      shop.changeStatus(_id, 'pending', 'packed')
    ])
    expect(replies.map(statusAndCode)).toEqual(['200', '200'])
    expect(await shop.auditLog(_id)).toHaveLength(1)
    await shop.changeStatus(_id, 'packed', 'delivered')
    const outdated = await shop.changeStatus(_id, 'pending', 'packed')
    expect(statusAndCode(outdated)).toBe('409 EDIT_CONFLICT')
    expect(outdated.text).toContain('changed this order to delivered')
    expect(await shop.fetchOrder(_id)).toMatchObject({ status: 'delivered' })
  })

  test('can be made for many orders at once and skips orders that no longer have the expected status', async () => {
    const shop = await openAdminOrdersShop(engine)
    const orders = [await placeOrder(shop), await placeOrder(shop, LADDUS), await placeOrder(shop)]
    const [first = '', second = '', third = ''] = orders.map(({ _id }) => _id)
    await shop.changeStatus(third, 'pending', 'packed')
    await shop.changeStatus(third, 'packed', 'delivered')
    const ids = [first, second, third, 'nobody']
    const { body } = await shop.callAsAdmin('POST /admin/orders/move', {
      ids,
      from: 'pending',
      to: 'packed'
    })
    const { moved, left } = body as OrderStatusReport
    expect(moved.map(({ _id }) => _id).toSorted()).toEqual([first, second].toSorted())
    expect(left).toMatchObject([{ _id: third, status: 'delivered' }])
    shop.clock.advance(STATUS_MAIL_DELAY)
    expect((await shop.statusMails()).filter(subject => subject.includes('packed'))).toHaveLength(
      orders.length
    )
  })
})

const proof = { password: ADMIN.password }

const cancel = (shop: AdminOrdersShop, id: string, body: object) =>
  shop.callAsAdmin(`POST /admin/orders/${id}/cancel`, { proof, ...body })

describe('POST /admin/orders/{id}/cancel', () => {
  test("requires the administrator's password or a code", async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop)
    const request = { from: 'pending', reason: 'No lemons' }
    const wrongProofs = [undefined, {}, { password: 'halwa-12' }, { otp: '000000' }]
    const replies: string[] = []
    for (const wrongProof of wrongProofs)
      replies.push(statusAndCode(await cancel(shop, _id, { ...request, proof: wrongProof })))
    expect(replies).toEqual([
      '400 INVALID_INPUT',
      '400 INVALID_INPUT',
      '400 INVALID_CREDENTIALS',
      '400 INVALID_OTP'
    ])
    expect(await shop.fetchOrder(_id)).toMatchObject({ status: 'pending', refund: null })
    const otp = await requestCode(shop, ADMIN.email)
    expect((await cancel(shop, _id, { ...request, proof: { otp } })).body).toMatchObject({
      status: 'cancelled'
    })
  })

  test('requires a reason and the current status', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop)
    expect((await cancel(shop, _id, { from: 'pending', reason: ' ' })).text).toContain(
      'Please enter a reason for the customer'
    )
    await shop.changeStatus(_id, 'pending', 'packed')
    const outdated = await cancel(shop, _id, { from: 'pending', reason: 'No lemons' })
    expect(statusAndCode(outdated)).toBe('409 EDIT_CONFLICT')
    expect(
      statusAndCode(await cancel(shop, 'nobody', { from: 'pending', reason: 'No lemons' }))
    ).toBe('404 ORDER_NOT_FOUND')
    expect(await shop.fetchOrder(_id)).toMatchObject({ status: 'packed', refund: null })
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('POST /admin/orders/{id}/cancel on %s', engine => {
  test('succeeds if it is sent twice, and refunds once', async () => {
    const shop = await openAdminOrdersShop(engine)
    const { _id } = await placeOrder(shop)
    const request = { from: 'pending', reason: 'No lemons' }
    const first = await cancel(shop, _id, request)
    expect(await cancel(shop, _id, request)).toMatchObject({ status: 200, body: first.body })
    expect(await shop.auditLog(_id)).toHaveLength(1)
    expect(await shop.violations()).toEqual([])
  })

  test.each(['pending', 'packed'] as const)(
    'restores the stock, refunds the %s order and mails the reason',
    async from => {
      const shop = await openAdminOrdersShop(engine)
      const { _id } = await placeOrder(shop, LADDUS)
      if (from === 'packed') await shop.changeStatus(_id, 'pending', 'packed')
      shop.clock.advance(SECOND)
      const reply = await cancel(shop, _id, { from, reason: 'The ghee was not delivered.' })
      expect(reply.body).toMatchObject({
        status: 'cancelled',
        refund: 'due',
        paymentStatus: 'refunding'
      })
      expect(await shop.stockOf('laddu')).toBe(20)
      shop.clock.advance(STATUS_MAIL_DELAY)
      await shop.reconcile()
      expect(await shop.fetchOrder(_id)).toMatchObject({
        refund: 'processed',
        paymentStatus: 'refunded'
      })
      expect(
        (await shop.statusMails()).filter(subject => /packed|is cancelled/.test(subject))
      ).toHaveLength(1)
      expect(shop.mails.find(({ subject }) => subject.includes('is cancelled'))?.text).toContain(
        'The ghee was not delivered.'
      )
      expect((await shop.auditLog(_id))[0]).toContain('The ghee was not delivered.')
      expect(await shop.violations()).toEqual([])
    }
  )
})
