import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { errorReply, PRIYA } from '../support/session.ts'
import { expectShown, press, type } from '../support/page-input.ts'
import { detail, userReply, openProfile } from './profile-page.tsx'

afterEach(cleanup)

describe('Profile: security', () => {
  const CODE_SENT = { message: 'Sent.', sent: true, resendAfter: 60, expiresIn: 600 }
  const FRESH = { token: 'fresh', user: PRIYA }

  async function open(title: string) {
    const details = screen.getByText(title, { selector: 'h3' }).closest('details')
    if (!details) throw new Error(`There is no ${title}`)
    await act(async () => {
      details.open = true
      details.dispatchEvent(new Event('toggle'))
    })
  }

  test('changes the password if the current password is correct', async () => {
    const page = await openProfile({ 'PUT /auth/password': FRESH })
    await open('Change password')
    await press('Save password')
    expectShown(
      'Password must be at least 6 characters long',
      'Please enter your password or a code'
    )
    type('New password', 'jaggery-and-salt')
    type('Current password', 'kesari-47')
    await press('Save password')
    expect(JSON.parse(String(page.send.mock.lastCall?.[1].body))).toEqual({
      password: 'jaggery-and-salt',
      proof: { password: 'kesari-47' }
    })
    expect(localStorage.getItem('token')).toBe('fresh')
    expect(page.toastTexts()).toEqual([
      ['Password changed', 'You have been logged out on all other devices.']
    ])
  })

  test('sets the first password with a one-time code, if the login was long ago', async () => {
    const replies = [
      errorReply(403, { code: 'VERIFICATION_REQUIRED', message: 'Again.' })(),
      Response.json(FRESH)
    ]
    const page = await openProfile({
      ...userReply({ hasPassword: false }),
      'POST /auth/send-otp': CODE_SENT,
      'PUT /auth/password': () => replies.shift() ?? Response.error()
    })
    await open('Set a password')
    type('New password', 'jaggery-and-salt')
    await press('Save password')
    expectShown('Again.')
    await press('Send me a code')
    type('One-time code', '123 456')
    await press('Save password')
    expect(JSON.parse(String(page.send.mock.lastCall?.[1].body))).toMatchObject({
      proof: { otp: '123456' }
    })
    // The code is used, so that the next proof needs another one.
    await open('Delete my account')
    fireEvent.click(screen.getByRole('radio', { name: 'Use a code by email' }))
    expect(screen.getByRole('button', { name: 'Send me a code' })).toBeTruthy()
  })

  const newAddress = { email: 'priya@home.example' }

  test('changes the email address with a code to the new one', async () => {
    const page = await openProfile({
      'POST /auth/email-code': CODE_SENT,
      'PUT /auth/email': { token: 'fresh', user: { ...PRIYA, ...newAddress } }
    })
    await open('Change email address')
    await press('Continue')
    expectShown('Please enter your email', 'Please enter your password or a code')
    type('New email address', newAddress.email)
    type('Current password', 'kesari-47')
    await press('Continue')
    expectShown(newAddress.email)
    type('One-time code', '123 456')
    await press('Change email address')
    const bodies = page.send.mock.calls.map(
      ([, { body }]) => body && (JSON.parse(String(body)) as unknown)
    )
    expect(bodies).toContainEqual({ ...newAddress, proof: { password: 'kesari-47' } })
    expect(bodies).toContainEqual({ ...newAddress, otp: '123456' })
    expect(localStorage.getItem('token')).toBe('fresh')
    expect(detail('Email')).toBe(newAddress.email)
    expect(page.toastTexts()).toEqual([
      ['Email address changed', 'You have been logged out on all other devices.']
    ])
  })

  test('logs out everywhere, including this browser', async () => {
    const message = 'You have been logged out on all devices.'
    const page = await openProfile({
      'POST /auth/logout-everywhere': { message }
    })
    await open('Log out on all devices')
    await press('Log out everywhere')
    expect(page.toastTexts()).toEqual([['Logged out', message]])
    expectShown('Please login to view your profile.')
  })

  test('explains the deletion and asks for the password before the account is deleted', async () => {
    const page = await openProfile({
      'DELETE /auth/me': { message: 'Done' }
    })
    await open('Delete my account')
    expectShown(/We must keep past orders/)
    await press('Delete my account')
    expect(page.calls).toEqual(['GET /auth/me'])
    type('Current password', 'kesari-47')
    await press('Delete my account')
    expect(page.toastTexts()).toEqual([['Your account has been deleted.', undefined]])
    expect(localStorage.getItem('token')).toBeNull()
  })
})
