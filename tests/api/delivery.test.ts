import { describe, expect, test } from 'vitest'
import type { DeliveryReply } from '#lib/contract/delivery.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import type { Settings, ShopSettings, StoredSection } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { MINUTE } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { openAdminShop } from '../support/admin-products.ts'
import {
  ADDRESS,
  addShopper,
  callAs,
  CUSTOMER,
  openCheckoutShop,
  requestPayment
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, testClock, type Shop } from '../support/shop.ts'

const products = { laddu: { price: 200 }, hamper: { price: 900, category: 'seer_items' } } as const
/** Tuesday, 24 November, noon in India. */
const NOON = '2026-11-24T06:30:00.000Z'
const ZONE = { freeAbove: 500, transitMin: 0, transitMax: 0, active: true }
const zones: Settings['delivery']['zones'] = [
  { ...ZONE, name: 'Near', pincodes: '620', method: 'own', fee: 40 },
  { ...ZONE, name: 'South', pincodes: '5,6', method: 'courier', fee: 90, transitMax: 3 }
]

async function save<Name extends 'delivery' | 'calendar'>(
  shop: Shop,
  name: Name,
  changes: Partial<Settings[Name]>
): Promise<void> {
  const { token } = await logInAsAdmin(shop)
  const { value, version } = (await call(shop, `GET /admin/settings/${name}`, { token }))
    .body as StoredSection<Name>
  const body = { value: { ...value, ...changes }, version }
  expect((await call(shop, `PUT /admin/settings/${name}`, { token, body })).status).toBe(200)
}

async function ask(shop: Shop, pincode: string, items = ''): Promise<DeliveryReply> {
  const reply = await shop.get(`/delivery?pincode=${pincode}${items && `&items=${items}`}`)
  expect(reply.status).toBe(200)
  return reply.body as DeliveryReply
}

const open = () => openShop('sqlite', { products, clock: testClock(NOON) })

describe('GET /delivery', () => {
  test('without rules serves all of India from the day after tomorrow without a fee', async () => {
    const shop = await open()
    const reply = await ask(shop, '781001')
    expect(reply).toMatchObject({ isKnown: true, states: ['Assam'], pickup: null, pickupText: '' })
    expect(reply.delivery).toMatchObject({
      fee: 0,
      usualFee: 0,
      freeAbove: null,
      zone: '',
      firstDay: '2026-11-26'
    })
    expect(reply.delivery?.days).toHaveLength(29)
  })

  test('tells place, zone, fee for the items and first day, as soon as the rules are saved', async () => {
    const shop = await open()
    await ask(shop, '620018')
    await save(shop, 'delivery', {
      zones,
      elsewhere: 'none',
      pickup: true,
      pickupText: '9 am to 6 pm'
    })
    await save(shop, 'calendar', { cutOff: '12:01', closedWeekdays: [4] })
    const near = await ask(shop, '620018', 'laddu:2')
    expect(near).toMatchObject({
      district: 'Tiruchirappalli',
      areas: ['Thillai Nagar'],
      pickupText: '9 am to 6 pm'
    })
    // Thursday 26 is closed.
    expect(near.delivery?.days.slice(0, 2)).toEqual([
      { date: '2026-11-26', state: 'closed' },
      { date: '2026-11-27', state: 'open' }
    ])
    expect(near.delivery).toMatchObject({
      zone: 'Near',
      fee: 40,
      usualFee: 40,
      freeAbove: 500,
      firstDay: '2026-11-27'
    })
    expect(near.pickup).toMatchObject({ method: 'pickup', fee: 0, firstDay: '2026-11-27' })
    expect((await ask(shop, '620018', 'laddu:1,laddu:2')).delivery).toMatchObject({
      fee: 0,
      usualFee: 40
    })
    expect((await ask(shop, '560001')).delivery).toMatchObject({
      method: 'courier',
      firstDay: '2026-11-30'
    })
    expect((await ask(shop, '781001')).delivery).toBeNull()
    shop.clock.advance(MINUTE)
    expect((await ask(shop, '620018')).delivery?.days[0]?.date).toBe('2026-11-27')
  })

  test('refuses a pincode whose first three digits do not exist, and says if it does not know the rest', async () => {
    const shop = await open()
    expect(await shop.get('/delivery?pincode=999999')).toMatchObject({
      status: 404,
      body: { code: 'PINCODE_UNKNOWN' }
    })
    expect(await ask(shop, '620099')).toMatchObject({
      isKnown: false,
      states: ['Tamil Nadu'],
      areas: []
    })
    for (const query of [
      'pincode=62001',
      'pincode=620018&items=laddu',
      'pincode=620018&items=laddu:0',
      ''
    ]) {
      expect((await shop.get(`/delivery?${query}`)).status, query).toBe(400)
    }
  })

  test('shows days further ahead for categories that the owner marks, and ignores products that are gone', async () => {
    const shop = await open()
    await save(shop, 'calendar', { longCategories: ['seer_items'] })
    expect((await ask(shop, '620018', 'hamper:1')).delivery?.days.at(-1)?.date).toBe('2027-03-24')
    expect((await ask(shop, '620018', 'gone:1')).delivery?.days.at(-1)?.date).toBe('2026-12-24')
  })

  test.for(ENGINES)('reads the places on kitchen days each time on %s', async engine => {
    const shop = await openShop(engine, { products, clock: testClock(NOON) })
    await save(shop, 'delivery', { zones, elsewhere: 'none' })
    await save(shop, 'calendar', { ordersPerDay: 10, unitsPerDay: 50 })
    const states = async (pincode: string, items = '') => {
      const { delivery } = await ask(shop, pincode, items)
      return delivery?.days.slice(0, 3).map(({ state }) => state)
    }
    expect(await states('620018')).toEqual(['open', 'open', 'open'])
    await shop.database.kysely
      .insertInto('delivery_days')
      .values([
        { day: '2026-11-26', orders: 10, units: 20 },
        { day: '2026-11-27', orders: 9, units: 30 },
        { day: '2026-11-28', orders: 1, units: 48 }
      ])
      .execute()
    expect(await states('620018')).toEqual(['full', 'few', 'few'])
    expect(await states('620018', 'laddu:3')).toEqual(['full', 'few', 'full'])
    // A courier takes three days, so the parcel of the 29th leaves the kitchen on the 26th.
    expect((await ask(shop, '560001')).delivery).toMatchObject({
      firstDay: '2026-11-30',
      days: [
        { date: '2026-11-29', state: 'full' },
        { state: 'few' },
        { state: 'few' },
        ...Array(23).fill({ state: 'open' })
      ]
    })
  })

  test('sets no cookie, is not cached and is limited per network', async () => {
    const shop = await open()
    const { headers } = await shop.get('/delivery?pincode=620018')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
    const { count } = await shop.database.kysely
      .selectFrom('rate_counts')
      .select('count')
      .where('key', 'like', 'pincodes of %')
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })
})

