import { describe, expect, test } from 'vitest'
import type { Staff } from '#lib/contract/names.ts'
import type { AuditEntry } from '#lib/contract/admin.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import { record, type Change } from '#server/accounts/audit.ts'
import type { Invitation, Invited, Session, UserList } from '#lib/contract/accounts.ts'
import {
  ADMIN,
  ANITA,
  call,
  deleteAccount,
  expectBody,
  expectOk,
  expectOutcome,
  logIn,
  logInAsAdmin,
  logInByCode,
  register,
  sessionOf
} from '../support/accounts.ts'
import { LEMONS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { withAdmin, type AdminShop } from '../support/admin-products.ts'
import { addShopper, buy } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

async function listUsers(shop: AdminShop, query = '') {
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
    await expectBody(setStaff(shop, anita, null, 'owner'), {
      role: 'admin',
      staff: 'owner'
    })
    await expectOk(call(shop, 'GET /admin/users', { token }))
    await expectOutcome(setStaff(shop, anita, null, 'owner'), '200', 'once more')
    await expectOutcome(setStaff(shop, anita, 'kitchen', null), '409 EDIT_CONFLICT')
    await expectBody(setStaff(shop, anita, 'owner', null), {
      role: 'user',
      staff: null
    })
    await expectOutcome(call(shop, 'GET /admin/users', { token }), '403 FORBIDDEN')
    const changes = (await shop.callAsAdmin(`GET /admin/audit?kind=user&id=${anita}`))
      .body as AuditEntry[]
    expect(changes.map(({ after }) => after?.['staff'])).toEqual(
      expect.arrayContaining(['owner', null])
    )
    expect(changes.map(({ action }) => action)).toEqual(['role changed', 'role changed'])
  })

  test('can join the staff only if their email is verified and their account is not deleted', async () => {
    const shop = await withAdmin(await openShop())
    const { user, token } = await register(shop)
    await expectOutcome(setStaff(shop, user._id, null, 'kitchen'), '409 USER_NOT_VERIFIED')
    await deleteAccount(shop, { token })
    await expectOutcome(setStaff(shop, user._id, null, 'owner'), '404 USER_NOT_FOUND')
    expect(await listUsers(shop)).toHaveLength(1)
  })

  test('can be logged out on all devices by an owner', async () => {
    const { shop, anita, token } = await openShopWithAnita('sqlite')
    await logIn(shop)
    await expectOk(shop.callAsAdmin(`POST /admin/users/${anita}/logout`))
    await expectOutcome(call(shop, 'GET /auth/me', { token }), '401 UNAUTHORIZED')
    expect(await listUsers(shop, '?q=anita')).toMatchObject([{ sessions: 0 }])
    await expectOutcome(shop.callAsAdmin('POST /admin/users/nobody/logout'), '404 USER_NOT_FOUND')
  })
})

