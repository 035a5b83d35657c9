import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import { SETUP_ROW_IDS } from '#lib/contract/names.ts'
import type { SetupGap, SetupRowId, SectionName } from '#lib/contract/names.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import type { Settings, ShopSettings, StoredSection } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { createFirstAdmin } from '#server/accounts/admins.ts'
import { seedDemo } from '#server/demo/seed.ts'
import { LAST_BACKUP, raiseCounterTo } from '#server/platform/db/counters.ts'
import { enqueueMail } from '#server/platform/mail/outbox.ts'
import type { Images } from '#server/platform/storage/images.ts'
import { call, logIn, sessionOf } from '../support/accounts.ts'
import { LADDUS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { KESARI, openAdminShop, withAdmin, type AdminShop } from '../support/admin-products.ts'
import { buy } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { setSettings } from '../support/places.ts'
import { openShop, type Shop } from '../support/shop.ts'

const fakeImages: Images = {
  store: async (_, name) => ({ key: `${name}-key`, width: 1200, height: 1200, color: '#c08a3e' })
}

type Calls = Pick<AdminShop, 'callAsAdmin'>

const readSetup = async ({ callAsAdmin }: Calls): Promise<SetupState> =>
  (await callAsAdmin('GET /admin/setup')).body as SetupState

async function missing(shop: Calls, row: SetupRowId): Promise<readonly SetupGap[] | undefined> {
  return (await readSetup(shop)).rows.find(({ id }) => id === row)?.missing
}

async function save<Name extends SectionName>(
  shop: Calls,
  name: Name,
  changes: Partial<Settings[Name]>
) {
  const { version } = (await shop.callAsAdmin(`GET /admin/settings/${name}`)).body as StoredSection
  const value = { ...EMPTY_SETTINGS[name], ...changes }
  const reply = await shop.callAsAdmin(`PUT /admin/settings/${name}`, { value, version })
  if (reply.status !== 200) throw new Error(reply.text)
}

/** Replaces the settings of the demo, which test databases contain, by those of an empty shop. */
async function openEmptyShop(): Promise<AdminShop> {
  const shop = await openAdminShop('sqlite', { products: {} })
  await shop.database.kysely.deleteFrom('settings').execute()
  return shop
}

describe('GET /admin/setup', () => {
  test('lists all rows, none of them done in an empty shop except the login', async () => {
    const { rows, payments } = await readSetup(await openEmptyShop())
    expect(rows.map(({ id }) => id)).toEqual(SETUP_ROW_IDS)
    expect(rows.filter(row => row.missing.length === 0).map(({ id }) => id)).toEqual(['account'])
    expect(payments).toBe('sandbox')
  })

  test('counts the demo’s settings as missing, and what the owner saves as done', async () => {
    const shop = await openAdminShop('sqlite')
    expect(await missing(shop, 'shop')).toEqual([
      'shopName',
      'shopAddress',
      'shopPhone',
      'shopEmail'
    ])
    expect(await missing(shop, 'legal')).toEqual(['fssai', 'grievanceOfficer', 'gst'])
    expect(await missing(shop, 'policies')).toEqual(['privacy', 'terms', 'refund'])
    const { value: demo } = (await shop.callAsAdmin('GET /admin/settings/shop'))
      .body as StoredSection<'shop'>
    await save(shop, 'shop', { ...demo, name: 'Meena Sweets' })
    expect(await missing(shop, 'shop')).toEqual(['shopAddress', 'shopPhone', 'shopEmail'])
    const { value: legal } = (await shop.callAsAdmin('GET /admin/settings/legal'))
      .body as StoredSection<'legal'>
    await save(shop, 'legal', { ...legal, fssai: '12422999000123' })
    expect(await missing(shop, 'legal')).toEqual(['grievanceOfficer', 'gst'])
    const address = {
      street: '3 Big Street',
      area: '',
      city: 'Tiruchirappalli',
      state: '',
      pincode: '620002'
    }
    await save(shop, 'shop', { name: 'Meena Sweets', address, email: 'meena@sweets.example' })
    expect(await missing(shop, 'shop')).toEqual(['shopPhone'])
    await save(shop, 'shop', {
      name: 'Meena Sweets',
      address,
      email: 'meena@sweets.example',
      phone: '90000 12345'
    })
    await save(shop, 'legal', {
      fssai: '12422999000123',
      grievanceOfficer: { name: 'Meena', designation: '' }
    })
    expect(await missing(shop, 'legal')).toEqual(['gst'])
    await save(shop, 'tax', {})
    expect(await missing(shop, 'legal')).toEqual(['gst'])
    await save(shop, 'tax', { accountantAsked: true })
    await save(shop, 'delivery', { pickup: true })
    for (const name of ['privacy', 'terms', 'refund', 'shipping'] as const)
      await save(shop, name, { text: 'Ours.' })
    for (const row of ['shop', 'legal', 'policies', 'delivery'] as const)
      expect(await missing(shop, row)).toEqual([])
    // Only older versions of the shop could save this.
    await setSettings(shop, { tax: { otherStates: false } })
    expect(await missing(shop, 'shop')).toEqual(['ownState'])
  })

  test('asks for an own address and password while an account has those of the first start', async () => {
    const shop = await openShop('sqlite')
    const { password = '' } =
      (await createFirstAdmin(shop.app, {
        adminEmail: PLACEHOLDER_EMAIL,
        adminPassword: undefined
      })) ?? {}
    const logInWith = async (secret: string) =>
      sessionOf(await logIn(shop, { email: PLACEHOLDER_EMAIL, password: secret }))
    const asAdmin = (token: string): Calls => ({
      callAsAdmin: (line, body) => call(shop, line, { token, body })
    })
    const { token } = await logInWith(password)
    expect(await missing(asAdmin(token), 'account')).toEqual(['email', 'password'])
    const change = { password: 'kolam river bicycle 9', proof: { password } }
    const changed = sessionOf(await call(shop, 'PUT /auth/password', { token, body: change }))
    expect(await missing(asAdmin(changed.token), 'account')).toEqual(['email'])
    await call(shop, 'POST /auth/email-code', {
      token: changed.token,
      body: { email: 'meena@home.example', proof: { password: change.password } }
    })
    await shop.deliverMails()
    const otp = shop.mails.at(-1)?.subject.slice(0, 6)
    const body = { email: 'meena@home.example', otp }
    const own = sessionOf(await call(shop, 'PUT /auth/email', { token: changed.token, body }))
    expect(await missing(asAdmin(own.token), 'account')).toEqual([])
    await shop.deliverMails()
    expect(shop.mails.map(({ to }) => to)).toEqual(['meena@home.example'])
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
    const { settings } = shop.app.payments
    const states = [await missing(shop, 'payments')]
    Object.assign(settings, { isSandbox: false, keyId: 'rzp_test_1' })
    states.push(await missing(shop, 'payments'))
    Object.assign(settings, { keyId: 'rzp_live_1' })
    states.push(await missing(shop, 'payments'))
    expect(states).toEqual([['keys'], ['liveKeys'], []])
    expect((await readSetup(shop)).payments).toBe('live')
  })

  test('counts mail as done when a mail server has accepted one', async () => {
    const shop = await withAdmin(
      await openShop('sqlite', {
        config: { smtpUrl: 'smtp://mail.example' },
        mail: { send: async () => undefined, usesSmtp: true }
      })
    )
    expect(await missing(await openEmptyShop(), 'mail')).toEqual(['smtp'])
    expect(await missing(shop, 'mail')).toEqual(['testMail'])
    const mail = { id: randomUUID(), to: 'meena@home.example', subject: 'Test', text: 'Test' }
    await shop.write(async trx => enqueueMail(trx, mail, new Date(shop.clock()).toISOString()))
    await shop.deliverMails()
    expect(await missing(shop, 'mail')).toEqual([])
  })

  test('counts a paid order and a backup as done', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    expect([await missing(shop, 'order'), await missing(shop, 'backup')]).toEqual([
      ['order'],
      ['backup']
    ])
    await buy(shop, shop.anita, LADDUS)
    await shop.write(trx => raiseCounterTo(trx, LAST_BACKUP, shop.clock()))
    expect([await missing(shop, 'order'), await missing(shop, 'backup')]).toEqual([[], []])
  })
})

