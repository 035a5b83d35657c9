import { describe, expect, test } from 'vitest'
import type { DiscountedProduct } from '#lib/contract/promotions.ts'
import { DAY, HOUR } from '#lib/time.ts'
import { createFirstAdmin, type FirstAdmin } from '#server/accounts/admins.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import {
  logInAsAdmin,
  call,
  logIn,
  statusAndCode,
  register,
  sessionOf,
  userOf
} from '../support/accounts.ts'
import { startCommand } from '../support/command.ts'
import { ENGINES, openEmptyDatabase } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const EMAIL = 'admin@localhost.test'
const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
const ensureAdmin = (
  { database, write, clock }: Shop,
  adminPassword?: string
): Promise<FirstAdmin | undefined> =>
  createFirstAdmin({ database, write, clock, passwords }, { adminEmail: EMAIL, adminPassword })

describe('First administrator', () => {
  test('is created with a random password that is returned once', async () => {
    const shop = await openShop('sqlite')
    const created = await ensureAdmin(shop)
    expect(created).toEqual({
      email: EMAIL,
      password: expect.stringMatching(/^([2-9a-hj-np-tv-z]{5}-){3}[2-9a-hj-np-tv-z]{5}$/)
    })
    const { token, user } = sessionOf(
      await logIn(shop, { email: EMAIL, password: created?.password ?? '' })
    )
    expect(user).toMatchObject({ role: 'admin', staff: 'owner', verified: true, hasPassword: true })
    expect(userOf(await call(shop, 'GET /auth/me', { token }))).toEqual(user)
    expect(await ensureAdmin(shop)).toBeUndefined()
  })

  test('gets the configured password if there is one, and then no password is returned', async () => {
    const shop = await openShop('sqlite')
    expect(await ensureAdmin(shop, 'payasam-12-bowls')).toEqual({ email: EMAIL })
    expect(statusAndCode(await logIn(shop, { email: EMAIL, password: 'payasam-12-bowls' }))).toBe(
      '200'
    )
  })

  test('is not created again if the configured password changes', async () => {
    const shop = await openShop('sqlite')
    await ensureAdmin(shop, 'payasam-12-bowls')
    expect(await ensureAdmin(shop, 'another-password')).toBeUndefined()
    expect(statusAndCode(await logIn(shop, { email: EMAIL, password: 'another-password' }))).toBe(
      '400 INVALID_CREDENTIALS'
    )
  })

  test('is created again when no administrator is left', async () => {
    const shop = await openShop('sqlite')
    expect(await ensureAdmin(shop)).toMatchObject({ email: EMAIL })
    // The API refuses to delete the last administrator, so delete the row directly.
    await shop.write(trx => trx.deleteFrom('users').where('email', '=', EMAIL).execute())
    expect(await ensureAdmin(shop)).toMatchObject({ email: EMAIL })
  })
})

describe.each(ENGINES)('First administrator on %s', engine => {
  test('takes over an existing account with the same email and makes its old password and sessions invalid', async () => {
    const shop = await openShop(engine)
    const impostor = await register(shop, { email: EMAIL })
    await ensureAdmin(shop, 'payasam-12-bowls')
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token: impostor.token }))).toBe(
      '401 UNAUTHORIZED'
    )
    expect(statusAndCode(await logIn(shop, { email: EMAIL, password: 'kesari-47' }))).toBe(
      '400 INVALID_CREDENTIALS'
    )
    expect(
      sessionOf(await logIn(shop, { email: EMAIL, password: 'payasam-12-bowls' })).user.role
    ).toBe('admin')
  })

  test('and the tables are created only once if two processes start at the same time', async () => {
    const { database, url, close } = await openEmptyDatabase(engine)
    const starts = [1, 2].map(() => startCommand(['tests/support/first-start.ts', url, EMAIL]))
    expect(await Promise.all(starts.map(started => started.waitForExit()))).toEqual([0, 0])
    const admins = await database.kysely.selectFrom('users').select(['email', 'staff']).execute()
    await close()
    expect(admins).toEqual([{ email: EMAIL, staff: 'owner' }])
    expect(starts.filter(started => started.output().trim() !== 'null')).toHaveLength(1)
  })
})

describe('GET /discounted-products', () => {
  const catalog = {
    products: { laddu: {}, murukku: {}, kesari: {} },
    deals: {
      running: { product: 'laddu' },
      past: { product: 'murukku', from: -2 * DAY, to: -DAY },
      future: { product: 'kesari', from: HOUR, to: 2 * HOUR }
    }
  }

  const listDeals = (shop: Shop, token?: string): Promise<Reply> =>
    call(shop, 'GET /discounted-products', { token })

  const idsOf = ({ body }: Reply): string[] => (body as DiscountedProduct[]).map(({ id }) => id)

  test('returns past and future deals only to administrators', async () => {
    const shop = await openShop('sqlite', catalog)
    const [shopper, admin] = [await register(shop), await logInAsAdmin(shop)]
    for (const token of [undefined, shopper.token, 'x'.repeat(43)])
      expect(idsOf(await listDeals(shop, token))).toEqual(['running'])
    expect(idsOf(await listDeals(shop, admin.token))).toEqual(['past', 'running', 'future'])
    expect(idsOf(await listDeals(shop))).toEqual(['running'])
  })

  test('sends administrators a complete, uncacheable response even if they send a current ETag', async () => {
    const shop = await openShop('sqlite', catalog)
    const { token } = await logInAsAdmin(shop)
    const publicReply = await listDeals(shop)
    expect(publicReply.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    const reply = await shop.get('/discounted-products', {
      authorization: `Bearer ${token}`,
      'if-none-match': String(publicReply.headers['etag'])
    })
    expect([reply.status, reply.headers['cache-control'], reply.headers['etag']]).toEqual([
      200,
      'no-store',
      undefined
    ])
    expect(idsOf(reply)).toHaveLength(3)
  })

  test('returns only running deals if the session cannot be checked', async () => {
    const shop = await openShop('sqlite', catalog)
    const { token } = await logInAsAdmin(shop)
    await listDeals(shop)
    await shop.database.close()
    expect(idsOf(await listDeals(shop, token))).toEqual(['running'])
  })
})