describe('Settings of delivery', () => {
  const put = async (shop: Shop, name: 'delivery' | 'calendar', changes: object) => {
    const { token } = await logInAsAdmin(shop)
    const value = { ...EMPTY_SETTINGS[name], ...changes }
    return (await call(shop, `PUT /admin/settings/${name}`, { token, body: { value, version: 0 } }))
      .body
  }

  test('are refused if two zones have one name, or days and categories make no sense', async () => {
    const shop = await open()
    const [near, south] = zones
    const fields = {
      'value.zones.1.name': 'Another zone has this name',
      'value.zones.1.transitMax': 'This must be at least the shortest time of the courier'
    }
    const reversed = { ...south, name: 'NEAR', transitMin: 4 }
    expect(
      await put(shop, 'delivery', { zones: [near, reversed], elsewhere: 'none' })
    ).toMatchObject({ fields })
    expect(
      await put(shop, 'calendar', {
        leadDays: 5,
        daysAhead: 4,
        closedWeekdays: [0, 1, 2, 3, 4, 5, 6],
        longCategories: ['cakes']
      })
    ).toMatchObject({
      fields: {
        'value.daysAhead': 'This must be at least the days to prepare',
        'value.closedWeekdays': 'The kitchen would always be closed. Please leave a day open.',
        'value.longCategories': 'This category does not exist'
      }
    })
    expect(
      await put(shop, 'delivery', { zones: [{ ...near, pincodes: 'Trichy', fee: -1 }] })
    ).toMatchObject({
      fields: {
        'value.zones.0.pincodes': 'Please enter pincodes such as 620001-620026, 6210, 625',
        'value.zones.0.fee': 'Please enter an amount in rupees, 0 or more'
      }
    })
  })
})

