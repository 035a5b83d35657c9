import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import type { Settings, StoredSection } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { call, logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  myOrders,
  openCheckoutShop,
  requestPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { setSettings } from '../support/places.ts'
import type { Reply } from '../support/shop.ts'

const GSTIN = '33ABCDE1234F1Z7'
const products = {
  lemon: { category: 'pickles', price: 120, stock: 50 },
  laddu: { category: 'sweets', price: 180, stock: 50 }
} as const
const cart = [
  { product: 'lemon', quantity: 1 },
  { product: 'laddu', quantity: 2 }
]
const rates = [
  { category: '', rate: 5, hsn: '2106', from: '2025-09-22' },
  { category: 'pickles', rate: 12, hsn: '2001', from: '2025-09-22' }
]
const REGULAR = { ...EMPTY_SETTINGS.tax, status: 'regular', rates } as const
const COMPOSITION = { ...REGULAR, status: 'composition', otherStates: false } as const
const karnataka = { shippingAddress: { ...ADDRESS, state: 'Karnataka', pincode: '560001' } }

async function openTaxShop(engine: Engine = 'sqlite') {
  const shop = await openCheckoutShop(engine, { products })
  const { token } = await logInAsAdmin(shop)
  const callAsAdmin = (line: string, body?: unknown): Promise<Reply> =>
    call(shop, line, { token, body })
  const save = async (section: SectionName, changes: object): Promise<Reply> => {
    const { value, version } = (await callAsAdmin(`GET /admin/settings/${section}`))
      .body as StoredSection
    return callAsAdmin(`PUT /admin/settings/${section}`, {
      value: { ...value, ...changes },
      version
    })
  }
  return {
    ...shop,
    callAsAdmin,
    save,
    anita: await addShopper(shop),
    async saveTax(tax: Settings['tax'], gstin = GSTIN) {
      if (gstin !== '') expect((await save('legal', { gstin })).status).toBe(200)
      expect((await save('tax', tax)).body).toMatchObject({ value: tax })
    },
    async report(month: string): Promise<string[][]> {
      const { text } = await callAsAdmin(`GET /admin/tax-report?month=${month}`)
      return parse(text, { bom: true })
    }
  }
}

const taxesOf = ({ items }: Order) => items.map(({ hsn, tax }) => [hsn, tax && Object.values(tax)])

describe.for(ENGINES)('Taxes on %s', engine => {
  test('are stored with the invoice of a regular seller, who is named with it', async () => {
    const shop = await openTaxShop(engine)
    await shop.saveTax(REGULAR)
    const order = await buy(shop, shop.anita, cart)
    // ₹120.00 at 12% is 107.14 + 6.43 + 6.43; ₹360.00 at 5% is 342.86 + 8.57 + 8.57.
    expect(taxesOf(order)).toEqual([
      ['2001', [12, 107.14, 6.43, 6.43, 0]],
      ['2106', [5, 342.86, 8.57, 8.57, 0]]
    ])
    expect(order.invoice).toMatchObject({
      status: 'regular',
      supplyState: '33',
      seller: { gstin: GSTIN }
    })
    const { items } = await buy(shop, shop.anita, cart, karnataka)
    expect(items.map(({ tax }) => tax)).toEqual([
      { rate: 12, taxable: 107.14, cgst: 0, sgst: 0, igst: 12.86 },
      { rate: 5, taxable: 342.86, cgst: 0, sgst: 0, igst: 17.14 }
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('are those of the seller’s state if the buyer picks the order up', async () => {
    const shop = await openTaxShop(engine)
    await setSettings(shop, { delivery: { pickup: true } })
    await shop.saveTax({ ...REGULAR, otherStates: false })
    const order = await buy(shop, shop.anita, [{ product: 'lemon', quantity: 1 }], {
      ...karnataka,
      pickup: true
    })
    expect(taxesOf(order)).toEqual([['2001', [12, 107.14, 6.43, 6.43, 0]]])
    expect(order.invoice).toMatchObject({ supplyState: '33' })
    const [, row] = await shop.report('2026-11')
    expect(row?.slice(2, 8)).toEqual(['Tamil Nadu (33)', '12', '107.14', '6.43', '6.43', '0.00'])
    const kerala = { ...ADDRESS, city: 'Kochi', state: 'Kerala', pincode: '682001' }
    const change = { version: 0, refund: 0, shippingAddress: kerala }
    expect(
      statusAndCode(await shop.callAsAdmin(`POST /admin/orders/${order._id}/change`, change))
    ).toBe('200')
    expect(await shop.violations()).toEqual([])
  })

  test('are summed up for a month by state and rate, with credit notes apart', async () => {
    const shop = await openTaxShop(engine)
    await shop.saveTax(REGULAR)
    const lemons = [{ product: 'lemon', quantity: 1 }]
    await buy(shop, shop.anita, cart)
    await buy(shop, shop.anita, lemons, karnataka)
    const { _id } = await buy(shop, shop.anita, lemons)
    expect((await callAs(shop.anita, shop, `POST /orders/${_id}/cancel`)).status).toBe(200)
    const tn = 'Tamil Nadu (33)'
    expect((await shop.report('2026-11')).slice(1)).toEqual([
      [
        'Invoices',
        'Tax invoice',
        'Karnataka (29)',
        '12',
        '107.14',
        '0.00',
        '0.00',
        '12.86',
        '120.00',
        '',
        '',
        ''
      ],
      ['Invoices', 'Tax invoice', tn, '5', '342.86', '8.57', '8.57', '0.00', '360.00', '', '', ''],
      [
        'Invoices',
        'Tax invoice',
        tn,
        '12',
        '214.28',
        '12.86',
        '12.86',
        '0.00',
        '240.00',
        '',
        '',
        ''
      ],
      [
        'Invoices',
        'All',
        '',
        '',
        '664.28',
        '21.43',
        '21.43',
        '12.86',
        '720.00',
        '3',
        ...numbers('PG', 1, 3)
      ],
      [
        'Credit notes',
        'Tax invoice',
        tn,
        '12',
        '-107.14',
        '-6.43',
        '-6.43',
        '0.00',
        '-120.00',
        '',
        '',
        ''
      ],
      [
        'Credit notes',
        'All',
        '',
        '',
        '-107.14',
        '-6.43',
        '-6.43',
        '0.00',
        '-120.00',
        '1',
        ...numbers('CN', 1, 1)
      ],
      [
        'Net',
        'Tax invoice',
        'Karnataka (29)',
        '12',
        '107.14',
        '0.00',
        '0.00',
        '12.86',
        '120.00',
        '',
        '',
        ''
      ],
      ['Net', 'Tax invoice', tn, '5', '342.86', '8.57', '8.57', '0.00', '360.00', '', '', ''],
      ['Net', 'Tax invoice', tn, '12', '107.14', '6.43', '6.43', '0.00', '120.00', '', '', ''],
      ['Net', 'All', '', '', '557.14', '15.00', '15.00', '12.86', '600.00', '', '', '']
    ])
    expect((await shop.report('2026-12')).slice(1)).toEqual([
      ['Invoices', 'All', '', '', '', '', '', '', '0.00', '0', '', ''],
      ['Credit notes', 'All', '', '', '', '', '', '', '0.00', '0', '', ''],
      ['Net', 'All', '', '', '', '', '', '', '0.00', '', '', '']
    ])
  })
})

const numbers = (series: string, ...list: number[]): string[] =>
  list.map(number => `${series}/26-27/${String(number).padStart(6, '0')}`)

describe('An invoice', () => {
  test('keeps its kind, taxes and seller when the settings change', async () => {
    const shop = await openTaxShop()
    const plain = await buy(shop, shop.anita, cart)
    await shop.saveTax(REGULAR)
    const taxed = await buy(shop, shop.anita, cart)
    await shop.save('shop', { legalName: 'Another name', address: EMPTY_SETTINGS.shop.address })
    await shop.saveTax(COMPOSITION, '29ABCDE1234F1ZW')
    const bill = await buy(shop, shop.anita, cart, karnataka)
    const orders = await myOrders(shop, shop.anita)
    const later = (id: string) => orders.find(({ _id }) => _id === id)
    for (const order of [plain, taxed, bill]) {
      const { invoice, items } = order
      expect(later(order._id)).toMatchObject({ invoice, items })
    }
    expect(
      orders.map(({ invoice }) => [invoice?.status, invoice?.seller.gstin]).toSorted()
    ).toEqual([
      ['composition', '29ABCDE1234F1ZW'],
      ['regular', GSTIN],
      ['unregistered', '']
    ])
    expect(taxesOf(plain)).toEqual([
      [undefined, undefined],
      [undefined, undefined]
    ])
    expect(taxesOf(bill)).toEqual([
      ['2001', undefined],
      ['2106', undefined]
    ])
  })

  test('has the rate of the product, from its first day in India', async () => {
    const shop = await openTaxShop()
    await shop.saveTax({
      ...REGULAR,
      products: [{ product: 'laddu', rate: 18, hsn: '1704', from: '2026-11-22' }]
    })
    const rateOf = async () =>
      (await buy(shop, shop.anita, [{ product: 'laddu', quantity: 1 }])).items[0]?.tax?.rate
    expect(await rateOf()).toBe(5)
    // 22 November, 00:00 in India.
    shop.clock.advance(Date.parse('2026-11-21T18:30:00.000Z') - shop.clock())
    expect(await rateOf()).toBe(18)
  })

  test('taxes what is paid after a coupon', async () => {
    const shop = await openTaxShop()
    await shop.saveTax(REGULAR)
    await addCoupon(shop, 'TEN')
    const { items } = await buy(shop, shop.anita, cart, { coupon: 'TEN', amount: 432 })
    expect(items.map(({ total, tax }) => [total, ...Object.values(tax ?? {})])).toEqual([
      [108, 12, 96.42, 5.79, 5.79, 0],
      [324, 5, 308.58, 7.71, 7.71, 0]
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('is named in the confirmation, with its taxes only if it has some', async () => {
    const shop = await openTaxShop()
    await buy(shop, shop.anita, cart)
    await shop.saveTax(REGULAR)
    await buy(shop, shop.anita, cart)
    await shop.saveTax(COMPOSITION)
    await buy(shop, shop.anita, cart)
    await shop.deliverMails()
    const texts = shop.mails.filter(({ to }) => to === 'anita@example.com').map(({ text }) => text)
    for (const sentence of [
      'Invoice PG/26-27/000001.\n',
      'Tax invoice PG/26-27/000002. The total includes GST of ₹30.00.',
      'Bill of supply PG/26-27/000003. Composition taxable person, not eligible to collect tax on supplies.'
    ])
      expect(texts.filter(text => text.includes(sentence))).toHaveLength(1)
  })
})

describe('The tax settings', () => {
  const fieldsOf = ({ body }: Reply): unknown => (body as { fields?: unknown }).fields

  test.for([
    ['a GSTIN', '', {}, 'status'],
    ['a GSTIN of a state', '28ABCDE1234F1ZY', {}, 'status'],
    ['rates for all categories', GSTIN, { rates: rates.slice(1) }, 'rates'],
    ['rates that apply today', GSTIN, { rates: [{ ...rates[0], from: '2026-11-22' }] }, 'rates'],
    [
      'known categories',
      GSTIN,
      { rates: [...rates, { ...rates[0], category: 'cakes' }] },
      'rates.2.category'
    ],
    ['one rate for a day', GSTIN, { rates: [...rates, { ...rates[1], rate: 5 }] }, 'rates.2.from'],
    [
      'known products',
      GSTIN,
      { products: [{ ...rates[0], product: 'cake' }] },
      'products.0.product'
    ],
    ['HSN codes', GSTIN, { rates: [{ ...rates[0], hsn: '21' }] }, 'rates.0.hsn'],
    ['a rate in percent', GSTIN, { rates: [{ ...rates[0], rate: 105 }] }, 'rates.0.rate']
  ] as const)('of a regular seller need %s', async ([, gstin, changes, field]) => {
    const shop = await openTaxShop()
    if (gstin !== '') await shop.save('legal', { gstin })
    expect(fieldsOf(await shop.save('tax', { ...REGULAR, ...changes }))).toEqual({
      [`value.${field}`]: expect.any(String)
    })
  })

  test('keep the GSTIN that they need', async () => {
    const shop = await openTaxShop()
    await shop.saveTax(COMPOSITION)
    for (const gstin of ['', '28ABCDE1234F1ZY']) {
      expect(fieldsOf(await shop.save('legal', { gstin }))).toEqual({
        'value.gstin': expect.any(String)
      })
    }
    await shop.saveTax({ ...COMPOSITION, status: 'unregistered' })
    expect((await shop.save('legal', { gstin: '' })).status).toBe(200)
  })

  test('need the tick about the accountant from sellers that are not regular and deliver to other states', async () => {
    const shop = await openTaxShop()
    await shop.save('legal', { gstin: GSTIN })
    for (const status of ['unregistered', 'composition']) {
      const tax = { ...REGULAR, status, otherStates: true, accountantAsked: false }
      expect(fieldsOf(await shop.save('tax', tax))).toEqual({
        'value.accountantAsked': expect.any(String)
      })
      expect((await shop.save('tax', { ...tax, accountantAsked: true })).status).toBe(200)
      expect((await shop.save('tax', { ...tax, otherStates: false })).status).toBe(200)
    }
    expect((await shop.save('tax', REGULAR)).status).toBe(200)
  })

  test('without other states refuse orders to them, before anything is paid', async () => {
    const shop = await openTaxShop()
    const pay = (shopper: Shopper, extra: object) =>
      requestPayment(shop as CheckoutShop, shopper, { items: cart, extra })
    expect(statusAndCode(await pay(shop.anita, karnataka))).toBe('200')
    expect(fieldsOf(await shop.save('tax', { otherStates: false }))).toMatchObject({})
    const refused = await pay(shop.anita, karnataka)
    expect([statusAndCode(refused), fieldsOf(refused)]).toEqual([
      '400 INVALID_INPUT',
      { 'shippingAddress.state': 'We deliver only within Tamil Nadu.' }
    ])
    expect(statusAndCode(await pay(shop.anita, {}))).toBe('200')
  })
})
