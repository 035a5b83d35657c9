// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { answers, openPage, PRIYA, refusal } from '../support/session.ts'
import { fact, field, known, openProfile, press, settle, type } from './profile-page.tsx'

afterEach(cleanup)

describe('the profile', () => {
  test("says 'Loading...' until the shop has answered", async () => {
    await openProfile({ 'GET /auth/me': () => new Promise<Response>(() => undefined) })
    expect(screen.getByRole('status').textContent).toBe('Loading...')
  })

  test("says 'Please login to view your profile.' to visitors, with a link to login and back", async () => {
    await openProfile({}, null)
    expect(screen.getByText('Please login to view your profile.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login?return=%2Fmy-profile')
  })

  test("that can't be loaded says 'Failed to load profile.', and can be asked for again", async () => {
    const page = await openProfile({ 'GET /auth/me': refusal(500) })
    expect(screen.getByRole('alert').textContent).toContain('Failed to load profile.')
    await press('Try again')
    expect(page.calls).toEqual(['GET /auth/me', 'GET /auth/me'])
  })

  test('that is not there yet is empty, with the known e-mail', async () => {
    await openProfile({ 'GET /auth/me': refusal(404) })
    expect(fact('Email')).toBe('priya@example.test')
    expect(fact('Name')).toBe('Not given yet')
    expect(fact('Phone number')).toBe('+91 Not given yet')
  })

  test('shows name, e-mail, phone and address, which may come as JSON text', async () => {
    const address = JSON.stringify({ apartmentOrSuite: '3B', ...PRIYA.address }) as unknown as User['address']
    await openProfile(known({ address }))
    expect(fact('Name')).toBe('Priya Raman')
    expect(fact('Email')).toBe('priya@example.test')
    expect(fact('Phone number')).toBe('+91 98765 43210')
    expect(fact('Shipping address')).toBe('3B4 Rockfort RoadTiruchirappalli 620002Tamil NaduIndia')
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })
})

describe('Edit', () => {
  test('opens a form with the saved values, the e-mail read-only and the optional lines marked', async () => {
    await openProfile()
    await press('Edit')
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Name').value).toBe('Priya Raman')
    expect(field('Email').readOnly).toBe(true)
    expect(screen.getByText('+91')).toBeTruthy()
    expect(field('Phone number').value).toBe('9876543210')
    expect(field('City').value).toBe('Tiruchirappalli')
    expect(field('Apartment, suite').placeholder).toMatch(/optional/)
    expect(field('District').placeholder).toMatch(/optional/)
  })
})

describe('Save', () => {
  test("without a name says 'Name is required.' and sends nothing", async () => {
    const page = await openProfile()
    await press('Edit')
    type('Name', '   ')
    await press('Save')
    expect(screen.getByText('Name is required.')).toBeTruthy()
    expect(document.activeElement).toBe(field('Name'))
    expect(page.calls).toEqual(['GET /auth/me'])
  })

  test('refuses a phone number and a pincode that are none, beside the fields', async () => {
    const page = await openProfile()
    await press('Edit')
    type('Phone number', '98765')
    type('Pincode', '62')
    await press('Save')
    expect(screen.getByText('Please enter a valid 10-digit phone number')).toBeTruthy()
    expect(screen.getByText('Please enter a valid 6-digit pincode')).toBeTruthy()
    expect(page.calls).toEqual(['GET /auth/me'])
  })

  test('sends what was typed, tidied, and shows what the shop has saved', async () => {
    const saved = { ...PRIYA, name: 'Priya K', phoneNumber: '9000012345' }
    const page = await openProfile({ ...known(), 'PUT /auth/profile': () => Response.json(saved) })
    await press('Edit')
    type('Name', ' Priya K ')
    type('Phone number', '+91 90000-12345')
    type('Pincode', '620 002')
    await press('Save')
    expect(JSON.parse(String(page.send.mock.lastCall?.[1].body))).toEqual({
      name: 'Priya K',
      phoneNumber: '9000012345',
      address: { ...PRIYA.address, apartmentOrSuite: '', district: '' }
    })
    expect(fact('Name')).toBe('Priya K')
    expect(page.said()).toEqual([['Profile saved', undefined]])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' }))
  })

  test('disables inputs and buttons while it lasts', async () => {
    await openProfile({ ...known(), 'PUT /auth/profile': () => new Promise<Response>(() => undefined) })
    await press('Edit')
    await press('Save')
    const form = screen.getByRole('form', { name: 'Your details' })
    for (const control of [...within(form).getAllByRole('textbox'), ...within(form).getAllByRole('button')])
      expect(control.closest('fieldset')?.disabled).toBe(true)
  })

  test.for([
    ['the shop’s words', refusal(503, { code: 'UNAVAILABLE', message: 'Back at six.' }), 'Back at six.'],
    ["'Failed to update profile.'", refusal(400), 'Failed to update profile.'],
    ['what is wrong with the network', () => Promise.reject(new TypeError()), 'We cannot reach the shop.']
  ] as const)('that fails says %s, and leaves the form open with what was typed', async ([, reply, words]) => {
    await openProfile({ ...known(), 'PUT /auth/profile': reply })
    await press('Edit')
    type('Name', 'Priya K')
    await press('Save')
    expect(screen.getByRole('alert').textContent).toContain(words)
    expect(field('Name').value).toBe('Priya K')
  })

  test('shows beside a field what the shop finds wrong with it', async () => {
    const fields = { 'address.city': 'Please use at most 200 characters' }
    const body = { code: 'INVALID_INPUT', message: 'x', fields }
    await openProfile({ ...known(), 'PUT /auth/profile': refusal(400, body) })
    await press('Edit')
    await press('Save')
    expect(field('City').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field('City'))
  })
})

describe('Cancel', () => {
  test('shows the saved values, and the next Edit what was typed', async () => {
    await openProfile()
    await press('Edit')
    type('Name', 'Priya K')
    await press('Cancel')
    expect(fact('Name')).toBe('Priya Raman')
    await press('Edit')
    expect(field('Name').value).toBe('Priya K')
  })
})

describe('what was typed and not saved', () => {
  async function typeAndLeave(): Promise<void> {
    await openProfile()
    await press('Edit')
    type('Street', '7 Temple Street')
    cleanup()
  }

  test('is there again after a reload, in the open form', async () => {
    await typeAndLeave()
    await openProfile()
    expect(field('Street').value).toBe('7 Temple Street')
    expect(field('Name').value).toBe('Priya Raman')
  })

  test('is nobody else’s', async () => {
    await typeAndLeave()
    localStorage.setItem('user', JSON.stringify({ ...PRIYA, _id: 'u-2' }))
    await openPage({ send: answers({}) })
    const page = await openPage({ send: answers(known({ _id: 'u-2', name: 'Ravi' })), at: '/my-profile' })
    const { ProfilePage } = await import('#islands/accounts/profile/ProfilePage.tsx')
    render(<ProfilePage />)
    await settle()
    expect(page.state()).toMatchObject({ user: { name: 'Ravi' } })
    expect(fact('Name')).toBe('Ravi')
  })

  test('outlives a session that has ended', async () => {
    const page = await openProfile({ ...known(), 'PUT /auth/profile': refusal(401) })
    await press('Edit')
    type('Street', '7 Temple Street')
    await press('Save')
    expect(page.said()).toEqual([['Session expired', 'Please login again to continue']])
    expect(screen.getByText('Please login to view your profile.')).toBeTruthy()
    cleanup()
    await openProfile()
    expect(field('Street').value).toBe('7 Temple Street')
  })
})