describe.each(ENGINES)('DELETE /admin/demo-data on %s', engine => {
  async function openDemoShop(on: Engine): Promise<AdminShop> {
    const shop: Shop = await openShop(on)
    await seedDemo({ ...shop, images: fakeImages, progress: () => undefined })
    return withAdmin(shop)
  }

  test('removes the demo’s products, deals and posts, but not what the owner has changed or made', async () => {
    const shop = await openDemoShop(engine)
    expect((await readSetup(shop)).demo).toMatchObject({ products: 42 })
    expect(await missing(shop, 'products')).toEqual(['demoData', 'ownProduct'])
    const { version } = await shop.fetchProduct('tirunelveli-halwa')
    await shop.changeProduct('tirunelveli-halwa', { version, price: 200 })
    await shop.addToCatalog({ products: { 'own-laddu': {} } })
    expect((await shop.callAsAdmin('DELETE /admin/demo-data')).status).toBe(200)
    expect((await shop.publicProductIds()).sort()).toEqual(['own-laddu', 'tirunelveli-halwa'])
    const state = await readSetup(shop)
    expect(state.demo).toEqual({ products: 0, posts: 0, deals: 0, collections: 0, sections: 0 })
    expect(await missing(shop, 'products')).toEqual([])
    const { home, about, shop: details, isDemo } = (await shop.get('/shop')).body as ShopSettings
    expect([home.banners, about.text]).toEqual([[], ''])
    // The shop's details are still invented.
    expect([details.name, isDemo]).toEqual(['Palagaram', true])
    const isStillDemo = async () => ((await shop.get('/shop')).body as ShopSettings).isDemo
    await save(shop, 'legal', {})
    await save(shop, 'shop', {
      ...details,
      name: 'Meena Sweets',
      address: EMPTY_SETTINGS.shop.address,
      phone: ''
    })
    expect(await isStillDemo()).toBe(true)
    await save(shop, 'shop', {
      ...details,
      address: EMPTY_SETTINGS.shop.address,
      phone: '',
      email: ''
    })
    expect(await isStillDemo()).toBe(false)
    expect(await shop.history('mysore-pak')).toEqual([expect.stringMatching(/^deleted/)])
    expect((await shop.get('/blog')).body).toEqual([])
    expect((await shop.get('/collections')).body).toEqual([])
    expect((await shop.callAsAdmin('DELETE /admin/demo-data')).status).toBe(200)
  })

  test('does nothing in a shop that started without demo data', async () => {
    const shop = await openAdminShop(engine, { products: { 'mysore-pak': {} } })
    await shop.callAsAdmin('DELETE /admin/demo-data')
    expect(await shop.publicProductIds()).toEqual(['mysore-pak'])
  })
})
