import { describe, expect, test } from 'vitest'
import type { SetupState } from '#lib/contract/admin.ts'
import type { ShopSettings } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { call, expectBody, expectOk, logInAsAdmin } from '../support/accounts.ts'
import { ADDRESS, addShopper, openCheckoutShop, requestPayment } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { setSettings } from '../support/places.ts'
import { saveSection } from '../support/settings.ts'
import type { Reply } from '../support/shop.ts'

const GSTIN = '33ABCDE1234F1Z7'
const GSTIN_OF_KARNATAKA = '29ABCDE1234F1ZW'
const cart = [{ product: 'laddu', quantity: 1 }]
const karnataka = { shippingAddress: { ...ADDRESS, state: 'Karnataka', pincode: '560001' } }

async function openSellerShop(engine: Engine = 'sqlite') {
  const shop = await openCheckoutShop(engine, { products: { laddu: { price: 180 } } })
  const { token } = await logInAsAdmin(shop)
  const callAsAdmin = (line: string, body?: unknown) => call(shop, line, { token, body })
  return {
    ...shop,
    callAsAdmin,
    anita: await addShopper(shop),
    save: (section: SectionName, changes: object) => saveSection(callAsAdmin, section, changes)
  }
}

const fieldsOf = ({ body }: Reply): unknown => (body as { fields?: unknown }).fields

describe('The state of the shop', () => {
  const kitchen = { street: '12 Kolam Street', area: '', city: 'Tiruchirappalli', pincode: '' }
  const saveState = (
    { save }: Awaited<ReturnType<typeof openSellerShop>>,
    state: string,
    pincode = ''
  ) => save('shop', { address: { ...kitchen, state, pincode } })
  const ONLY_OWN = { otherStates: false }
  const COMPOSITION = { ...ONLY_OWN, status: 'composition' }

  test('is one of the list, and agrees with its pincode and its GSTIN', async () => {
    const shop = await openSellerShop()
    for (const state of ['TN', 'tamil nadu', 'Ceylon'])
      expect(fieldsOf(await saveState(shop, state))).toEqual({
        'value.address.state': 'Please choose a state from the list'
      })
    expect(fieldsOf(await saveState(shop, 'Karnataka', '620018'))).toEqual({
      'value.address.state': '620018 is in Tamil Nadu'
    })
    const text =
      'The GST number is for Tamil Nadu, but the address under Shop details is in Karnataka'
    await expectOk(shop.save('legal', { gstin: GSTIN }))
    expect(fieldsOf(await saveState(shop, 'Karnataka'))).toEqual({ 'value.address.state': text })
    await expectOk(shop.save('legal', { gstin: '' }))
    await expectOk(saveState(shop, 'Karnataka', '560001'))
    await expectOk(shop.save('legal', { gstin: GSTIN }))
    expect(fieldsOf(await shop.save('tax', COMPOSITION))).toEqual({ 'value.status': text })
  })

  test('changes with a new GSTIN, which the address follows', async () => {
    const shop = await openSellerShop()
    const missing = async () => {
      const { rows } = (await shop.callAsAdmin('GET /admin/setup')).body as SetupState
      return rows.flatMap(row => row.missing).filter(gap => gap === 'gstinState')
    }
    await expectOk(saveState(shop, 'Tamil Nadu', '620018'))
    await expectOk(shop.save('legal', { gstin: GSTIN }))
    await expectOk(shop.save('tax', COMPOSITION))
    await expectOk(shop.save('legal', { gstin: GSTIN_OF_KARNATAKA }))
    expect(await missing()).toEqual(['gstinState'])
    await expectOk(shop.save('shop', { phone: '90000 12345' }))
    expect(fieldsOf(await saveState(shop, 'Kerala'))).toEqual({
      'value.address.state':
        'The GST number is for Karnataka, but the address under Shop details is in Kerala'
    })
    await expectOk(saveState(shop, 'Karnataka', '560001'))
    expect(await missing()).toEqual([])
  })

  test('can’t be removed while the shop delivers only within it', async () => {
    const shop = await openSellerShop()
    await expectOk(shop.save('tax', ONLY_OWN))
    const text = 'The section Tax needs your state, because you deliver only within it'
    expect(fieldsOf(await saveState(shop, ''))).toEqual({ 'value.address.state': text })
    await expectOk(shop.save('legal', { gstin: GSTIN }))
    await expectOk(saveState(shop, ''))
    expect(fieldsOf(await shop.save('legal', { gstin: '' }))).toEqual({ 'value.gstin': text })
    await setSettings(shop, { legal: { gstin: '' } })
    expect(fieldsOf(await shop.save('tax', { ...ONLY_OWN, accountantAsked: true }))).toEqual({
      'value.otherStates': 'Please choose the state of your address under Shop details first'
    })
  })

  test.for(ENGINES)(
    'closes the shop on %s if an older version saved one that is not known',
    async engine => {
      const shop = await openSellerShop(engine)
      const pay = (extra: object) => requestPayment(shop, shop.anita, { items: cart, extra })
      await shop.save('tax', ONLY_OWN)
      const ask = async (state: string, extra: object = {}) => {
        await setSettings(shop, { shop: { address: { ...kitchen, state } } })
        const reply = await pay(extra)
        return reply.status === 200 ? 'open' : Object.values(fieldsOf(reply) ?? {})[0]
      }
      const text = 'We can’t deliver at the moment. Please contact us.'
      for (const state of ['', 'Ceylon', 'South India']) {
        expect([await ask(state, karnataka), await ask(state)]).toEqual([text, text])
      }
      await expectBody(pay({ pickup: true }), { code: 'NOT_DELIVERED' })
      for (const state of ['TN', 'tamilnadu', ' Tamil  Nadu ']) {
        expect([await ask(state, karnataka), await ask(state)]).toEqual([
          'We deliver only within Tamil Nadu.',
          'open'
        ])
      }
      const { address } = ((await shop.get('/shop')).body as ShopSettings).shop
      expect(address.state).toBe('Tamil Nadu')
      expect(await shop.violations()).toEqual([])
    }
  )
})
