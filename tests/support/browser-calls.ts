import type { Page } from 'playwright/test'
import { CODE_LIFETIME, CODE_RESEND_DELAY, SECOND } from '#lib/time.ts'

/** Delays matching requests until the returned function is called. */
export async function delayRequests(page: Page, pattern: string): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(pattern, async route => {
    await released
    await route.fallback()
  })
  return () => release()
}

/** Mocks this call, because the server limits the number of codes per hour. */
export async function mockSendCode(page: Page): Promise<void> {
  const json = {
    message: 'Check your email. The code may take a minute to arrive.',
    sent: true,
    resendAfter: CODE_RESEND_DELAY / SECOND,
    expiresIn: CODE_LIFETIME / SECOND
  }
  await page.route('**/api/auth/send-otp', route => route.fulfill({ json }))
}
