import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { CODE_LIFETIME, CODE_RESEND_DELAY, SECOND } from '#lib/time.ts'

export const SEND_CODE_URL = '**/api/auth/send-otp'

export interface HeldRequests {
  /** How many have come so far. */
  count(): number
  /** Lets them through, and all that follow. */
  release(): void
}

/** Keeps requests of a page waiting: what it shows meanwhile can be looked at for as long as a test likes. */
export async function holdRequests(page: Page, pattern: string): Promise<HeldRequests> {
  let count = 0
  let release = (): void => undefined
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(pattern, async route => {
    count++
    await released
    await route.fallback()
  })
  return { count: () => count, release }
}

/** Fails the test when a page sends any of these. */
export async function forbidRequests(page: Page, pattern: string): Promise<void> {
  await page.route(pattern, route => {
    throw new Error(`Nothing may be sent, and ${route.request().url()} was`)
  })
}

/** Every code that a page asks for is as good as sent: the shop mails only so many an hour. */
export async function mockSendCode(page: Page): Promise<void> {
  const json = {
    message: MESSAGES.codeSent,
    resendAfter: CODE_RESEND_DELAY / SECOND,
    expiresIn: CODE_LIFETIME / SECOND
  }
  await page.route(SEND_CODE_URL, route => route.fulfill({ json }))
}
