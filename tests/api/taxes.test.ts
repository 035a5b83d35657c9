import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { expectOk, expectBody } from '../support/accounts.ts'
import { fieldsOf, withAdmin } from '../support/admin-products.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  expectInvariants,
  myOrders,
  openCheckoutShop
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { setSettings } from '../support/places.ts'

const GSTIN = '33ABCDE1234F1Z7'
const products = {
  lemon: { category: 'pickles', price: 120, stock: 50 },
  laddu: { category: 'sweets', price: 180, stock: 50 }
} as const
const lemon = [{ product: 'lemon', quantity: 1 }]
const cart = [...lemon, { product: 'laddu', quantity: 2 }]
const rate = { category: '', rate: 5, hsn: '2106', from: '2025-09-22' }
const pickleRate = { ...rate, category: 'pickles', rate: 12, hsn: '2001' }
const rates = [rate, pickleRate]
const REGULAR = { ...EMPTY_SETTINGS.tax, status: 'regular', rates } as const
const COMPOSITION = { ...REGULAR, status: 'composition', otherStates: false } as const
const karnataka = { shippingAddress: { ...ADDRESS, state: 'Karnataka', pincode: '560001' } }

async function openTaxShop(engine: Engine = 'sqlite') {
  const shop = await withAdmin(await openCheckoutShop(engine, { products }))
  const { callAsAdmin, saveSettings: save } = shop
  expectInvariants(shop)
  return {
    ...shop,
    save,
    anita: await addShopper(shop),
    async saveTax(tax: Settings['tax'], gstin = GSTIN) {
      await expectOk(save('legal', { gstin }))
      await expectBody(save('tax', tax), { value: tax })
    },
    async report(month: string) {
      const { text } = await callAsAdmin(`GET /admin/tax-report?month=${month}`)
      const rows: string[][] = parse(text, { bom: true })
      return rows.slice(1).map(row => row.join('|'))
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
  })

  test('are those of the seller’s state if the buyer picks the order up', async () => {
    const shop = await openTaxShop(engine)
    await setSettings(shop, { delivery: { pickup: true } })
    await shop.saveTax({ ...REGULAR, otherStates: false })
    const order = await buy(shop, shop.anita, lemon, { ...karnataka, pickup: true })
    expect(taxesOf(order)).toEqual([['2001', [12, 107.14, 6.43, 6.43, 0]]])
    expect(order.invoice).toMatchObject({ supplyState: '33' })
    const [row] = await shop.report('2026-11')
    expect(row).toContain('Tamil Nadu (33)|12|107.14|6.43|6.43|0.00')
  })

  test('are summed up for a month by state and rate, with credit notes apart', async () => {
    const shop = await openTaxShop(engine)
    await shop.saveTax(REGULAR)
    await buy(shop, shop.anita, cart)
    await buy(shop, shop.anita, lemon, karnataka)
    const { _id } = await buy(shop, shop.anita, lemon)
    await expectOk(callAs(shop.anita, shop, `POST /orders/${_id}/cancel`))
    expect(await shop.report('2026-11')).toEqual([
      'Invoices|Tax invoice|Karnataka (29)|12|107.14|0.00|0.00|12.86|120.00|||',
      'Invoices|Tax invoice|Tamil Nadu (33)|5|342.86|8.57|8.57|0.00|360.00|||',
      'Invoices|Tax invoice|Tamil Nadu (33)|12|214.28|12.86|12.86|0.00|240.00|||',
      'Invoices|All|||664.28|21.43|21.43|12.86|720.00|3|PG/26-27/000001|PG/26-27/000003',
      'Credit notes|Tax invoice|Tamil Nadu (33)|12|-107.14|-6.43|-6.43|0.00|-120.00|||',
      'Credit notes|All|||-107.14|-6.43|-6.43|0.00|-120.00|1|CN/26-27/000001|CN/26-27/000001',
      'Net|Tax invoice|Karnataka (29)|12|107.14|0.00|0.00|12.86|120.00|||',
      'Net|Tax invoice|Tamil Nadu (33)|5|342.86|8.57|8.57|0.00|360.00|||',
      'Net|Tax invoice|Tamil Nadu (33)|12|107.14|6.43|6.43|0.00|120.00|||',
      'Net|All|||557.14|15.00|15.00|12.86|600.00|||'
    ])
    expect(await shop.report('2026-12')).toEqual([
      'Invoices|All|||||||0.00|0||',
      'Credit notes|All|||||||0.00|0||',
      'Net|All|||||||0.00|||'
    ])
  })
})

