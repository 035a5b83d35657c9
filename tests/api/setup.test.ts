import { describe, expect, test } from 'vitest'
import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import { SETUP_ROW_IDS, type SetupRowId, type SectionName } from '#lib/contract/names.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import type { ShopSettings } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { createFirstAdmin } from '#server/accounts/admins.ts'
import { seedDemo } from '#server/demo/seed.ts'
import { LAST_BACKUP, raiseCounterTo } from '#server/platform/db/counters.ts'
import type { Images } from '#server/platform/storage/images.ts'
import {
  call,
  expectOk,
  expectOutcome,
  logIn,
  requestCode,
  sessionOf,
  verifyCode
} from '../support/accounts.ts'
import { LADDUS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { KESARI, openAdminShop, withAdmin, type AdminShop } from '../support/admin-products.ts'
import { buy } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { setSettings } from '../support/places.ts'
import { saveSection } from '../support/settings.ts'
import { openShop } from '../support/shop.ts'

const fakeImages: Images = {
  store: async (_, name) => ({ key: `${name}-key`, width: 1200, height: 1200, color: '#c08a3e' })
}

type Calls = Pick<AdminShop, 'callAsAdmin'>

const readSetup = async ({ callAsAdmin }: Calls) =>
  (await callAsAdmin('GET /admin/setup')).body as SetupState

async function missing(shop: Calls, row: SetupRowId) {
  return (await readSetup(shop)).rows.find(({ id }) => id === row)?.missing
}

async function save(shop: Calls, section: SectionName, changes: object) {
  await expectOk(saveSection(shop.callAsAdmin, section, changes))
}

/** Replaces the settings of the demo, which test databases contain, by those of an empty shop. */
async function openEmptyShop() {
  const shop = await openAdminShop('sqlite', { products: {} })
  await shop.database.kysely.deleteFrom('settings').execute()
  return shop
}

describe('GET /admin/setup', () => {
  test('lists all rows, none of them done in an empty shop', async () => {
    const { rows, payments } = await readSetup(await openEmptyShop())
    expect(rows.map(({ id }) => id)).toEqual(SETUP_ROW_IDS)
    expect(rows.filter(row => row.missing.length === 0)).toEqual([])
    expect(payments).toBe('sandbox')
  })

  test('counts the demo’s settings as missing, and what the owner saves as done', async () => {
    const shop = await openAdminShop('sqlite')
    const state = async (...rows: SetupRowId[]) => {
      const all = (await readSetup(shop)).rows
      return rows.flatMap(row => all.find(({ id }) => id === row)?.missing ?? [])
    }
    expect(await state('shop')).toEqual(['shopName', 'shopAddress', 'shopPhone', 'shopEmail'])
    expect(await state('legal')).toEqual(['fssai', 'grievanceOfficer', 'gst'])
    expect(await state('policies')).toEqual(['privacy', 'terms', 'refund'])
    await save(shop, 'shop', { name: 'Meena Sweets' })
    expect(await state('shop')).toEqual(['shopAddress', 'shopPhone', 'shopEmail'])
    await save(shop, 'legal', { fssai: '12422999000123', gstin: '' })
    expect(await state('legal')).toEqual(['grievanceOfficer', 'gst'])
    const town = { area: '', city: 'Tiruchirappalli', state: '', pincode: '620002' }
    const address = { street: '3 Big Street', ...town }
    await save(shop, 'shop', { address, email: 'meena@sweets.example' })
    expect(await state('shop')).toEqual(['shopPhone'])
    await save(shop, 'shop', { phone: '98400 12345' })
    await save(shop, 'legal', { grievanceOfficer: { name: 'Meena', designation: '' } })
    await save(shop, 'tax', {})
    expect(await state('legal')).toEqual(['gst'])
    await save(shop, 'tax', { accountantAsked: true })
    await save(shop, 'delivery', { pickup: true })
    await save(shop, 'policies', {})
    await save(shop, 'terms', { text: 'Too short.' })
    expect(await state('policies')).toEqual(['terms'])
    await save(shop, 'terms', { text: 'Long enough. '.repeat(40) })
    expect(await state('shop', 'legal', 'policies', 'delivery')).toEqual([])
    // Only older versions of the shop could save this.
    await setSettings(shop, { tax: { otherStates: false } })
    expect(await state('shop')).toEqual(['ownState'])
  })

  test('takes name, address and password of the first owner together, and a code once mails leave', async () => {
    const shop = await openShop('sqlite', { hasOwnApp: true })
    const config = { adminEmail: PLACEHOLDER_EMAIL, adminPassword: undefined }
    const created = await createFirstAdmin(shop.app, config)
    let session = sessionOf(await logIn(shop, { ...created }))
    const callAsAdmin = (line: string, body?: unknown) =>
      call(shop, line, { token: session.token, body, device: session.device ?? '' })
    const state = () => missing({ callAsAdmin }, 'account')
    expect(await state()).toEqual(['name', 'email', 'password'])
    const [email, password] = ['meena@home.example', 'kolam river bicycle 9']
    const login = { name: 'Meena', email, password }
    await expectOutcome(
      callAsAdmin('PUT /admin/login', { ...login, password: 'password' }),
      '400 INVALID_INPUT'
    )
    await requestCode(shop, PLACEHOLDER_EMAIL)
    session = sessionOf(await callAsAdmin('PUT /admin/login', login))
    expect(session.user).toMatchObject({ name: 'Meena', email, verified: false })
    expect(await state()).toEqual([])
    expect(shop.mails).toEqual([])

    Object.assign(shop.app.config, { smtpUrl: 'smtp://mail.example' })
    expect(await state()).toEqual(['confirm'])
    const otp = await requestCode(shop, email)
    // In a browser that is new to the account: the address may have a typo.
    await expectOutcome(verifyCode(shop, otp, email), '409 USER_NOT_VERIFIED')
    await expectOk(callAsAdmin('POST /admin/verification', { proof: { otp } }))
    expect(await state()).toEqual([])
    await expectOk(logIn(shop, { email, password }))
    const other = { name: 'Meena', email: 'other@home.example' }
    await expectOutcome(callAsAdmin('PUT /admin/login', other), '400 INVALID_INPUT')
  })

  test('asks for a product of the owner’s own', async () => {
    const shop = await openEmptyShop()
    expect(await missing(shop, 'products')).toEqual(['ownProduct'])
    await shop.addToCatalog({ pictures: { laddu: {} } })
    await shop.createProduct({ ...KESARI, hidden: true, pictures: [] })
    expect(await missing(shop, 'products')).toEqual(['ownProduct'])
    await shop.addToCatalog({ products: { laddu: {} } })
    expect(await missing(shop, 'products')).toEqual([])
  })

  test('tells whether the keys are for tests or live', async () => {
    const shop = await openEmptyShop()
    const states = [await missing(shop, 'payments')]
    for (const keyId of ['rzp_test_1', 'rzp_live_1']) {
      Object.assign(shop.app.payments.settings, { isSandbox: false, keyId })
      states.push(await missing(shop, 'payments'))
    }
    expect(states).toEqual([['keys'], ['liveKeys'], []])
    expect((await readSetup(shop)).payments).toBe('live')
  })

  test('counts a paid order and a backup as done', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const states = async () => [await missing(shop, 'order'), await missing(shop, 'backup')]
    expect(await states()).toEqual([['order'], ['backup']])
    await buy(shop, shop.anita, LADDUS)
    await shop.write(trx => raiseCounterTo(trx, LAST_BACKUP, shop.clock()))
    expect(await states()).toEqual([[], []])
  })
})

