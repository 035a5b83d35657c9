import { expect, test } from 'vitest'
import { createPasswords } from '#server/accounts/passwords.ts'
import { createFirstAdmin } from '#server/accounts/admins.ts'
import {
  ADMIN,
  ANITA,
  call,
  logIn,
  logInAsAdmin,
  register,
  statusAndCode
} from '../support/accounts.ts'
import { openShop } from '../support/shop.ts'
import { MESSAGES } from '#lib/messages.ts'

const COMMON = 'Priya@1987'

test('an administrator cannot set a common password, while a shopper can', async () => {
  const shop = await openShop('sqlite')
  const change = (token: string, current: string): ReturnType<typeof call> =>
    call(shop, 'PUT /auth/password', {
      token,
      body: { password: COMMON, proof: { password: current } }
    })
  const admin = await logInAsAdmin(shop)
  expect((await change(admin.token, ADMIN.password)).body).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { password: MESSAGES.passwordCommon }
  })
  expect(statusAndCode(await change((await register(shop)).token, ANITA.password))).toBe('200')
})

test('a person who becomes an administrator cannot log in with a common password', async () => {
  const shop = await openShop('sqlite')
  const { user } = await register(shop, { password: COMMON })
  await shop.write(async trx => {
    await trx.updateTable('users').set({ staff: 'kitchen' }).where('id', '=', user._id).execute()
  })
  const reply = await logIn(shop, { ...ANITA, password: COMMON })
  expect([reply.status, reply.body]).toEqual([
    400,
    {
      code: 'INVALID_CREDENTIALS',
      message:
        'This password is too easy to guess for an administrator. Log in with a code and set another one in your profile.'
    }
  ])
})

test('ADMIN_PASSWORD must not be a common password', async () => {
  const { database, write, clock } = await openShop('sqlite')
  const deps = {
    database,
    write,
    clock,
    passwords: createPasswords({ memoryCost: 64, timeCost: 1 })
  }
  const config = { adminEmail: ADMIN.email, adminPassword: COMMON }
  await expect(createFirstAdmin(deps, config)).rejects.toThrow(/^ADMIN_PASSWORD: is easy to guess/)
})
