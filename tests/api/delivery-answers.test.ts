import { describe, expect, test } from 'vitest'
import type { DeliveryReply } from '#lib/contract/delivery.ts'
import type { Settings } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { ADDRESS, addShopper, openCheckoutShop, requestPayment } from '../support/checkout.ts'
import { CITY, setSettings } from '../support/places.ts'
import { testClock } from '../support/shop.ts'

const products = { laddu: { price: 200 }, halwa: { price: 150 } } as const
/** Tuesday, 24 November, noon in India. */
const NOON = '2026-11-24T06:30:00.000Z'
const SOUTH = {
  ...CITY,
  name: 'South',
  pincodes: '5-6',
  method: 'courier',
  fee: 90,
  transitMax: 3
} as const

type Changes = { [Name in SectionName]?: Partial<Settings[Name]> }

/** Asks the pincode field and the checkout the same. */
async function openAnswers(changes: Changes) {
  const shop = await openCheckoutShop('sqlite', { products, clock: testClock(NOON) })
  const anita = await addShopper(shop)
  await setSettings(shop, changes)
  await shop.write(trx => raiseCounter(trx, 'catalog'))
  return {
    ...shop,
    async ask(pincode: string, items = ''): Promise<DeliveryReply> {
      const reply = await shop.get(`/delivery?pincode=${pincode}${items && `&items=${items}`}`)
      return reply.body as DeliveryReply
    },
    async checkOut(
      address: Partial<typeof ADDRESS>,
      product = 'laddu',
      amount = 200
    ): Promise<string> {
      const extra = { shippingAddress: { ...ADDRESS, ...address } }
      const reply = await requestPayment(shop, anita, {
        items: [{ product, quantity: 1 }],
        amount,
        extra
      })
      return reply.status === 200 ? '' : (reply.body as { message: string }).message
    }
  }
}

describe('The answer about a pincode', () => {
  test('refuses other states in the words of the checkout', async () => {
    const shop = await openAnswers({ tax: { otherStates: false }, delivery: { pickup: true } })
    const text = 'We deliver only within Tamil Nadu.'
    expect(await shop.checkOut({ pincode: '560001', state: 'Karnataka' })).toBe(text)
    expect(await shop.ask('560001')).toMatchObject({
      delivery: null,
      stateProblem: text,
      notes: []
    })
    expect((await shop.ask('560001')).pickup).toMatchObject({ firstDay: '2026-11-26' })
    expect(await shop.ask('620018')).toMatchObject({ stateProblem: '', notes: [] })
    // This pincode is in two states.
    const border = await shop.ask('605110')
    expect(border).toMatchObject({
      states: expect.arrayContaining(['Tamil Nadu', 'Puducherry']),
      notes: [text]
    })
    expect(border.delivery).not.toBeNull()
    await setSettings(shop, {
      shop: { address: { street: '', area: '', city: '', state: 'Ceylon', pincode: '' } }
    })
    await shop.write(trx => raiseCounter(trx, 'catalog'))
    const closed = await shop.checkOut({})
    expect(closed).toMatch('We can’t deliver at the moment.')
    expect(await shop.ask('620018')).toMatchObject({ delivery: null, stateProblem: closed })
  })

  test('of a closed shop says when it opens again, and counts the days from then', async () => {
    const closed = { from: '2026-11-20', until: '2026-11-29', message: '' }
    const shop = await openAnswers({ orders: { closed } })
    const text = 'We take orders again from Mon 30 Nov.'
    expect(await shop.checkOut({})).toContain(text)
    const { delivery, notes } = await shop.ask('620018')
    expect([notes, delivery?.firstDay, delivery?.days[0]?.date]).toEqual([
      [text],
      '2026-12-02',
      '2026-12-02'
    ])
    // On the day before a holiday, the shop is open.
    await setSettings(shop, { orders: { closed: { ...closed, from: '2026-11-25' } } })
    await shop.write(trx => raiseCounter(trx, 'catalog'))
    expect(await shop.ask('620018')).toMatchObject({
      notes: [],
      delivery: { firstDay: '2026-11-30' }
    })
  })

  test('names the minimum order', async () => {
    const shop = await openAnswers({ orders: { minimumOrder: 300 } })
    expect(await shop.ask('620018')).toMatchObject({ minimumOrder: 300, notes: [] })
  })

  test('says which products stay near, and without products that not all of them go there', async () => {
    const shop = await openAnswers({ delivery: { zones: [CITY, SOUTH], elsewhere: 'none' } })
    const local = shop.database.kysely
      .updateTable('products')
      .set({ local_only: 1 })
      .where('id', '=', 'halwa')
    expect((await shop.ask('600001')).notes).toEqual([])
    await local.execute()
    await shop.write(trx => raiseCounter(trx, 'catalog'))
    const chennai = { pincode: '600001' }
    expect((await shop.ask('600001')).notes).toEqual([
      'Some of our products don’t travel that far.'
    ])
    expect((await shop.ask('600001', 'laddu:1')).notes).toEqual([])
    expect((await shop.ask('620018')).notes).toEqual([])
    const [problem] = (await shop.ask('600001', 'halwa:1')).delivery?.problems ?? []
    expect(await shop.checkOut(chennai, 'halwa', 240)).toContain(problem?.text)
    expect(await shop.checkOut(chennai, 'laddu', 290)).toBe('')
  })
})
