import { describe, expect, test } from 'vitest'
import type { DeliveryReply } from '#lib/contract/delivery.ts'
import type { ShopSettings } from '#lib/contract/settings.ts'
import { toPaise } from '#lib/money.ts'
import { addAttempts } from '../support/accounts.ts'
import { fieldsOf, withAdmin } from '../support/admin-products.ts'
import { ADDRESS, addShopper, openCheckoutShop, requestPayment } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { CITY, setSettings } from '../support/places.ts'
import { testClock } from '../support/shop.ts'

const products = {
  laddu: { price: 200 },
  halwa: { price: 150 },
  hamper: { price: 900, category: 'seer_items' }
} as const
/** Tuesday, 24 November, noon in India. */
const NOON = '2026-11-24T06:30:00.000Z'
const NEAR = { ...CITY, name: 'Near', pincodes: '620', freeAbove: 500 }
const SOUTH = {
  ...NEAR,
  name: 'South',
  pincodes: '5,6',
  method: 'courier',
  fee: 90,
  transitMax: 3
} as const
type Changes = Parameters<typeof setSettings>[1]
const ZONES: Changes['delivery'] = { zones: [NEAR, SOUTH], elsewhere: 'none' }

async function openDelivery(changes: Changes = {}, engine: Engine = 'sqlite') {
  const shop = await openCheckoutShop(engine, { products, clock: testClock(NOON) })
  await setSettings(shop, changes)
  const anita = await addShopper(shop)
  return {
    ...shop,
    anita,
    async ask(pincode: string, items = '') {
      const reply = await shop.get(`/delivery?pincode=${pincode}${items && `&items=${items}`}`)
      expect(reply.status).toBe(200)
      return reply.body as DeliveryReply
    },
    /** Returns the message of a refused checkout. */
    async checkOut(address: Partial<typeof ADDRESS>, product = 'laddu', amount = 200) {
      const extra = { shippingAddress: { ...ADDRESS, ...address } }
      const items = [{ product, quantity: 1 }]
      const reply = await requestPayment(shop, anita, { items, amount, extra })
      return reply.status === 200 ? '' : (reply.body as { message: string }).message
    }
  }
}