describe.each(ENGINES)('DELETE /admin/demo-data on %s', engine => {
  test('removes the demo’s products, deals and posts, but not what the owner has changed or made', async () => {
    const opened = await openShop(engine)
    await seedDemo({ ...opened, images: fakeImages, progress: () => undefined })
    const shop = await withAdmin(opened)
    expect((await readSetup(shop)).demo).toMatchObject({ products: 42 })
    expect(await missing(shop, 'products')).toEqual(['demoData', 'ownProduct'])
    const { version } = await shop.fetchProduct('tirunelveli-halwa')
    await shop.changeProduct('tirunelveli-halwa', { version, price: 200 })
    await shop.addToCatalog({ products: { 'own-laddu': {} } })
    await expectOk(shop.callAsAdmin('DELETE /admin/demo-data'))
    expect((await shop.publicProductIds()).sort()).toEqual(['own-laddu', 'tirunelveli-halwa'])
    const state = await readSetup(shop)
    expect(state.demo).toEqual({ products: 0, posts: 0, deals: 0, collections: 0, sections: 0 })
    expect(await missing(shop, 'products')).toEqual([])
    const { home, about, shop: details, isDemo } = (await shop.get('/shop')).body as ShopSettings
    expect([home.banners, about.text]).toEqual([[], ''])
    // The shop's details are still invented.
    expect([details.name, isDemo]).toEqual(['Palagaram', true])
    const isStillDemo = async () => ((await shop.get('/shop')).body as ShopSettings).isDemo
    await save(shop, 'legal', EMPTY_SETTINGS.legal)
    const cleared = { ...details, address: EMPTY_SETTINGS.shop.address, phone: '' }
    await save(shop, 'shop', { ...cleared, name: 'Meena Sweets' })
    expect(await isStillDemo()).toBe(true)
    await save(shop, 'shop', { ...cleared, email: '' })
    expect(await isStillDemo()).toBe(false)
    expect(await shop.history('mysore-pak')).toEqual([expect.stringMatching(/^deleted/)])
    expect((await shop.get('/blog')).body).toEqual([])
    expect((await shop.get('/collections')).body).toEqual([])
    await expectOk(shop.callAsAdmin('DELETE /admin/demo-data'))
  })

  test('does nothing in a shop that started without demo data', async () => {
    const shop = await openAdminShop(engine, { products: { 'mysore-pak': {} } })
    await shop.callAsAdmin('DELETE /admin/demo-data')
    expect(await shop.publicProductIds()).toEqual(['mysore-pak'])
  })
})
