import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { answerPincode } from '../support/delivery.ts'
import { respondWith, openPage, PRIYA, errorReply } from '../support/session.ts'
import {
  detail,
  field,
  userReply,
  openProfile,
  press,
  waitForUpdates,
  type
} from './profile-page.tsx'

afterEach(cleanup)

describe('Profile', () => {
  test("shows 'Loading...' until the API replies", async () => {
    await openProfile({ 'GET /auth/me': () => new Promise<Response>(() => undefined) })
    expect(screen.getByRole('status').textContent).toBe('Loading...')
  })

  test("shows visitors 'Please login to view your profile.' with a login link", async () => {
    await openProfile({}, null)
    expect(screen.getByText('Please login to view your profile.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe(
      '/login?return=%2Fmy-profile'
    )
  })

  test("shows 'Failed to load profile.' and can be retried", async () => {
    const page = await openProfile({ 'GET /auth/me': errorReply(500) })
    expect(screen.getByRole('alert').textContent).toContain('Failed to load profile.')
    await expectAccessible('loading failed')
    await press('Try again')
    expect(page.calls).toEqual(['GET /auth/me', 'GET /auth/me'])
  })

  test('is empty except for the email if no profile exists', async () => {
    await openProfile({ 'GET /auth/me': errorReply(404) })
    expect(detail('Email')).toBe('priya@example.test')
    expect(detail('Name')).toBe('Not added yet')
    expect(detail('Phone number')).toBe('Not added yet')
  })

  test('shows name, email, phone and address, even if the address is stored as JSON text', async () => {
    const address = JSON.stringify({
      apartmentOrSuite: '3B',
      ...PRIYA.address
    }) as unknown as User['address']
    await openProfile(userReply({ address }))
    expect(detail('Name')).toBe('Priya Raman')
    expect(detail('Email')).toBe('priya@example.test')
    expect(detail('Phone number')).toBe('+91 98765 43210')
    expect(detail('Shipping address')).toBe(
      '3B4 Rockfort RoadTiruchirappalli 620002Tamil NaduIndia'
    )
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })
})

describe('Profile: Edit', () => {
  test('opens a form with the saved values and a read-only email', async () => {
    await openProfile()
    await press('Edit')
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Name').value).toBe('Priya Raman')
    expect(field('Email').readOnly).toBe(true)
    expect(screen.getByText('+91')).toBeTruthy()
    expect(field('Phone number').value).toBe('9876543210')
    expect(field('City or town').value).toBe('Tiruchirappalli')
    expect(field('Flat, house no., building (optional)').placeholder).toMatch(/optional/)
    expect(field('District (optional)').placeholder).toMatch(/optional/)
    expect(field('State').value).toBe('Tamil Nadu')
  })

  test.for([
    ['tamilnadu', 'Tamil Nadu'],
    ['Northern Province', 'Northern Province']
  ] as const)('keeps the saved state %s', async ([saved, shown]) => {
    const user = {
      ...PRIYA,
      address: {
        ...PRIYA.address,
        street: '',
        city: '',
        pincode: '',
        country: 'India',
        state: saved
      }
    }
    await openProfile({ 'GET /auth/me': () => Response.json(user) })
    await press('Edit')
    expect(field('State').value).toBe(shown)
  })
})

describe('Profile: Save', () => {
  test("shows 'Name is required.' and does not call the API if the name is empty", async () => {
    const page = await openProfile()
    await press('Edit')
    type('Name', '   ')
    await press('Save')
    expect(screen.getByText('Name is required.')).toBeTruthy()
    expect(document.activeElement).toBe(field('Name'))
    expect(page.calls).not.toContain('PUT /auth/profile')
  })

  test('shows errors at the fields for an invalid phone number and pincode', async () => {
    const page = await openProfile()
    await press('Edit')
    type('Phone number', '98765')
    type('Pincode', '62')
    await press('Save')
    expect(screen.getByText('Please enter a valid 10-digit phone number')).toBeTruthy()
    expect(screen.getByText('Please enter a valid 6-digit pincode')).toBeTruthy()
    await expectAccessible('invalid fields')
    expect(page.calls).not.toContain('PUT /auth/profile')
  })

  test('fills in the place of a pincode, and refuses another state', async () => {
    const answer = () => answerPincode()('/api/delivery?pincode=560001')
    const page = await openProfile({ ...userReply(), 'GET /delivery': answer })
    await press('Edit')
    type('Pincode', '560001')
    await vi.waitFor(() => expect(field('State').value).toBe('Karnataka'))
    type('State', 'Kerala')
    await press('Save')
    expect(field('State').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('560001 is in Karnataka')).toBeTruthy()
    expect(page.calls).not.toContain('PUT /auth/profile')
  })

  test('sends normalised values and shows the values from the reply', async () => {
    const saved = { ...PRIYA, name: 'Priya K', phoneNumber: '9000012345' }
    const page = await openProfile({
      ...userReply(),
      'PUT /auth/profile': () => Response.json(saved)
    })
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
    expect(detail('Name')).toBe('Priya K')
    expect(page.toastTexts()).toEqual([['Profile saved', undefined]])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' }))
  })

  test('disables inputs and buttons while saving', async () => {
    await openProfile({
      ...userReply(),
      'PUT /auth/profile': () => new Promise<Response>(() => undefined)
    })
    await press('Edit')
    await press('Save')
    const form = screen.getByRole('form', { name: 'Your details' })
    for (const control of [
      ...within(form).getAllByRole('textbox'),
      ...within(form).getAllByRole('button')
    ])
      expect(control.closest('fieldset')?.disabled).toBe(true)
  })

  test.for([
    [
      'the API’s message',
      errorReply(503, { code: 'UNAVAILABLE', message: 'Back at six.' }),
      'Back at six.'
    ],
    ['a message without a code', errorReply(500, { message: 'Back at six.' }), 'Back at six.'],
    ["'Failed to update profile.'", errorReply(400), 'Failed to update profile.'],
    ['a network error', () => Promise.reject(new TypeError()), 'We cannot reach the shop.']
  ] as const)(
    'shows %s and keeps the form open with its input if saving fails',
    async ([, reply, message]) => {
      await openProfile({ ...userReply(), 'PUT /auth/profile': reply })
      await press('Edit')
      type('Name', 'Priya K')
      await press('Save')
      expect(screen.getByRole('alert').textContent).toContain(message)
      expect(field('Name').value).toBe('Priya K')
    }
  )

  test('shows API errors at their fields', async () => {
    const fields = { 'address.city': 'Please use at most 200 characters' }
    const body = { code: 'INVALID_INPUT', message: 'x', fields }
    await openProfile({ ...userReply(), 'PUT /auth/profile': errorReply(400, body) })
    await press('Edit')
    await press('Save')
    expect(field('City or town').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field('City or town'))
  })
})

describe('Profile: Cancel', () => {
  test('shows the saved values, but the next Edit restores the unsaved input', async () => {
    await openProfile()
    await press('Edit')
    type('Name', 'Priya K')
    await press('Cancel')
    expect(detail('Name')).toBe('Priya Raman')
    await press('Edit')
    expect(field('Name').value).toBe('Priya K')
  })
})

describe('Profile: draft', () => {
  async function typeAndLeave(): Promise<void> {
    await openProfile()
    await press('Edit')
    type('Street and area', '7 Temple Street')
    cleanup()
  }

  test('is restored in the open form after a reload', async () => {
    await typeAndLeave()
    await openProfile()
    expect(field('Street and area').value).toBe('7 Temple Street')
    expect(field('Name').value).toBe('Priya Raman')
  })

  test('is not shown to another user', async () => {
    await typeAndLeave()
    localStorage.setItem('user', JSON.stringify({ ...PRIYA, _id: 'u-2' }))
    await openPage({ send: respondWith({}) })
    const page = await openPage({
      send: respondWith(userReply({ _id: 'u-2', name: 'Ravi' })),
      path: '/my-profile'
    })
    const { ProfilePage } = await import('#islands/account/ProfilePage.tsx')
    render(<ProfilePage />)
    await waitForUpdates()
    expect(page.state()).toMatchObject({ user: { name: 'Ravi' } })
    expect(detail('Name')).toBe('Ravi')
  })

  test('is restored after the session has expired', async () => {
    const page = await openProfile({ ...userReply(), 'PUT /auth/profile': errorReply(401) })
    await press('Edit')
    type('Street and area', '7 Temple Street')
    await press('Save')
    await vi.dynamicImportSettled()
    expect(page.toastTexts()).toEqual([['Session expired', 'Please login again to continue']])
    expect(screen.getByText('Please login to view your profile.')).toBeTruthy()
    cleanup()
    await openProfile()
    expect(field('Street and area').value).toBe('7 Temple Street')
  })
})