describe('An invoice', () => {
  test('keeps its kind, taxes and seller when the settings change, and the confirmation names them', async () => {
    const shop = await openTaxShop()
    const plain = await buy(shop, shop.anita, cart)
    await shop.saveTax(REGULAR)
    const taxed = await buy(shop, shop.anita, cart)
    await shop.save('shop', { legalName: 'Another name', address: EMPTY_SETTINGS.shop.address })
    await shop.saveTax(COMPOSITION, '29ABCDE1234F1ZW')
    const bill = await buy(shop, shop.anita, cart, karnataka)
    const orders = await myOrders(shop, shop.anita)
    for (const { _id, invoice, items } of [plain, taxed, bill])
      expect(orders.find(order => order._id === _id)).toMatchObject({ invoice, items })
    expect(
      [plain, taxed, bill].map(({ invoice }) => [invoice?.status, invoice?.seller.gstin])
    ).toEqual([
      ['unregistered', ''],
      ['regular', GSTIN],
      ['composition', '29ABCDE1234F1ZW']
    ])
    const none = [undefined, undefined]
    expect(taxesOf(plain)).toEqual([none, none])
    expect(taxesOf(bill)).toEqual([
      ['2001', undefined],
      ['2106', undefined]
    ])
    await shop.deliverMails()
    const texts = shop.mails.map(({ text }) => text)
    for (const sentence of [
      'Invoice PG/26-27/000001.\n',
      'Tax invoice PG/26-27/000002. The total includes GST of ₹30.00.',
      'Bill of supply PG/26-27/000003. Composition taxable person, not eligible to collect tax on supplies.'
    ])
      expect(texts.filter(text => text.includes(sentence))).toHaveLength(1)
  })

  test('has the rate of the product, from its first day in India', async () => {
    const shop = await openTaxShop()
    const products = [{ product: 'laddu', rate: 18, hsn: '1704', from: '2026-11-22' }]
    await shop.saveTax({ ...REGULAR, products })
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
  })
})

describe('The tax settings', () => {
  test('of a regular seller need a GSTIN of the state, and rates for all that is sold today', async () => {
    const { save } = await openTaxShop()
    for (const [gstin, changes, field] of [
      ['', {}, 'status'],
      ['28ABCDE1234F1ZY', {}, 'status'],
      [GSTIN, { rates: [pickleRate] }, 'rates'],
      [GSTIN, { rates: [{ ...rate, from: '2026-11-22' }] }, 'rates'],
      [GSTIN, { rates: [...rates, { ...rate, category: 'cakes' }] }, 'rates.2.category'],
      [GSTIN, { rates: [...rates, { ...pickleRate, rate: 5 }] }, 'rates.2.from'],
      [GSTIN, { products: [{ ...rate, product: 'cake' }] }, 'products.0.product'],
      [GSTIN, { rates: [{ ...rate, hsn: '21' }] }, 'rates.0.hsn'],
      [GSTIN, { rates: [{ ...rate, rate: 105 }] }, 'rates.0.rate']
    ] as const) {
      await save('legal', { gstin })
      expect(fieldsOf(await save('tax', { ...REGULAR, ...changes }))).toEqual({
        [`value.${field}`]: expect.any(String)
      })
    }
  })

  test('keep the GSTIN that they need', async () => {
    const { save, saveTax } = await openTaxShop()
    await saveTax(COMPOSITION)
    for (const gstin of ['', '28ABCDE1234F1ZY'])
      expect(fieldsOf(await save('legal', { gstin }))).toEqual({
        'value.gstin': expect.any(String)
      })
    await saveTax({ ...COMPOSITION, status: 'unregistered' })
    await expectOk(save('legal', { gstin: '' }))
  })

  test('need the tick about the accountant from sellers that are not regular and deliver to other states', async () => {
    const { save } = await openTaxShop()
    await save('legal', { gstin: GSTIN })
    for (const status of ['unregistered', 'composition']) {
      const tax = { ...REGULAR, status, otherStates: true, accountantAsked: false }
      expect(fieldsOf(await save('tax', tax))).toEqual({
        'value.accountantAsked': expect.any(String)
      })
      await expectOk(save('tax', { ...tax, accountantAsked: true }))
      await expectOk(save('tax', { ...tax, otherStates: false }))
    }
    await expectOk(save('tax', REGULAR))
  })
})
