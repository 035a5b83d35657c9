import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { respondWith, errorReply, type Replies } from '../support/session.ts'
import { errorText, field, openLogin, panel, press, sessionReply, type } from './login-page.tsx'
import { waitForUpdates } from '../support/page-input.ts'

afterEach(cleanup)

const CODE_SENT = { message: 'Check your email.', sent: true, resendAfter: 60, expiresIn: 600 }

const listPosts = ({ calls }: { calls: readonly string[] }) =>
  calls.filter(call => call.startsWith('POST '))

describe('Login with a one-time code', () => {
  async function openCode(replies: Replies = {}) {
    const page = await openLogin({
      send: respondWith({ 'POST /auth/send-otp': CODE_SENT, ...replies })
    })
    type('Email', 'priya@example.test')
    await press('Login with OTP')
    return page
  }

  test("shows the reason for a wrong code at the field and in the toast 'Invalid OTP'", async () => {
    const body = { code: 'INVALID_OTP', message: 'This code is wrong.' }
    const page = await openCode({ 'POST /auth/verify-otp': errorReply(400, body) })
    type('One-time code', '000000')
    await press('Verify & Login')
    expect(page.toastTexts().at(-1)).toEqual(['Invalid OTP', 'This code is wrong.'])
    expect(errorText('One-time code')).toBe('This code is wrong.')
    expect(document.activeElement).toBe(field('One-time code'))
  })

  test.for([
    ['typed digit', { data: '6', inputType: 'insertText' }],
    ['pasted code', { data: null, inputType: 'insertFromPaste' }]
  ] as const)('sends a complete code after the last %s', async ([, event]) => {
    const page = await openCode({ 'POST /auth/verify-otp': sessionReply })
    type('One-time code', '12345')
    const code = field('One-time code')
    code.value = '123456'
    fireEvent(code, new InputEvent('input', { bubbles: true, ...event }))
    await waitForUpdates()
    expect(listPosts(page)).toEqual(['POST /auth/send-otp', 'POST /auth/verify-otp'])
    expect(page.toastTexts().at(-1)).toEqual(['Login successful', 'Welcome back!'])
    expect(page.redirects()).toEqual(['/'])
    expect(sessionStorage.getItem('sent-code')).toBeNull()
  })

  test('has buttons to go back to the password or the email, and keeps the email', async () => {
    await openCode()
    await press('Back to Password Login')
    expect(screen.queryByLabelText('One-time code')).toBeNull()
    expect(field('Email').value).toBe('priya@example.test')
    expect(document.activeElement).toBe(field('Password'))
    await press('Login with OTP')
    await press('Change the email')
    expect(document.activeElement).toBe(field('Email'))
  })

  test('shows a countdown, and a new code can be requested when it ends', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const page = await openCode()
    expect(panel().getByText('You can request another code in 60 seconds.')).toBeTruthy()
    act(() => void vi.advanceTimersByTime(59_000))
    expect(panel().getByText('You can request another code in 1 second.')).toBeTruthy()
    expect(panel().queryByRole('button', { name: 'Send a new code' })).toBeNull()
    act(() => void vi.advanceTimersByTime(1000))
    await press('Send a new code')
    expect(listPosts(page)).toEqual(['POST /auth/send-otp', 'POST /auth/send-otp'])
    expect(panel().getByText('You can request another code in 60 seconds.')).toBeTruthy()
    expect(document.activeElement).toBe(field('One-time code'))
    vi.useRealTimers()
  })
})