describe('Pincodes in no zone', () => {
  const TRICHY = {
    ...ZONE,
    freeAbove: 0,
    name: 'Trichy',
    pincodes: '620',
    method: 'own',
    fee: 40
  } as const
  const TAMIL_NADU = {
    ...TRICHY,
    name: 'Tamil Nadu',
    pincodes: '60-64',
    method: 'courier',
    fee: 90,
    transitMax: 2
  } as const
  const put = async (shop: Shop, changes: object) => {
    const { token } = await logInAsAdmin(shop)
    const { value, version } = (await call(shop, 'GET /admin/settings/delivery', { token }))
      .body as StoredSection
    const body = { value: { ...value, ...changes }, version }
    const { status, body: reply } = await call(shop, 'PUT /admin/settings/delivery', {
      token,
      body
    })
    return status === 200 ? {} : (reply as { fields: object }).fields
  }

  test('need a choice as soon as there is a zone, and the courier its fee and days', async () => {
    const shop = await open()
    const zones = [TRICHY, { ...TAMIL_NADU, active: false }]
    const missing = { 'value.elsewhere': 'Please choose what applies outside of your zones' }
    for (const choice of [{}, { elsewhere: undefined }, { elsewhere: 'free' }])
      expect(await put(shop, { zones, ...choice })).toEqual(missing)
    expect(await put(shop, { zones: [{ ...TRICHY, active: false }] })).toEqual(missing)
    const courier = { zones, elsewhere: 'courier' }
    const days = {
      'value.elsewhereDays': 'Please enter how many days the courier takes at most, from 1 to 30'
    }
    expect(await put(shop, courier)).toEqual({
      ...days,
      'value.elsewhereFee': 'Please enter the fee, or 0 for free delivery'
    })
    expect(await put(shop, { ...courier, elsewhereFee: 0, elsewhereDays: 0 })).toEqual(days)
    // A zone without pincodes leaves nothing to choose.
    expect(await put(shop, { zones: [TRICHY, { ...TAMIL_NADU, pincodes: '' }] })).toEqual({})
    expect((await ask(shop, '781001')).delivery).toMatchObject({ zone: 'Tamil Nadu', fee: 90 })
  })

  test('pay the fee of the courier and wait for it, or are not served', async () => {
    const shop = await open()
    const courier = { elsewhere: 'courier', elsewhereFee: 150, elsewhereDays: 5 }
    expect(await put(shop, { zones: [TRICHY, TAMIL_NADU], ...courier })).toEqual({})
    const first = async (pincode: string) => {
      const { fee, firstDay } = (await ask(shop, pincode)).delivery ?? {}
      return [fee, firstDay]
    }
    expect([await first('620018'), await first('600001'), await first('781001')]).toEqual([
      [40, '2026-11-26'],
      [90, '2026-11-28'],
      [150, '2026-12-01']
    ])
    const { delivery } = (await shop.get('/shop')).body as ShopSettings
    expect(delivery).toMatchObject({ hasFees: true, leastTransit: 0 })
    expect(await put(shop, { zones: [], ...courier })).toEqual({})
    expect(await first('620018')).toEqual([150, '2026-12-01'])
    expect(((await shop.get('/shop')).body as ShopSettings).delivery).toMatchObject({
      leastTransit: 5
    })
    expect(await put(shop, { zones: [TRICHY], elsewhere: 'none' })).toEqual({})
    expect((await ask(shop, '781001')).delivery).toBeNull()
  })

  test('keep the rules that an older version has saved, and the owner is asked to choose', async () => {
    const shop = await openAdminShop('sqlite', { clock: testClock(NOON) })
    const saveOld = (version: number, rules: object) =>
      shop.write(trx =>
        trx
          .insertInto('settings')
          .values({
            ...{
              section: 'delivery',
              version,
              saved_at: NOON,
              saved_by: null,
              saved_by_name: 'Meena'
            },
            value: JSON.stringify({ pickup: false, pickupText: '', ...rules })
          })
          .execute()
      )
    const missing = async () => {
      const { rows } = (await shop.callAsAdmin('GET /admin/setup')).body as SetupState
      return rows.find(({ id }) => id === 'delivery')?.missing
    }
    await saveOld(1, { zones: [TRICHY], restServed: true })
    await shop.write(trx => raiseCounter(trx, 'catalog'))
    expect((await ask(shop, '781001')).delivery).toMatchObject({ fee: 0, firstDay: '2026-11-26' })
    expect(await missing()).toContain('elsewhere')
    await saveOld(2, { zones: [TRICHY], restServed: false })
    await shop.write(trx => raiseCounter(trx, 'catalog'))
    expect((await ask(shop, '781001')).delivery).toBeNull()
    expect(await missing()).not.toContain('elsewhere')
  })
})

describe('An address whose pincode is wrong', () => {
  const wrong = [
    [
      { pincode: '999999' },
      { 'shippingAddress.pincode': 'There is no such pincode. Please check it.' }
    ],
    [{ pincode: '560001', state: 'Kerala' }, { 'shippingAddress.state': '560001 is in Karnataka' }]
  ] as const

  test('is refused by the payment call', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const pay = (address: object) =>
      requestPayment(shop, anita, {
        items: [{ product: 'laddu', quantity: 1 }],
        extra: { shippingAddress: { ...ADDRESS, ...address } }
      })
    for (const [address, fields] of wrong)
      expect((await pay(address)).body).toMatchObject({ fields })
    expect((await pay({ pincode: '605110', state: 'Puducherry' })).status).toBe(200)
    expect((await pay({ pincode: '620099' })).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })

  test('is refused in the order of an unitemised payment, which can be sent again with the right one', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id } = (await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 200 }))
      .body as { id: string }
    const proof = await shop.sandbox.pay(id)
    const order = (address: object) =>
      callAs(anita, shop, 'POST /orders', {
        ...proof,
        items: [{ product: 'laddu', quantity: 1, price: 200 }],
        totalAmount: 200,
        customerDetails: CUSTOMER,
        shippingAddress: { ...ADDRESS, ...address }
      })
    for (const [address, fields] of wrong)
      expect((await order(address)).body).toMatchObject({ fields })
    expect((await order({})).status).toBe(201)
    expect(await shop.violations()).toEqual([])
  })
})
