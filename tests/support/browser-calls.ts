import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { CODE_LIFETIME, CODE_RESEND_DELAY, SECOND } from '#lib/time.ts'

export const SEND_CODE_URL = '**/api/auth/send-otp'

interface DelayedRequests {
  count(): number
  release(): void
}

/** Delays matching requests until `release` is called. */
export async function delayRequests(page: Page, pattern: string): Promise<DelayedRequests> {
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

/** Fails the test if a matching request is sent, until `allow` is called. */
export async function forbidRequests(page: Page, pattern: string): Promise<{ allow(): Promise<void> }> {
  await page.route(pattern, route => {
    throw new Error(`Unexpected request: ${route.request().url()}`)
  })
  return { allow: () => page.unroute(pattern) }
}

/** Mocks this call, because the server limits the number of codes per hour. */
export async function mockSendCode(page: Page): Promise<void> {
  const json = {
    message: MESSAGES.codeSent,
    resendAfter: CODE_RESEND_DELAY / SECOND,
    expiresIn: CODE_LIFETIME / SECOND
  }
  await page.route(SEND_CODE_URL, route => route.fulfill({ json }))
}