describe.each(ENGINES)('An invitation on %s', engine => {
  const selvi = { email: 'selvi@home.example', staff: 'kitchen' }

  async function open() {
    const shop = await withAdmin(await openShop(engine))
    const invite = async (draft: object = selvi) => {
      const reply = await shop.callAsAdmin('POST /admin/invitations', draft)
      if (reply.status !== 200) throw new Error(reply.text)
      return (reply.body as Invited).link.replace(/^.*\/login#invite=/, '')
    }
    const accept = (token: string) => call(shop, 'POST /auth/invitation', { body: { token } })
    return { shop, invite, accept }
  }

  test('logs in once, and lets the person set a first password soon after', async () => {
    const { shop, invite, accept } = await open()
    await expectOutcome(
      shop.callAsAdmin('POST /admin/invitations', { ...selvi, email: ADMIN.email }),
      '400 INVALID_INPUT'
    )
    const token = await invite()
    const rows = await shop.database.kysely.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    const session = sessionOf(await accept(token))
    expect(session.user).toMatchObject({ ...selvi, name: 'selvi', hasPassword: false })
    await expectOutcome(accept(token), '400 INVITATION_INVALID')
    const setPassword = ({ token }: Session) =>
      call(shop, 'PUT /auth/password', { token, body: { password: 'kolam river bicycle 9' } })
    const changed = sessionOf(await setPassword(session))
    await expectOk(call(shop, 'GET /admin/kitchen/orders', { token: changed.token }))
    await expectOutcome(setPassword(changed), '403 VERIFICATION_REQUIRED')
    shop.clock.advance(11 * MINUTE)
    await expectOutcome(
      shop.callAsAdmin('POST /admin/invitations', selvi),
      '403 VERIFICATION_REQUIRED'
    )
  })

  test('gives an account the role, and ends what a stranger who registered the address has', async () => {
    const { shop, invite, accept } = await open()
    await logInByCode(shop)
    const customer = await invite({ ...selvi, email: ANITA.email })
    expect(sessionOf(await accept(customer)).user).toMatchObject({
      name: 'anita',
      staff: 'kitchen'
    })

    const { token: stranger } = await register(shop, { email: selvi.email })
    expect(sessionOf(await accept(await invite())).user).toMatchObject(selvi)
    await expectOutcome(call(shop, 'GET /auth/me', { token: stranger }), '401 UNAUTHORIZED')
    await expectOutcome(logIn(shop, { ...ANITA, email: selvi.email }), '400 INVALID_CREDENTIALS')
  })

  test('ends after seven days, when withdrawn, and when another role is chosen', async () => {
    const { shop, invite, accept } = await open()
    const withdrawn = await invite()
    const [invitation] = (await shop.callAsAdmin('GET /admin/invitations')).body as Invitation[]
    await shop.callAsAdmin(`DELETE /admin/invitations/${invitation?.id}`)
    const { user } = await logInByCode(shop)
    const changed = await invite({ ...selvi, email: ANITA.email })
    await setStaff(shop, user._id, null, 'manager')
    const replaced = await invite()
    const old = await invite()
    shop.clock.advance(7 * DAY)
    for (const token of [withdrawn, changed, replaced, old])
      await expectOutcome(accept(token), '400 INVITATION_INVALID')
    const changes = await shop.history(invitation?.id ?? '', 'user')
    expect(changes.join()).toMatch(/withdrawn/)
  })
})

test('The last owner cannot become anything else, while staff without power can', async () => {
  const { shop, anita } = await openShopWithAnita('sqlite')
  const [owner] = await listUsers(shop, '?role=admin')
  await expectBody(setStaff(shop, anita, null, 'manager'), {
    role: 'admin',
    staff: 'manager'
  })
  expect(await listUsers(shop, '?role=admin')).toHaveLength(2)
  for (const to of ['manager', 'kitchen', null] as const)
    await expectOutcome(setStaff(shop, owner?._id ?? '', 'owner', to), '409 LAST_ADMIN')
  await expectBody(setStaff(shop, anita, 'manager', null), { role: 'user' })
})

test.for(ENGINES)(
  'Users in the admin are found by name, email or role and listed with their number of orders on %s',
  async engine => {
    const shop = await openAdminOrdersShop(engine)
    await buy(shop, shop.anita, LEMONS)
    const list = (await shop.callAsAdmin('GET /admin/users')).body as UserList
    expect(list).toMatchObject({ count: 2, pages: 1 })
    expect(await listUsers(shop, '?q=%E2%80%9CANITA%E2%80%9D+<anita@example.com>,')).toMatchObject([
      { _id: shop.anita.id, orders: 1, sessions: 1 }
    ])
    expect(await listUsers(shop, '?role=admin')).toMatchObject([{ role: 'admin', orders: 0 }])
    expect(await listUsers(shop, '?q=%25')).toEqual([])
    expect(JSON.stringify(list)).not.toMatch(/hash/i)
  }
)

const recordChange = (shop: Shop, fields: Partial<Change>) =>
  shop.write(trx =>
    record(trx, {
      actor: { _id: 'u-1', name: 'Meena' },
      at: new Date(shop.clock()).toISOString(),
      kind: 'product',
      id: 'laddu',
      action: 'changed',
      ...fields
    })
  )

describe.each(ENGINES)('GET /admin/audit on %s', engine => {
  test('shows managers nothing about roles, backups, owner-only settings and payments without an order', async () => {
    const shop = await openShop(engine)
    const owner = await logInAsAdmin(shop)
    const manager = await addShopper(shop, 'mani', 'manager')
    for (const id of ['legal', 'tax', 'mail', 'shop', 'orders'])
      await recordChange(shop, { kind: 'settings', id })
    for (const action of ['role changed', 'backed up'])
      await recordChange(shop, { kind: 'user', id: 'u-2', action })
    for (const action of ['refund', 'keep', 'cancelled'])
      await recordChange(shop, { kind: 'order', id: 'o-1', action })
    const listFor = async ({ token }: { token: string }, query = '') =>
      ((await call(shop, `GET /admin/audit${query}`, { token })).body as AuditEntry[])
        .map(({ kind, subject, action }) => `${kind} ${subject} ${action}`)
        .toSorted()
    expect(await listFor(manager)).toEqual([
      'order o-1 cancelled',
      'settings orders changed',
      'settings shop changed'
    ])
    expect(await listFor(manager, '?kind=settings&id=legal')).toEqual([])
    expect(await listFor(owner)).toHaveLength(10)
  })

  test('returns what changed on one item, with old and new values, newest first', async () => {
    const shop = await openShop(engine)
    const { token } = await logInAsAdmin(shop)
    await recordChange(shop, {
      before: { price: 180, name: 'Laddu' },
      after: { price: 200, name: 'Laddu' }
    })
    shop.clock.advance(MINUTE)
    await recordChange(shop, {
      kind: 'stock',
      actor: null,
      before: { stock: 3 },
      after: { stock: 2 }
    })
    await recordChange(shop, { id: 'murukku', action: 'created', after: { name: 'Murukku' } })
    const { body } = await call(shop, 'GET /admin/audit?kind=product,stock&id=laddu', { token })
    const changes = (body as AuditEntry[]).map(({ kind, actor, before, after }) => [
      kind,
      actor.name,
      before,
      after
    ])
    expect(changes).toEqual([
      ['stock', 'The shop', { stock: 3 }, { stock: 2 }],
      ['product', 'Meena', { price: 180 }, { price: 200 }]
    ])
    const unchanged = { ingredients: ['Rice'] }
    await recordChange(shop, { before: unchanged, after: { ...unchanged } })
    expect((await call(shop, 'GET /admin/audit', { token })).body).toHaveLength(3)
  })
})
