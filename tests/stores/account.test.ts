import { describe, expect, test } from 'vitest'
import { ANITA, call, logIn, logInByCode, requestCode, register } from '../support/accounts.ts'
import { respondWith, openPage, PRIYA, errorReply, storedSession } from '../support/session.ts'
import { browserFetch, openShop, type Shop } from '../support/shop.ts'

const EMPTY = {
  apartmentOrSuite: '',
  street: '',
  city: '',
  district: '',
  state: '',
  pincode: '',
  country: 'India'
}

/** Registers Anita and opens a page on which she is logged in. */
async function openAnitasPage(shop: Shop, path = '/my-profile') {
  const { token, user } = await register(shop)
  const page = await openPage({
    send: browserFetch(shop),
    path: path,
    token,
    user: JSON.stringify(user)
  })
  await page.loadProfile(user._id)
  return { ...page, userId: user._id, token }
}

describe('Profile store', () => {
  test('contains the user loaded by the session check, without another API call', async () => {
    const page = await openAnitasPage(await openShop('sqlite'))
    expect(page.calls).toEqual(['GET /auth/me'])
    expect(page.$profile.get()).toEqual({
      state: 'ready',
      value: {
        email: ANITA.email,
        name: ANITA.displayName,
        phoneNumber: '',
        address: EMPTY,
        hasPassword: true
      }
    })
  })

  test('contains the new user’s profile after another user logs in', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitasPage(shop)
    const other = await register(shop, { email: 'priya@example.com', displayName: 'Priya' })
    page.setSession(other)
    await page.loadProfile(other.user._id)
    expect(page.$profile.get()).toMatchObject({ value: { name: 'Priya' } })
  })

  test('is empty except for the email if no profile exists', async () => {
    const send = respondWith({ 'GET /auth/me': errorReply(404) })
    const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toEqual({
      state: 'ready',
      value: { email: PRIYA.email, name: '', phoneNumber: '', address: EMPTY, hasPassword: false }
    })
  })

  test('parses an address that is a JSON string', async () => {
    const address = JSON.stringify({ city: 'Trichy', pincode: '620001' })
    const send = respondWith({ 'GET /auth/me': () => Response.json({ ...PRIYA, address }) })
    const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toMatchObject({
      value: { address: { ...EMPTY, city: 'Trichy', pincode: '620001' } }
    })
  })

  test('can be reloaded after a failure', async () => {
    let isUp = false
    const send = respondWith({
      'GET /auth/me': () => (isUp ? Response.json(PRIYA) : new Response('{}', { status: 500 }))
    })
    const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toMatchObject({ state: 'failed' })
    isUp = true
    await page.loadProfile(PRIYA._id)
    expect(page.$profile.get()).toMatchObject({ state: 'ready', value: { name: 'Priya Raman' } })
  })

  test('updates the profile, the session and the stored user on save', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitasPage(shop)
    await page.saveProfile({
      name: 'Anita K.',
      phoneNumber: '9876543210',
      address: { ...EMPTY, city: 'Trichy' }
    })
    expect(page.$profile.get()).toMatchObject({
      value: { name: 'Anita K.', address: { city: 'Trichy' } }
    })
    expect(page.state()).toMatchObject({ user: { name: 'Anita K.' } })
    expect(storedSession().user).toMatchObject({ name: 'Anita K.' })
    expect(await call(shop, 'GET /auth/me', { token: page.token })).toMatchObject({
      body: { name: 'Anita K.' }
    })
  })
})

describe('Changing the password', () => {
  test('with the current password logs out all other browsers', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitasPage(shop)
    await page.changePassword({ password: 'jaggery-and-salt', proof: { password: ANITA.password } })
    const { token } = storedSession()
    expect(token).not.toBe(page.token)
    expect(await call(shop, 'GET /auth/me', { token: token ?? '' })).toMatchObject({ status: 200 })
    expect(await call(shop, 'GET /auth/me', { token: page.token })).toMatchObject({ status: 401 })
    expect(await logIn(shop, { ...ANITA, password: 'jaggery-and-salt' })).toMatchObject({
      status: 200
    })
    expect(page.toastTexts()).toEqual([
      ['Password changed', 'You have been logged out on all other devices.']
    ])
  })

  test('with a one-time code sets a password for an account that has none', async () => {
    const shop = await openShop('sqlite')
    const { token, user } = await logInByCode(shop)
    const page = await openPage({ send: browserFetch(shop), token, user: JSON.stringify(user) })
    await page.loadProfile(user._id)
    shop.clock.advance(61_000)
    await page.changePassword({
      password: 'jaggery-and-salt',
      proof: { otp: await requestCode(shop) }
    })
    expect(page.$profile.get()).toMatchObject({ value: { hasPassword: true } })
  })

  test('with a wrong password fails and keeps the session', async () => {
    const page = await openAnitasPage(await openShop('sqlite'))
    const change = page.changePassword({
      password: 'jaggery-and-salt',
      proof: { password: 'guessed' }
    })
    await expect(change).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(storedSession().token).toBe(page.token)
  })
})

test('logging out everywhere ends all sessions, including this one', async () => {
  const shop = await openShop('sqlite')
  const page = await openAnitasPage(shop)
  await page.logOutEverywhere()
  expect(page.state()).toEqual({ state: 'anonymous' })
  expect(page.toastTexts()).toEqual([['Logged out', 'You have been logged out on all devices.']])
  expect(await call(shop, 'GET /auth/me', { token: page.token })).toMatchObject({ status: 401 })
})

test('the data export contains the account', async () => {
  const page = await openAnitasPage(await openShop('sqlite'))
  expect(await page.readMyData()).toMatchObject({
    account: { email: ANITA.email, name: ANITA.displayName }
  })
})

describe('Deleting the account', () => {
  test('ends the session and makes login impossible', async () => {
    const shop = await openShop('sqlite')
    const page = await openAnitasPage(shop)
    await page.deleteAccount({ password: ANITA.password })
    expect(storedSession()).toEqual({ token: null, user: null })
    expect(page.toastTexts()).toEqual([['Your account has been deleted.', undefined]])
    expect(await logIn(shop)).toMatchObject({ status: 400 })
  })

  test('with a wrong password changes nothing', async () => {
    const page = await openAnitasPage(await openShop('sqlite'))
    await expect(page.deleteAccount({ password: 'guessed' })).rejects.toThrow()
    expect(storedSession().token).toBe(page.token)
  })
})
