import { describe, expect, onTestFinished, test } from 'vitest'
import type { Session } from '#lib/contract/accounts.ts'
import type { DiscountedProduct } from '#lib/contract/promotions.ts'
import { MESSAGES } from '#lib/messages.ts'
import { DAY, HOUR } from '#lib/time.ts'
import { createFirstAdmin, type FirstAdmin } from '#server/accounts/admins.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import { connect, type Database } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createWrite } from '#server/platform/db/write.ts'
import {
  ADMIN,
  ANITA,
  call,
  deleteAccount,
  expectBody,
  expectOk,
  expectOutcome,
  isLoggedIn,
  logIn,
  logInAsAdmin,
  register,
  sessionOf,
  statusAndCode
} from '../support/accounts.ts'
import { ENGINES, openEmptyDatabase } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const EMAIL = 'admin@localhost.test'
const COMMON = 'Priya@1987'
const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
const ensureAdmin = (
  { database, write }: Pick<Shop, 'database' | 'write'>,
  adminPassword?: string
): Promise<FirstAdmin | undefined> =>
  createFirstAdmin(
    { database, write, clock: Date.now, passwords },
    { adminEmail: EMAIL, adminPassword }
  )

describe('First administrator', () => {
  test('is created with a random password that is returned once, and again when none is left', async () => {
    const shop = await openShop()
    const created = await ensureAdmin(shop)
    expect(created).toEqual({
      email: EMAIL,
      password: expect.stringMatching(/^([2-9a-hj-np-tv-z]{5}-){3}[2-9a-hj-np-tv-z]{5}$/)
    })
    const { user } = sessionOf(await logIn(shop, { ...created }))
    expect(user).toMatchObject({ role: 'admin', staff: 'owner', verified: true, hasPassword: true })
    expect(await ensureAdmin(shop)).toBeUndefined()
    // The API refuses to delete the last administrator, so delete the row directly.
    await shop.write(trx => trx.deleteFrom('users').where('email', '=', EMAIL).execute())
    expect(await ensureAdmin(shop)).toMatchObject({ email: EMAIL })
  })

  test('gets the configured password, but no other one when the setting changes', async () => {
    const shop = await openShop()
    expect(await ensureAdmin(shop, 'payasam-12-bowls')).toEqual({ email: EMAIL })
    expect(await ensureAdmin(shop, 'another-password')).toBeUndefined()
    const logInWith = async (password: string) =>
      statusAndCode(await logIn(shop, { email: EMAIL, password }))
    expect(await logInWith('payasam-12-bowls')).toBe('200')
    expect(await logInWith('another-password')).toBe('400 INVALID_CREDENTIALS')
  })

  test('cannot get a common password', async () => {
    await expect(ensureAdmin(await openShop(), COMMON)).rejects.toThrow(
      /^ADMIN_PASSWORD: is easy to guess/
    )
  })
})

describe.each(ENGINES)('First administrator on %s', engine => {
  test('takes over an account with the email and ends its password and sessions', async () => {
    const shop = await openShop(engine)
    const impostor = await register(shop, { email: EMAIL })
    await ensureAdmin(shop, 'payasam-12-bowls')
    expect(await isLoggedIn(shop, impostor)).toBe(false)
    await expectOutcome(logIn(shop, { ...ANITA, email: EMAIL }), '400 INVALID_CREDENTIALS')
    const { user } = sessionOf(await logIn(shop, { email: EMAIL, password: 'payasam-12-bowls' }))
    expect(user.role).toBe('admin')
  })

  test('and the tables are created only once if two processes start at the same time', async () => {
    const { url, close } = await openEmptyDatabase(engine)
    const databases = [connect({ databaseUrl: url }), connect({ databaseUrl: url })]
    onTestFinished(async () => {
      for (const database of databases) await database.close()
      await close()
    })
    const start = async (database: Database) => {
      await migrate(database)
      return ensureAdmin({ database, write: createWrite(database) })
    }
    const created = await Promise.all(databases.map(start))
    expect(created.filter(Boolean)).toHaveLength(1)
  })
})

describe('Common passwords', () => {
  test('are refused to administrators who set them, but not to shoppers', async () => {
    const shop = await openShop()
    const change = ({ token }: Session, password: string) =>
      call(shop, 'PUT /auth/password', { token, body: { password: COMMON, proof: { password } } })
    await expectBody(change(await logInAsAdmin(shop), ADMIN.password), {
      code: 'INVALID_INPUT',
      fields: { password: MESSAGES.passwordCommon }
    })
    await expectOk(change(await register(shop), ANITA.password))
  })

  test('do not log in a person who has become an administrator', async () => {
    const shop = await openShop()
    await register(shop, { password: COMMON })
    await shop.database.kysely.updateTable('users').set({ staff: 'kitchen' }).execute()
    expect(await logIn(shop, { ...ANITA, password: COMMON })).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_CREDENTIALS',
        message:
          'This password is too easy to guess for an administrator. Log in with a code and set another one in your profile.'
      }
    })
  })
})

test.for(ENGINES)(
  'Only one of the last two owners can delete the account, even at the same time, on %s',
  async engine => {
    const shop = await openShop(engine)
    const [meena, anita] = [await logInAsAdmin(shop), await register(shop)]
    await shop.database.kysely.updateTable('users').set({ staff: 'owner' }).execute()
    const replies = await Promise.all([
      deleteAccount(shop, meena, { password: ADMIN.password }),
      deleteAccount(shop, anita)
    ])
    expect(replies.map(statusAndCode).toSorted()).toEqual(['200', '409 LAST_ADMIN'])
  }
)

describe('GET /discounted-products', () => {
  const catalog = {
    products: { laddu: {}, murukku: {}, kesari: {} },
    deals: {
      running: { product: 'laddu' },
      past: { product: 'murukku', from: -2 * DAY, to: -DAY },
      future: { product: 'kesari', from: HOUR, to: 2 * HOUR }
    }
  }
  const idsOf = ({ body }: Reply) => (body as DiscountedProduct[]).map(({ id }) => id)

  test('returns past and future deals only to administrators, and never from a cache', async () => {
    const shop = await openShop('sqlite', catalog)
    const [shopper, admin] = [await register(shop), await logInAsAdmin(shop)]
    const list = (token?: string) => call(shop, 'GET /discounted-products', { token })
    const publicReply = await list()
    expect(publicReply.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    for (const token of [undefined, shopper.token, 'x'.repeat(43)])
      expect(idsOf(await list(token))).toEqual(['running'])
    const reply = await shop.get('/discounted-products', {
      authorization: `Bearer ${admin.token}`,
      'if-none-match': String(publicReply.headers['etag'])
    })
    expect(idsOf(reply)).toEqual(['past', 'running', 'future'])
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(reply.headers).not.toHaveProperty('etag')
    expect(idsOf(await list())).toEqual(['running'])
    await shop.database.close()
    expect(idsOf(await list(admin.token)), 'the session cannot be checked').toEqual(['running'])
  })
})
