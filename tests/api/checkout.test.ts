import { describe, expect, test } from 'vitest'
import {
  ADDRESS,
  CUSTOMER,
  callAs,
  buy,
  requestPayment,
  myOrders,
  addShopper,
  openCheckoutShop,
  openPayment,
  orderOf,
  placeOrder
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 10 },
  laddu: { price: 180.5, stock: 20 }
} as const

describe.each(ENGINES)('Checkout on %s', engine => {
  test('reserves the stock for 16 minutes and opens a payment of the quoted total', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const items = [
      { product: 'lemon', quantity: 2 },
      { product: 'laddu', quantity: 1 }
    ]
    const reply = await requestPayment(shop, anita, { items })
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^order_/),
      amount: 42050,
      currency: 'INR',
      key: shop.sandbox.razorpay.keyId,
      orderId: expect.any(String),
      total: 420.5,
      holdUntil: '2026-11-21T04:16:00.000Z',
      theme: { color: expect.stringMatching(/^#/) },
      sandbox: false,
      script: shop.sandbox.razorpay.checkoutUrl
    })
    expect([await shop.stockOf('lemon'), await shop.stockOf('laddu')]).toEqual([8, 19])
  })

  test('becomes a paid order with order number, invoice number and the prices of the checkout', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, {
      items: [{ product: 'lemon', quantity: 2 }]
    })
    const proof = await shop.sandbox.pay(id)
    const reply = await placeOrder(shop, anita, proof)
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        _id: orderId,
        orderNumber: expect.stringMatching(/^P261121-[2-9A-Z]{6}$/),
        createdAt: '2026-11-21T04:00:00.000Z',
        status: 'pending',
        items: [
          {
            line: 1,
            product: {
              _id: 'lemon',
              name: 'lemon',
              image: 'lemon-00000000.jpg',
              picture: {
                key: 'lemon-00000000',
                width: 1600,
                height: 1200,
                alt: 'A plate',
                color: '#c08a3e'
              }
            },
            quantity: 2,
            price: 120,
            listPrice: 120,
            total: 240,
            packSize: { value: 250, unit: 'g', type: 'weight' }
          }
        ],
        totalAmount: 240,
        shippingAddress: ADDRESS,
        customerDetails: CUSTOMER,
        deliveryDate: null,
        paymentMethod: 'razorpay',
        paymentStatus: 'completed',
        ...proof,
        history: [{ status: 'pending', at: '2026-11-21T04:00:00.000Z' }],
        invoiceNumber: 'PG/26-27/000001',
        invoice: {
          status: 'unregistered',
          supplyState: '33',
          seller: expect.objectContaining({ legalName: 'Palagaram Home Foods' })
        },
        paidAt: '2026-11-21T04:00:00.000Z',
        canCancel: true
      }
    ])
    expect(await myOrders(shop, anita)).toEqual([reply.body])
    expect((await callAs(anita, shop, `GET /orders/${orderId}`)).body).toEqual(reply.body)
    expect((await placeOrder(shop, anita, proof)).status).toBe(200)
  })
})

describe('Checkout', () => {
  test('sends only one mail to the shopper and one to the shop', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { orderNumber } = await buy(shop, anita, [{ product: 'lemon', quantity: 2 }])
    await shop.deliverWebhooks()
    await shop.deliverMails()
    expect(shop.mails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
      ['anita@example.com', `Your order ${orderNumber} at Palagaram`],
      ['hello@palagaram.example', `Order ${orderNumber}: ₹240.00 from Anita Kumar`]
    ])
    expect(shop.mails[0]?.text).toContain('2 × lemon')
  })

  test('becomes a paid order through the webhook if the browser does not report the payment', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: [{ product: 'lemon', quantity: 2 }] })
    const proof = await shop.sandbox.pay(id)
    expect(await myOrders(shop, anita)).toEqual([])
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', ...proof }])
    expect(orderOf(await placeOrder(shop, anita, proof)).invoiceNumber).toBe('PG/26-27/000001')
  })
})
