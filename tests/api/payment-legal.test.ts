import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { statusAndCode } from '../support/accounts.ts'
import { LADDUS, openAdminOrdersShop, type AdminOrdersShop } from '../support/admin-orders.ts'
import { addShopper, buy, requestPayment } from '../support/checkout.ts'

const LEGAL = {
  fssai: '12422999000123',
  gstin: '',
  grievanceOfficer: { name: 'Meena', designation: '' }
}

function useLiveKeys({ app }: AdminOrdersShop): void {
  app.payments.settings.keyId = 'rzp_live_1DP5mmOlF5G5ag'
}

async function saveLegal(shop: AdminOrdersShop, value: object): Promise<void> {
  const { version } = (await shop.callAsAdmin('GET /admin/settings/legal')).body as StoredSection
  const reply = await shop.callAsAdmin('PUT /admin/settings/legal', { value, version })
  if (reply.status !== 200) throw new Error(reply.text)
}

describe('Payments with live keys', () => {
  test('wait until the owner has entered an FSSAI number and a grievance officer', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    useLiveKeys(shop)
    const request = () => requestPayment(shop, shop.anita, { items: LADDUS })
    const outcomes = []
    outcomes.push(statusAndCode(await request()))
    for (const missing of [
      { fssai: '' },
      { grievanceOfficer: { name: '', designation: 'Owner' } },
      {}
    ]) {
      await saveLegal(shop, { ...LEGAL, ...missing })
      outcomes.push(statusAndCode(await request()))
    }
    const refused = '503 LEGAL_DETAILS_MISSING'
    expect(outcomes).toEqual([refused, refused, refused, '200'])
  })

  test('tell the reason to administrators only', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    useLiveKeys(shop)
    const owner = await addShopper(shop, 'owner')
    await shop.database.kysely
      .updateTable('users')
      .set({ staff: 'owner' })
      .where('id', '=', owner.id)
      .execute()
    const messages = await Promise.all(
      [shop.anita, owner].map(
        async who => (await requestPayment(shop, who, { items: LADDUS })).body
      )
    )
    expect(messages).toMatchObject([
      { message: 'We can’t take orders yet. Please come back soon.' },
      { message: ADMIN_MESSAGES.legalMissing }
    ])
  })
})

describe('Orders', () => {
  test('are marked as test orders unless they were placed with live keys', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    await saveLegal(shop, LEGAL)
    const test = await buy(shop, shop.anita, LADDUS)
    useLiveKeys(shop)
    const live = await buy(shop, shop.anita, LADDUS)
    expect(await shop.fetchOrder(test._id)).toMatchObject({ isTest: true })
    expect(await shop.fetchOrder(live._id)).toMatchObject({ isTest: false })
  })
})