describe('The answer about a pincode', () => {
  test('tells place, zone, fee for the items and days, as soon as the rules are saved', async () => {
    const { ask, ...shop } = await openDelivery()
    const free = { fee: 0, usualFee: 0, freeAbove: null }
    const { delivery: withoutRules, ...reply } = await ask('781001')
    expect(reply).toMatchObject({ isKnown: true, states: ['Assam'], pickup: null })
    expect(withoutRules).toMatchObject({ ...free, zone: '', firstDay: '2026-11-26' })
    const longCategories = ['seer_items']
    await setSettings(shop, {
      delivery: { ...ZONES, pickup: true, pickupText: '9 am to 6 pm' },
      calendar: { closedWeekdays: [4], longCategories },
      orders: { minimumOrder: 300 }
    })
    const near = await ask('620018', 'laddu:2')
    expect(near).toMatchObject({
      district: 'Tiruchirappalli',
      areas: ['Thillai Nagar'],
      pickupText: '9 am to 6 pm',
      minimumOrder: 300
    })
    const firstDay = '2026-11-27'
    const fee = { fee: 40, usualFee: 40, freeAbove: 500 }
    expect(near.delivery).toMatchObject({ ...fee, zone: 'Near', firstDay })
    expect(near.pickup).toMatchObject({ method: 'pickup', fee: 0, firstDay })
    const more = (await ask('620018', 'laddu:1,laddu:2,gone:1')).delivery
    expect(more).toMatchObject({ fee: 0, usualFee: 40 })
    expect(more?.days.at(-1)?.date).toBe('2026-12-24')
    expect((await ask('620018', 'hamper:1')).delivery?.days.at(-1)?.date).toBe('2027-03-24')
    expect((await ask('781001')).delivery).toBeNull()
  })

  test('refuses a pincode that cannot exist, and gives one newer than the table the terms of everywhere else', async () => {
    const elsewhere = { elsewhere: 'courier', elsewhereFee: 120, elsewhereDays: 5 } as const
    const delivery: Changes['delivery'] = { zones: [NEAR], ...elsewhere }
    const { ask, get, checkOut } = await openDelivery({ delivery })
    expect(await get('/delivery?pincode=100001')).toMatchObject({
      status: 404,
      body: { code: 'PINCODE_UNKNOWN' }
    })
    const unknown = { isKnown: false, states: ['Tamil Nadu'], areas: [] }
    expect(await ask('620099')).toMatchObject({ ...unknown, delivery: { zone: 'Near' } })
    const newer = await ask('178001')
    expect(newer).toMatchObject({ isKnown: false, states: [], stateProblem: '' })
    expect(newer.delivery).toMatchObject({ method: 'courier', fee: 120, firstDay: '2026-12-01' })
    const address = { pincode: '178001', state: 'Himachal Pradesh', city: 'Chamba' }
    expect(await checkOut(address, 'laddu', 320)).toBe('')
    const items = 'pincode=620018&items='
    for (const query of ['pincode=62001', `${items}laddu`, `${items}laddu:0`, ''])
      expect((await get(`/delivery?${query}`)).status, query).toBe(400)
  })

  test('suggests what makes the delivery free, by what the goods cost after discounts', async () => {
    const { get, ...shop } = await openDelivery({ delivery: ZONES })
    await shop.addToCatalog({
      products: {
        murukku: { price: 300, name_tamil: 'முறுக்கு' },
        sold: { price: 310, stock: 0 },
        hidden: { price: 310, hidden_at: NOON },
        near: { price: 320, local_only: 1 },
        stale: { price: 330, shelf_life_days: 4 },
        slow: { price: 340, extra_lead_days: 3 },
        'laddu-large': { price: 380, family_id: 'laddu' },
        tin: { price: 500, sale_price: toPaise(35_000), sale_from: '', sale_until: '2027' }
      }
    })
    await shop.write(trx =>
      trx.updateTable('products').set({ family_id: 'laddu' }).where('id', '=', 'laddu').execute()
    )
    const suggest = async (query: string, headers = {}) => {
      const url = `/api/delivery?pincode=${query}`
      const { body } = await shop.request({ method: 'GET', url, headers })
      return (body as DeliveryReply).suggestions
    }
    const idsOf = async (query: string) => (await suggest(query))?.map(({ id }) => id)
    expect(await idsOf('620018&items=laddu:1&goods=200')).toEqual(['murukku', 'near', 'stale'])
    expect(await idsOf('560001&items=laddu:1&goods=200')).toEqual(['murukku', 'tin', 'hamper'])
    expect(await idsOf('560001&items=laddu:1&goods=100.5')).toEqual(['hamper', 'tin', 'murukku'])
    for (const query of [
      '620018&items=laddu:3&goods=600',
      '620018&items=laddu:1',
      '781001&items=laddu:1&goods=200'
    ])
      expect(await suggest(query), query).toBeUndefined()
    const tamil = await suggest('560001&items=laddu:1&goods=200', { 'accept-language': 'ta' })
    expect(tamil?.slice(0, 2)).toMatchObject([
      { name: 'முறுக்கு', price: 300, stock: 'in' },
      { price: 350, listPrice: 500 }
    ])
    expect(tamil?.[0]).not.toHaveProperty('ingredients')
    expect((await get('/delivery?pincode=620018&goods=-1')).status).toBe(400)
  })

  test.for(ENGINES)('reads the places on kitchen days each time on %s', async engine => {
    const calendar = { ordersPerDay: 10, unitsPerDay: 50 }
    const { ask, ...shop } = await openDelivery({ delivery: ZONES, calendar }, engine)
    const states = async (pincode: string, items = '') => {
      const { delivery } = await ask(pincode, items)
      return delivery?.days.slice(0, 3).map(({ state }) => state)
    }
    expect(await states('620018')).toEqual(['open', 'open', 'open'])
    const days = [
      { day: '2026-11-26', orders: 10, units: 20 },
      { day: '2026-11-27', orders: 9, units: 30 },
      { day: '2026-11-28', orders: 1, units: 48 }
    ]
    await shop.write(trx => trx.insertInto('delivery_days').values(days).execute())
    expect(await states('620018')).toEqual(['full', 'few', 'few'])
    expect(await states('620018', 'laddu:3')).toEqual(['full', 'few', 'full'])
    // A courier takes three days, so the parcel of the 29th leaves the kitchen on the 26th.
    const { delivery } = await ask('560001')
    expect(delivery?.firstDay).toBe('2026-11-30')
    expect(delivery?.days.slice(0, 4)).toMatchObject([
      { date: '2026-11-29', state: 'full' },
      { state: 'few' },
      { state: 'few' },
      { state: 'open' }
    ])
  })

  test('sets no cookie, is not cached and is given 1,200 times a minute per network', async () => {
    const shop = await openDelivery()
    const { headers } = await shop.get('/delivery?pincode=620018')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
    await addAttempts(shop, 1198)
    await shop.ask('620018')
    expect((await shop.get('/delivery?pincode=620018')).status).toBe(429)
  })

  test('refuses other states in the words of the checkout', async () => {
    const rules = { tax: { otherStates: false }, delivery: { pickup: true } }
    const { ask, checkOut } = await openDelivery(rules)
    const text = 'We deliver only within Tamil Nadu.'
    expect(await checkOut({ pincode: '560001', state: 'Karnataka' })).toBe(text)
    const refused = await ask('560001')
    expect(refused).toMatchObject({ delivery: null, stateProblem: text, notes: [] })
    expect(refused.pickup).toMatchObject({ firstDay: '2026-11-26' })
    expect(await ask('620018')).toMatchObject({ stateProblem: '', notes: [] })
    // This pincode is in two states.
    const border = await ask('605110')
    expect(border.states.toSorted()).toEqual(['Puducherry', 'Tamil Nadu'])
    expect(border).toMatchObject({ notes: [text], delivery: {} })
  })

  test('sends parcels to the army only if a zone lists its pincodes, in a state that the shopper chooses', async () => {
    const rest = { ...SOUTH, name: 'India', area: 'india', pincodes: '' } as const
    const { ask, checkOut, ...shop } = await openDelivery()
    const text =
      'This is an army post office. We don’t send parcels there yet. ' +
      'Please give another address, or call us.'
    const apo = { pincode: '900056', city: '56 APO', state: 'Punjab' }
    const courier = { elsewhere: 'courier', elsewhereFee: 120, elsewhereDays: 5 } as const
    for (const delivery of [{}, { zones: [rest] }, { zones: [NEAR], ...courier }]) {
      await setSettings(shop, { delivery })
      const refused = { isKnown: true, states: [], delivery: null, stateProblem: text }
      expect(await ask('900056')).toMatchObject(refused)
      expect(await checkOut(apo)).toBe(text)
    }
    const army = { ...SOUTH, name: 'Army', pincodes: '90, 99', fee: 70, transitMax: 10 } as const
    await setSettings(shop, { delivery: { zones: [rest, army], elsewhere: 'none' } })
    expect(await ask('900056')).toMatchObject({ stateProblem: '', delivery: { fee: 70 } })
    expect(await ask('930001')).toMatchObject({ stateProblem: text, delivery: null })
    expect(await checkOut(apo, 'laddu', 270)).toBe('')
    const orders = shop.database.kysely.selectFrom('orders').select(['address', 'delivery_zone'])
    const { address, delivery_zone } = await orders.executeTakeFirstOrThrow()
    expect([JSON.parse(address), delivery_zone]).toMatchObject([apo, 'Army'])
    await setSettings(shop, { tax: { otherStates: false } })
    const ownState = 'We deliver only within Tamil Nadu.'
    expect(await ask('900056')).toMatchObject({ notes: [ownState], delivery: { fee: 70 } })
    expect(await checkOut({ ...apo, pincode: '990099' }, 'laddu', 270)).toBe(ownState)
  })

  test('of a closed shop says when it opens again, and counts the days from then', async () => {
    const closed = { from: '2026-11-20', until: '2026-11-29', message: '' }
    const { ask, checkOut, ...shop } = await openDelivery({ orders: { closed } })
    const text = 'We take orders again from Mon 30 Nov.'
    expect(await checkOut({})).toContain(text)
    const { delivery, notes } = await ask('620018')
    expect(notes).toEqual([text])
    expect(delivery).toMatchObject({ firstDay: '2026-12-02' })
    expect(delivery?.days[0]?.date).toBe('2026-12-02')
    // On the day before a holiday, the shop is open.
    await setSettings(shop, { orders: { closed: { ...closed, from: '2026-11-25' } } })
    expect(await ask('620018')).toMatchObject({ notes: [], delivery: { firstDay: '2026-11-30' } })
  })

  test('says which products stay near, and without products that not all of them go there', async () => {
    const { ask, checkOut, ...shop } = await openDelivery({ delivery: ZONES })
    expect((await ask('600001')).notes).toEqual([])
    await shop.write(trx =>
      trx.updateTable('products').set({ local_only: 1 }).where('id', '=', 'halwa').execute()
    )
    await shop.addToCatalog({})
    expect((await ask('600001')).notes).toEqual(['Some of our products don’t travel that far.'])
    expect((await ask('600001', 'laddu:1')).notes).toEqual([])
    expect((await ask('620018')).notes).toEqual([])
    const [problem] = (await ask('600001', 'halwa:1')).delivery?.problems ?? []
    const chennai = { pincode: '600001' }
    expect(await checkOut(chennai, 'halwa', 240)).toContain(problem?.text)
    expect(await checkOut(chennai, 'laddu', 290)).toBe('')
  })
})

