import { describe, expect, test } from 'vitest'
import type { Session } from '#lib/contract/accounts.ts'
import { MINUTE } from '#lib/time.ts'
import {
  ADMIN,
  logInAsAdmin,
  ANITA,
  call,
  requestCode,
  statusAndCode,
  register
} from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const deleteAccount = (shop: Shop, { token }: Session, proof: object): Promise<Reply> =>
  call(shop, 'DELETE /auth/me', { token, body: { proof } })

async function openShopWithTwoAdmins(engine: Engine) {
  const shop = await openShop(engine)
  const meena = await logInAsAdmin(shop)
  const anita = await register(shop)
  await shop.write(trx =>
    trx.updateTable('users').set({ staff: 'owner' }).where('id', '=', anita.user._id).execute()
  )
  return { shop, meena, anita }
}

async function countAdmins({ database }: Shop): Promise<number> {
  const admins = await database.kysely
    .selectFrom('users')
    .select('id')
    .where('staff', '=', 'owner')
    .execute()
  return admins.length
}

describe.each(ENGINES)("Deleting an administrator's account on %s", engine => {
  test('is refused if there is no other administrator, whether it is confirmed by password or by code', async () => {
    const shop = await openShop(engine)
    const meena = await logInAsAdmin(shop)
    const refused = await deleteAccount(shop, meena, { password: ADMIN.password })
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'LAST_ADMIN',
        message: 'There must be at least one owner. Make someone else an owner first.'
      }
    })
    shop.clock.advance(MINUTE)
    expect(
      statusAndCode(await deleteAccount(shop, meena, { otp: await requestCode(shop, ADMIN.email) }))
    ).toBe('409 LAST_ADMIN')
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token: meena.token }))).toBe(
      '200'
    )
  })

  test('succeeds for only one of the last two administrators if both do it at the same time', async () => {
    const { shop, meena, anita } = await openShopWithTwoAdmins(engine)
    const replies = await Promise.all([
      deleteAccount(shop, meena, { password: ADMIN.password }),
      deleteAccount(shop, anita, { password: ANITA.password })
    ])
    expect(replies.map(statusAndCode).toSorted()).toEqual(['200', '409 LAST_ADMIN'])
    expect(await countAdmins(shop)).toBe(1)
  })

  test('leaves one administrator if the only other administrator is demoted at the same time', async () => {
    const { shop, meena, anita } = await openShopWithTwoAdmins(engine)
    const demotion = { token: anita.token, body: { from: 'owner', to: null } }
    await Promise.all([
      deleteAccount(shop, anita, { password: ANITA.password }),
      call(shop, `POST /admin/users/${meena.user._id}/staff`, demotion)
    ])
    expect(await countAdmins(shop)).toBe(1)
  })
})

describe("Deleting an administrator's account", () => {
  test('is allowed while another administrator exists', async () => {
    const { shop, meena, anita } = await openShopWithTwoAdmins('sqlite')
    expect(statusAndCode(await deleteAccount(shop, meena, { password: ADMIN.password }))).toBe(
      '200'
    )
    expect(statusAndCode(await deleteAccount(shop, anita, { password: ANITA.password }))).toBe(
      '409 LAST_ADMIN'
    )
  })
})
