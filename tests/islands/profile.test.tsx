import { cleanup, screen, fireEvent } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { answerPincode } from '../support/delivery.ts'
import { PRIYA, errorReply, storedSession, type Replies } from '../support/session.ts'
import { expectLink, expectShown, field, press, type } from '../support/page-input.ts'
import { detail, userReply, openProfile } from './profile-page.tsx'

afterEach(cleanup)

async function openForm(replies?: Replies) {
  const page = await openProfile(replies)
  await press('Edit')
  return page
}

describe('Profile', () => {
  test("shows 'Loading...' until the API replies", async () => {
    await openProfile({ 'GET /auth/me': () => new Promise<Response>(() => undefined) })
    expect(screen.getByRole('status').textContent).toBe('Loading...')
  })

  test("shows visitors 'Please login to view your profile.' with a login link", async () => {
    await openProfile({}, null)
    expectShown('Please login to view your profile.')
    expectLink('Login', '/login?return=%2Fmy-profile')
  })

  test("shows 'Failed to load profile.' and can be retried", async () => {
    let reply = errorReply(500)
    await openProfile({ 'GET /auth/me': () => reply() })
    expect(screen.getByRole('alert').textContent).toContain('Failed to load profile.')
    await expectAccessible('loading failed')
    reply = () => Response.json(PRIYA)
    await press('Try again')
    expect(detail('Name')).toBe('Priya Raman')
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

test('Edit opens a form with the saved values and a read-only email', async () => {
  await openForm()
  expect(document.activeElement).toBe(field('Name'))
  expect(field('Name').value).toBe('Priya Raman')
  expect(field('Email').readOnly).toBe(true)
  expect(field('Phone number').value).toBe('9876543210')
  expect(field('City or town').value).toBe('Tiruchirappalli')
  expect(field('State').value).toBe('Tamil Nadu')
})

describe('Profile: Save', () => {
  test('shows what is wrong at its field and does not call the API', async () => {
    const page = await openForm()
    type('Name', '   ')
    type('Phone number', '98765')
    type('Pincode', '62')
    await press('Save')
    for (const text of [
      'Name is required.',
      'Please enter a valid 10-digit phone number',
      'Please enter a valid 6-digit pincode'
    ])
      expectShown(text)
    expect(document.activeElement).toBe(field('Name'))
    await expectAccessible('invalid fields')
    expect(page.calls).not.toContain('PUT /auth/profile')
  })

  test('fills in the place of a pincode, and refuses another state', async () => {
    const answer = answerPincode({ areas: ['Thillai Nagar (Trichy)'] })
    const ask = (pincode: string) => answer(`/api/delivery?pincode=${pincode}`)
    const page = await openForm({ 'GET /delivery': () => ask(field('Pincode').value) })
    type('Pincode', '560001')
    await vi.waitFor(() => expect(field('State').value).toBe('Karnataka'))
    expect(field('City or town').value).toBe('Bengaluru')
    fireEvent.click(screen.getByRole('button', { name: 'Thillai Nagar' }))
    expect(field('Street and area').value).toBe('4 Rockfort Road, Thillai Nagar')
    type('State', 'Kerala')
    await press('Save')
    expect(field('State').getAttribute('aria-invalid')).toBe('true')
    expectShown('560001 is in Karnataka')
    expect(page.calls).not.toContain('PUT /auth/profile')
  })

  test('sends normalised values and shows the values from the reply', async () => {
    const saved = { ...PRIYA, name: 'Priya K', phoneNumber: '9000012345' }
    const page = await openForm({ 'PUT /auth/profile': saved })
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
    expect(page.state()).toMatchObject({ user: { name: 'Priya K' } })
    expect(storedSession().user).toMatchObject({ name: 'Priya K' })
    expect(page.toastTexts()).toEqual([['Profile saved', undefined]])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' }))
  })

  test.for([
    ['the API’s message', errorReply(503, { message: 'Back at six.' }), 'Back at six.'],
    ["'Failed to update profile.'", errorReply(400), 'Failed to update profile.'],
    ['a network error', () => Promise.reject(new TypeError()), 'We cannot reach the shop.']
  ] as const)('shows %s and keeps the input if saving fails', async ([, reply, message]) => {
    await openForm({ 'PUT /auth/profile': reply })
    type('Name', 'Priya K')
    await press('Save')
    expect(screen.getByRole('alert').textContent).toContain(message)
    expect(field('Name').value).toBe('Priya K')
  })
})
