// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answers, refusal } from '../support/session.ts'
import { accusation, field, openLogin, panel, press, session, type } from './login-page.tsx'

afterEach(cleanup)

const SENT = { message: 'We have sent a code to this address.', resendAfter: 60, expiresIn: 600 }

describe('login by a one-time code', () => {
  const mailing = { 'POST /auth/send-otp': () => Response.json(SENT) }

  async function openCode(replies: Parameters<typeof answers>[0] = {}) {
    const page = await openLogin({ send: answers({ ...mailing, ...replies }) })
    type('Email', 'priya@example.test')
    await press('Login with OTP')
    return page
  }

  test("needs the e-mail: 'Please enter your email'", async () => {
    const page = await openLogin()
    await press('Login with OTP')
    expect(accusation('Email')).toBe('Please enter your email')
    expect(page.calls).toEqual([])
  })

  test('hides the password, shows where the code went, and waits with the focus in one field', async () => {
    await openCode()
    expect(field('Password').closest('[hidden]')).toBeTruthy()
    expect(panel().getByText('priya@example.test')).toBeTruthy()
    const code = field('One-time code')
    expect(document.activeElement).toBe(code)
    expect(code.autocomplete).toBe('one-time-code')
    expect(code.inputMode).toBe('numeric')
    expect(code.maxLength).toBe(-1)
    expect(panel().getByRole('button', { name: 'Verify & Login' })).toBeTruthy()
    expect(panel().getByRole('button', { name: 'Back to Password Login' })).toBeTruthy()
  })

  test.for(['123 456', '123-456', ' 123456 ', '1234567'])('takes %j as 123456', async typed => {
    await openCode()
    type('One-time code', typed)
    expect(field('One-time code').value).toBe('123456')
  })

  test("that is too short says 'Please enter the 6-digit code'", async () => {
    const page = await openCode()
    type('One-time code', '12')
    await press('Verify & Login')
    expect(accusation('One-time code')).toBe('Please enter the 6-digit code')
    expect(page.calls).toEqual(['POST /auth/send-otp'])
  })

  test("that is wrong says 'Invalid OTP' with the shop's words, beside the field too", async () => {
    const body = { code: 'INVALID_OTP', message: 'This code is not right.' }
    const page = await openCode({ 'POST /auth/verify-otp': refusal(400, body) })
    type('One-time code', '000000')
    await press('Verify & Login')
    expect(page.said().at(-1)).toEqual(['Invalid OTP', 'This code is not right.'])
    expect(accusation('One-time code')).toBe('This code is not right.')
    expect(document.activeElement).toBe(field('One-time code'))
  })

  test('that is right logs in, and is forgotten', async () => {
    const page = await openCode({ 'POST /auth/verify-otp': session })
    type('One-time code', '123 456')
    await press('Verify & Login')
    expect(page.said().at(-1)).toEqual(['Login successful', 'Welcome back!'])
    expect(page.went()).toEqual(['/'])
    expect(sessionStorage.getItem('sent-code')).toBeNull()
  })

  test("that can't be sent says 'Failed to send OTP' and leaves the password where it was", async () => {
    const page = await openLogin({ send: answers({ 'POST /auth/send-otp': refusal(400) }) })
    type('Email', 'priya@example.test')
    await press('Login with OTP')
    expect(page.said()).toEqual([['Failed to send OTP', 'Try again']])
    expect(panel().getByText('Failed to send OTP')).toBeTruthy()
    expect(screen.queryByLabelText('One-time code')).toBeNull()
  })

  test('goes back to the password, or to the address to change it, with everything typed still there', async () => {
    await openCode()
    await press('Back to Password Login')
    expect(screen.queryByLabelText('One-time code')).toBeNull()
    expect(field('Email').value).toBe('priya@example.test')
    expect(document.activeElement).toBe(field('Password'))
    await press('Login with OTP')
    await press('Change the email')
    expect(document.activeElement).toBe(field('Email'))
  })

  test('is still asked for after a reload', async () => {
    await openCode()
    cleanup()
    await openLogin()
    expect(field('One-time code')).toBeTruthy()
    expect(panel().getByText('priya@example.test')).toBeTruthy()
  })

  test('can be asked for again when a visible count has ended', async () => {
    const page = await openCode()
    expect(panel().getByText('You can ask for another code in 60 seconds.')).toBeTruthy()
    expect(panel().queryByRole('button', { name: 'Send another code' })).toBeNull()
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
    await act(() => new Promise(resolve => setTimeout(resolve, 1100)))
    await press('Send another code')
    expect(page.calls).toEqual(['POST /auth/send-otp', 'POST /auth/send-otp'])
    expect(panel().getByText('You can ask for another code in 60 seconds.')).toBeTruthy()
    expect(document.activeElement).toBe(field('One-time code'))
    vi.useRealTimers()
  })
})
