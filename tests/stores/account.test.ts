import { describe, expect, test } from 'vitest'
import { ANITA, call, logIn, logInByCode, mailedCode, register } from '../support/accounts.ts'
import { answers, openPage, PRIYA, refusal, stored } from '../support/session.ts'
import { answersOf, openShop, type Shop } from '../support/shop.ts'

const EMPTY = { apartmentOrSuite: '', street: '', city: '', district: '', state: '', pincode: '', country: 'India' }

/** Anita's page, in a shop where she has registered. */
async function openAnitas(shop: Shop, path = '/my-profile') {
  const { token, user } = await register(shop)
  const page = await openPage({ send: answersOf(shop), at: path, token, user: JSON.stringify(user) })
  await page.loadProfile(user._id)
  return { ...page, userId: user._id, token }
}

describe('the profile', () => {
  test('is what the check at the start of the page has answered, without asking again', async () => {
    const page = await openAnitas(await openShop('sqlite'))
    expect(page.calls).toEqual(['GET /auth/me'])
    expect(page.$profile.get()).toEqual({
      state: 'ready',
      details: { email: ANITA.email, name: ANITA.displayName, phoneNumber: '', address: EMPTY, hasPassword: true }
    })
  })

  test('is asked for when somebody else has logged in since', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitas(shop)
    const other = await register(shop, { email: 'priya@example.com', displayName: 'Priya' })
    page.setSession(other)
    await page.loadProfile(other.user._id)
    expect(page.$profile.get()).toMatchObject({ details: { name: 'Priya' } })
  })

  test('that is not there yet is empty, with the known e-mail', async () => {
    const send = answers({ 'GET /auth/me': refusal(404) })
    const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toEqual({
      state: 'ready',
      details: { email: PRIYA.email, name: '', phoneNumber: '', address: EMPTY, hasPassword: false }
    })
  })

  test('takes the address as JSON text too', async () => {
    const address = JSON.stringify({ city: 'Trichy', pincode: '620001' })
    const send = answers({ 'GET /auth/me': () => Response.json({ ...PRIYA, address }) })
    const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toMatchObject({ details: { address: { ...EMPTY, city: 'Trichy', pincode: '620001' } } })
  })

  test('that could not be loaded can be asked for again', async () => {
    let up = false
    const send = answers({ 'GET /auth/me': () => (up ? Response.json(PRIYA) : new Response('{}', { status: 500 })) })
    const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toEqual({ state: 'failed' })
    up = true
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toMatchObject({ state: 'ready', details: { name: 'Priya Raman' } })
  })

  test('that was saved is shown everywhere', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitas(shop)
    await page.saveProfile({ name: 'Anita K.', phoneNumber: '9876543210', address: { ...EMPTY, city: 'Trichy' } })
    expect(page.$profile.get()).toMatchObject({ details: { name: 'Anita K.', address: { city: 'Trichy' } } })
    expect(page.state()).toMatchObject({ user: { name: 'Anita K.' } })
    expect(stored().user).toMatchObject({ name: 'Anita K.', phoneNumber: '9876543210' })
    expect(await call(shop, 'GET /auth/me', { token: page.token })).toMatchObject({ body: { name: 'Anita K.' } })
  })
})

describe('a new password', () => {
  test('by the old one: this browser stays logged in, others do not', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitas(shop)
    await page.changePassword({ password: 'jaggery-and-salt', proof: { password: ANITA.password } })
    const { token } = stored()
    expect(token).not.toBe(page.token)
    expect(await call(shop, 'GET /auth/me', { token: token ?? '' })).toMatchObject({ status: 200 })
    expect(await call(shop, 'GET /auth/me', { token: page.token })).toMatchObject({ status: 401 })
    expect(await logIn(shop, { ...ANITA, password: 'jaggery-and-salt' })).toMatchObject({ status: 200 })
    expect(page.said()).toEqual([['Password changed', 'You have been logged out everywhere else.']])
  })

  test('by a code, for an account without one', async () => {
    const shop = await openShop('sqlite')
    const { token, user } = await logInByCode(shop)
    const page = await openPage({ send: answersOf(shop), token, user: JSON.stringify(user) })
    await page.loadProfile(user._id)
    shop.clock.advance(61_000)
    await page.changePassword({ password: 'jaggery-and-salt', proof: { otp: await mailedCode(shop) } })
    expect(page.$profile.get()).toMatchObject({ details: { hasPassword: true } })
  })

  test('with a wrong proof is refused, and the session stays', async () => {
    const page = await openAnitas(await openShop('sqlite'))
    const change = page.changePassword({ password: 'jaggery-and-salt', proof: { password: 'guessed' } })
    await expect(change).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(stored().token).toBe(page.token)
  })
})

test('logging out everywhere ends all sessions, this one included', async () => {
  const shop = await openShop('sqlite')
  const page = await openAnitas(shop)
  await page.logOutEverywhere()
  expect(page.state()).toEqual({ state: 'anonymous' })
  expect(page.said()).toEqual([['Logged out', 'You have been logged out on all devices.']])
  expect(await call(shop, 'GET /auth/me', { token: page.token })).toMatchObject({ status: 401 })
})

test('the data of the shopper is all that the shop keeps', async () => {
  const page = await openAnitas(await openShop('sqlite'))
  expect(await page.readMyData()).toMatchObject({ account: { email: ANITA.email, name: ANITA.displayName } })
})

describe('deleting the account', () => {
  test('leaves nobody logged in, and nothing to log in to', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitas(shop)
    await page.deleteAccount({ password: ANITA.password })
    expect(stored()).toEqual({ token: null, user: null })
    expect(page.said()).toEqual([['Your account has been deleted.', undefined]])
    expect(await logIn(shop)).toMatchObject({ status: 400 })
  })

  test('without the right proof changes nothing', async () => {
    const page = await openAnitas(await openShop('sqlite'))
    await expect(page.deleteAccount({ password: 'guessed' })).rejects.toThrow()
    expect(stored().token).toBe(page.token)
  })
})
