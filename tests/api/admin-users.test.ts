import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '#lib/contract/admin.ts'
import type { AdminUser, UserList } from '#lib/contract/accounts.ts'
import { logInAsAdmin, ANITA, call, logIn, logInByCode, statusAndCode, register } from '../support/accounts.ts'
import { LEMONS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { withAdmin, type AdminShop } from '../support/admin-products.ts'
import { buy } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

async function listUsers(shop: AdminShop, query = ''): Promise<AdminUser[]> {
  return ((await shop.callAsAdmin(`GET /admin/users${query}`)).body as UserList).users
}

const setRole = (shop: AdminShop, id: string, from: string, to: string) =>
  shop.callAsAdmin(`POST /admin/users/${id}/role`, { from, to })

async function openShopWithAnita(engine: (typeof ENGINES)[number]) {
  const shop = await withAdmin(await openShop(engine))
  await register(shop)
  const { user, token } = await logInByCode(shop)
  return { shop, anita: user._id, token }
}

describe('Users in the admin', () => {
  test('can be promoted and demoted with immediate effect, and both changes are recorded in the audit log', async () => {
    const { shop, anita, token } = await openShopWithAnita('sqlite')
    expect((await setRole(shop, anita, 'user', 'admin')).body).toMatchObject({ role: 'admin' })
    expect(statusAndCode(await call(shop, 'GET /admin/users', { token }))).toBe('200')
    expect(statusAndCode(await setRole(shop, anita, 'user', 'admin'))).toBe('200')
    expect((await setRole(shop, anita, 'admin', 'user')).body).toMatchObject({ role: 'user' })
    expect(statusAndCode(await call(shop, 'GET /admin/users', { token }))).toBe('403 FORBIDDEN')
    const changes = (await shop.callAsAdmin(`GET /admin/audit?kind=user&id=${anita}`)).body as AuditEntry[]
    expect(changes.map(({ action }) => action).toSorted()).toEqual(['demoted', 'promoted'])
  })

  test('can be promoted only if their email is verified and their account is not deleted', async () => {
    const shop = await withAdmin(await openShop('sqlite'))
    const { user, token } = await register(shop)
    expect(statusAndCode(await setRole(shop, user._id, 'user', 'admin'))).toBe('409 USER_NOT_VERIFIED')
    await call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })
    expect(statusAndCode(await setRole(shop, user._id, 'user', 'admin'))).toBe('404 USER_NOT_FOUND')
    expect(await listUsers(shop)).toHaveLength(1)
  })

  test('can be logged out on all devices by an administrator', async () => {
    const { shop, anita, token } = await openShopWithAnita('sqlite')
    await logIn(shop)
    expect(statusAndCode(await shop.callAsAdmin(`POST /admin/users/${anita}/logout`))).toBe('200')
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token }))).toBe('401 UNAUTHORIZED')
    expect(await listUsers(shop, '?q=anita')).toMatchObject([{ sessions: 0 }])
    expect(statusAndCode(await shop.callAsAdmin('POST /admin/users/nobody/logout'))).toBe('404 USER_NOT_FOUND')
  })

  test('keep their role if the request to change it contains an outdated role', async () => {
    const { shop, anita } = await openShopWithAnita('sqlite')
    await logInAsAdmin(shop)
    expect(statusAndCode(await setRole(shop, anita, 'admin', 'admin'))).toBe('409 EDIT_CONFLICT')
  })
})

describe.each(ENGINES)('Users in the admin on %s', engine => {
  test('are found by name, email or role and listed with their number of orders', async () => {
    const shop = await openAdminOrdersShop(engine)
    await buy(shop, shop.anita, LEMONS)
    const list = (await shop.callAsAdmin('GET /admin/users')).body as UserList
    expect(list).toMatchObject({ count: 2, pages: 1 })
    expect(await listUsers(shop, '?q=ANITA+example.com')).toMatchObject([
      { _id: shop.anita.id, orders: 1, sessions: 1 }
    ])
    expect(await listUsers(shop, '?role=admin')).toMatchObject([{ role: 'admin', orders: 0 }])
    expect(await listUsers(shop, '?q=nobody')).toEqual([])
    expect(await listUsers(shop, '?q=%25')).toEqual([])
    expect(JSON.stringify(list)).not.toMatch(/hash/i)
  })

  test('have one administrator left if two administrators demote each other at the same time', async () => {
    const { shop, anita, token } = await openShopWithAnita(engine)
    const [meena] = await listUsers(shop, '?role=admin')
    const id = meena?._id ?? ''
    expect(statusAndCode(await setRole(shop, id, 'admin', 'user'))).toBe('409 LAST_ADMIN')
    await setRole(shop, anita, 'user', 'admin')
    const replies = await Promise.all([
      setRole(shop, anita, 'admin', 'user'),
      call(shop, `POST /admin/users/${id}/role`, { token, body: { from: 'admin', to: 'user' } })
    ])
    expect(replies.map(statusAndCode)).toContain('200')
    const admins = await shop.database.kysely.selectFrom('users').select('id').where('role', '=', 'admin').execute()
    expect(admins).toHaveLength(1)
  })
})