describe('Settings of delivery', () => {
  async function openSettings() {
    const shop = await withAdmin(await openDelivery())
    return {
      ...shop,
      save: async (section: 'delivery' | 'calendar', changes: object) =>
        fieldsOf(await shop.saveSettings(section, changes)) ?? {}
    }
  }

  test('are refused if two zones have one name, or days and categories make no sense', async () => {
    const { save } = await openSettings()
    const area = { area: 'typed', pincodes: '' }
    const zones = [NEAR, { ...SOUTH, ...area, name: 'NEAR' }]
    expect(await save('delivery', { zones, elsewhere: 'none' })).toEqual({
      'value.zones.1.name': 'This name is already in the list',
      'value.zones.1.pincodes': 'Please enter pincodes such as 620001-620026, 6210, 625'
    })
    const closedWeekdays = [0, 1, 2, 3, 4, 5, 6]
    const calendar = { leadDays: 5, daysAhead: 4, closedWeekdays, longCategories: ['cakes'] }
    expect(await save('calendar', calendar)).toEqual({
      'value.daysAhead': 'This must be at least the days before you need an order',
      'value.closedWeekdays': 'You would be closed on all days. Please leave a day open.',
      'value.longCategories': 'This category does not exist'
    })
    expect(await save('delivery', { zones: [{ ...NEAR, pincodes: 'Trichy', fee: -1 }] })).toEqual({
      'value.zones.0.pincodes': 'Please enter pincodes such as 620001-620026, 6210, 625',
      'value.zones.0.fee': 'Please enter an amount in rupees, 0 or more'
    })
  })

  test('need a choice for pincodes in no zone, and the courier its fee and days', async () => {
    const { save, ask, get } = await openSettings()
    const missing = { 'value.elsewhere': 'Do you deliver everywhere else in India? Please choose.' }
    for (const choice of [{}, { elsewhere: undefined }, { elsewhere: 'free' }])
      expect(await save('delivery', { zones: [NEAR], ...choice })).toEqual(missing)
    expect(await save('delivery', { zones: [{ ...NEAR, active: false }] })).toEqual(missing)
    const courier = { zones: [NEAR], elsewhere: 'courier' }
    const days = {
      'value.elsewhereDays': 'Please enter how many days the courier takes, from 1 to 30'
    }
    expect(await save('delivery', courier)).toEqual({
      ...days,
      'value.elsewhereFee': 'Please enter the fee, or 0 for free delivery'
    })
    const free = { elsewhereFee: 0, elsewhereDays: 0 }
    expect(await save('delivery', { ...courier, ...free })).toEqual(days)
    // A zone without pincodes leaves nothing to choose.
    expect(await save('delivery', { zones: [NEAR, { ...SOUTH, pincodes: '' }] })).toEqual({})
    const readTransit = async () => ((await get('/shop')).body as ShopSettings).delivery
    expect(await readTransit()).toMatchObject({ countrywide: [{ fee: NEAR.fee }, { fee: 90 }] })
    const chosen = { ...courier, elsewhereFee: 150, elsewhereDays: 5 }
    expect(await save('delivery', chosen)).toEqual({})
    expect((await ask('781001')).delivery).toMatchObject({ fee: 150, firstDay: '2026-12-01' })
    expect(await readTransit()).toMatchObject({
      ...{ hasFees: true, leastTransit: 0, area: { across: 'India', places: [] } },
      countrywide: [
        { method: 'own', freeAbove: 500 },
        { method: 'courier', fee: 150 }
      ]
    })
    expect(await save('delivery', { ...chosen, zones: [] })).toEqual({})
    expect(await readTransit()).toMatchObject({ leastTransit: 5 })
    expect(await save('delivery', ZONES)).toEqual({})
    expect(await readTransit()).toMatchObject({ countrywide: [] })
  })
})
