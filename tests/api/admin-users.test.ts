import { describe, expect, test } from 'vitest'
import type { Staff } from '#lib/contract/names.ts'
import type { AuditEntry } from '#lib/contract/admin.ts'
import type { AdminUser, UserList } from '#lib/contract/accounts.ts'
import { ANITA, call, logIn, logInByCode, statusAndCode, register } from '../support/accounts.ts'
import { LEMONS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { withAdmin, type AdminShop } from '../support/admin-products.ts'
import { buy } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

async function listUsers(shop: AdminShop, query = ''): Promise<AdminUser[]> {
  return ((await shop.callAsAdmin(`GET /admin/users${query}`)).body as UserList).users
}

const setStaff = (shop: AdminShop, id: string, from: Staff | null, to: Staff | null) =>
  shop.callAsAdmin(`POST /admin/users/${id}/staff`, { from, to })

async function openShopWithAnita(engine: (typeof ENGINES)[number]) {
  const shop = await withAdmin(await openShop(engine))
  await register(shop)
  const { user, token } = await logInByCode(shop)
  return { shop, anita: user._id, token }
}

describe('Users in the admin', () => {
  test('get and lose a role with immediate effect, and both changes are recorded in the audit log', async () => {
    const { shop, anita, token } = await openShopWithAnita('sqlite')
    expect((await setStaff(shop, anita, null, 'owner')).body).toMatchObject({
      role: 'admin',
      staff: 'owner'
    })
    expect(statusAndCode(await call(shop, 'GET /admin/users', { token }))).toBe('200')
    expect(statusAndCode(await setStaff(shop, anita, null, 'owner')), 'once more').toBe('200')
    expect(statusAndCode(await setStaff(shop, anita, 'kitchen', null))).toBe('409 EDIT_CONFLICT')
    expect((await setStaff(shop, anita, 'owner', null)).body).toMatchObject({
      role: 'user',
      staff: null
    })
    expect(statusAndCode(await call(shop, 'GET /admin/users', { token }))).toBe('403 FORBIDDEN')
    const changes = (await shop.callAsAdmin(`GET /admin/audit?kind=user&id=${anita}`))
      .body as AuditEntry[]
    expect(changes.map(({ after }) => after?.['staff'])).toEqual(
      expect.arrayContaining(['owner', null])
    )
    expect(changes.map(({ action }) => action)).toEqual(['role changed', 'role changed'])
  })

  test('can join the staff only if their email is verified and their account is not deleted', async () => {
    const shop = await withAdmin(await openShop('sqlite'))
    const { user, token } = await register(shop)
    expect(statusAndCode(await setStaff(shop, user._id, null, 'kitchen'))).toBe(
      '409 USER_NOT_VERIFIED'
    )
    await call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })
    expect(statusAndCode(await setStaff(shop, user._id, null, 'owner'))).toBe('404 USER_NOT_FOUND')
    expect(await listUsers(shop)).toHaveLength(1)
  })

  test('can be logged out on all devices by an owner', async () => {
    const { shop, anita, token } = await openShopWithAnita('sqlite')
    await logIn(shop)
    expect(statusAndCode(await shop.callAsAdmin(`POST /admin/users/${anita}/logout`))).toBe('200')
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token }))).toBe('401 UNAUTHORIZED')
    expect(await listUsers(shop, '?q=anita')).toMatchObject([{ sessions: 0 }])
    expect(statusAndCode(await shop.callAsAdmin('POST /admin/users/nobody/logout'))).toBe(
      '404 USER_NOT_FOUND'
    )
  })
})

test('The last owner cannot become anything else, while staff without power can', async () => {
  const { shop, anita } = await openShopWithAnita('sqlite')
  const [owner] = await listUsers(shop, '?role=admin')
  expect((await setStaff(shop, anita, null, 'manager')).body).toMatchObject({
    role: 'admin',
    staff: 'manager'
  })
  expect(await listUsers(shop, '?role=admin')).toHaveLength(2)
  for (const to of ['manager', 'kitchen', null] as const)
    expect(statusAndCode(await setStaff(shop, owner?._id ?? '', 'owner', to))).toBe(
      '409 LAST_ADMIN'
    )
  expect((await setStaff(shop, anita, 'manager', null)).body).toMatchObject({ role: 'user' })
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

  test('have one owner left if two owners demote each other at the same time', async () => {
    const { shop, anita, token } = await openShopWithAnita(engine)
    const [meena] = await listUsers(shop, '?role=admin')
    const id = meena?._id ?? ''
    await setStaff(shop, anita, null, 'owner')
    const replies = await Promise.all([
      setStaff(shop, anita, 'owner', null),
      call(shop, `POST /admin/users/${id}/staff`, { token, body: { from: 'owner', to: null } })
    ])
    expect(replies.map(statusAndCode)).toContain('200')
    const admins = await shop.database.kysely
      .selectFrom('users')
      .select('id')
      .where('staff', '=', 'owner')
      .execute()
    expect(admins).toHaveLength(1)
  })
})
