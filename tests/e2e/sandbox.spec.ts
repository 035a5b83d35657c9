import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import { axeFindings, expectNoHorizontalScroll } from '../support/browser-checks.ts'
import { openSandboxPage, type SandboxPage } from '../support/browser-sandbox.ts'
import { desktop, expect, phone, test as base } from '../support/browser.ts'

interface SandboxFixtures {
  shop: SandboxPage
  /** Opens the payment window for a new order of ₹1,234.50 and returns the order id. */
  openWindow(options?: object): Promise<string>
  pageEvents: () => Promise<[string, Record<string, unknown>?][]>
  dialog: Locator
}

const test = base.extend<SandboxFixtures>({
  shop: async ({}, use) => {
    const shop = await openSandboxPage()
    await use(shop)
    await shop.close()
  },
  openWindow: async ({ page, shop }, use) =>
    use(async (options = {}) => {
      const order_id = await shop.createOrder()
      await page.goto(shop.url)
      await page.locator('#pay').focus()
      const { keyId: key } = shop
      await page.evaluate(openRazorpay, {
        key,
        order_id,
        amount: 123_450,
        name: 'Palagaram',
        ...options
      })
      await expect(page.getByRole('dialog')).toBeVisible()
      return order_id
    }),
  pageEvents: async ({ page }, use) =>
    use(() =>
      page.evaluate(() => (globalThis as unknown as { sandboxEvents: [string][] }).sandboxEvents)
    ),
  dialog: async ({ page }, use) => use(page.getByRole('dialog', { name: 'Palagaram' }))
})
test.use(desktop)

// Playwright runs this function in the browser page.
function openRazorpay(options: Record<string, unknown>): void {
  const events: unknown[] = []
  const page = globalThis as unknown as {
    sandboxEvents: unknown[]
    Razorpay: new (options: object) => {
      open(): void
      on(name: string, listener: (event: object) => void): void
    }
  }
  page.sandboxEvents = events
  const handler = (payment: object): unknown => events.push(['handler', payment])
  const modal = { ...(options['modal'] as object), ondismiss: () => events.push(['ondismiss']) }
  const checkout = new page.Razorpay({ handler, ...options, modal })
  checkout.on('payment.failed', event => events.push(['payment.failed', event]))
  checkout.open()
}

const payButton = (page: Page): Locator => page.getByRole('button', { name: 'Pay ₹1,234.50' })
const failButton = (page: Page): Locator => page.getByRole('button', { name: 'Fail this payment' })
const closeButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'Close the payment window' })

test.describe('Sandbox payment window', () => {
  test('shows the order, stays open after a failed payment and returns a signed payment', async ({
    page,
    shop,
    openWindow,
    pageEvents,
    dialog
  }) => {
    const order = await openWindow({
      prefill: { email: 'anita@example.com' }
    })
    const texts = ['Test mode: no money moves.', '₹1,234.50', 'anita@example.com', order]
    for (const text of texts) await expect(dialog).toContainText(text)
    await failButton(page).click()
    await expect(dialog.getByRole('alert')).toContainText('declined by the bank')
    await payButton(page).click()
    await expect(dialog).toBeHidden()
    const [[failure, event] = [''], [success, payment = {}] = ['']] = await pageEvents()
    expect([failure, success]).toEqual(['payment.failed', 'handler'])
    expect(event).toMatchObject({
      error: {
        code: 'BAD_REQUEST_ERROR',
        metadata: { payment_id: expect.stringMatching(/^pay_/) as unknown }
      }
    })
    expect(payment['razorpay_order_id']).toBe(order)
    const signedText = `${order}|${String(payment['razorpay_payment_id'])}`
    expect(payment['razorpay_signature']).toBe(
      createHmac('sha256', 'secret').update(signedText).digest('hex')
    )
    expect(await shop.fetchOrder(order)).toMatchObject({ status: 'paid' })
  })

  test('closes by its button, by Escape and after its timeout', async ({
    page,
    openWindow,
    pageEvents,
    dialog
  }) => {
    await openWindow()
    await closeButton(page).click()
    await expect(dialog).toBeHidden()
    expect(await pageEvents()).toEqual([['ondismiss']])
    await openWindow()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect(await pageEvents()).toEqual([['ondismiss']])
    await expect(page.locator('#pay')).toBeFocused()
    await openWindow({ timeout: 1 })
    await expect(dialog).toBeHidden()
    expect(await pageEvents()).toEqual([['ondismiss']])
  })

  test('redirects to callback_url if the option redirect is true', async ({
    page,
    shop,
    openWindow
  }) => {
    const order = await openWindow({ callback_url: `${shop.url}/callback`, redirect: true })
    await payButton(page).click()
    await page.waitForURL(`${shop.url}/after`)
    const form = shop.callbacks.find(({ razorpay_order_id }) => razorpay_order_id === order)
    expect(Object.keys(form ?? {})).toEqual([
      'razorpay_payment_id',
      'razorpay_order_id',
      'razorpay_signature'
    ])
  })

  test('shows an unknown order and an unreachable sandbox as errors, works by keyboard and traps the focus', async ({
    page,
    openWindow,
    pageEvents,
    dialog,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 400|ERR_FAILED/)
    await openWindow({ order_id: 'order_none' })
    await expect(dialog.getByRole('alert')).toHaveText('The id provided does not exist')
    await expect(failButton(page)).toHaveAttribute('aria-disabled', 'true')
    await openWindow()
    await expect(payButton(page)).toHaveAttribute('aria-disabled', 'false')
    for (const button of [closeButton, payButton, failButton, closeButton, payButton]) {
      await page.keyboard.press('Tab')
      await expect(button(page)).toBeFocused()
    }
    await page.keyboard.press('Shift+Tab')
    await expect(closeButton(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await page.route('**/create/ajax', route => route.abort(), { times: 1 })
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('can’t be reached')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    expect((await pageEvents()).map(([name]) => name)).toEqual(['handler'])
  })

  for (const [name, device] of [
    ['a phone', phone],
    ['a desktop', desktop]
  ] as const) {
    test.describe(`on ${name}`, () => {
      test.use(device)

      test('is accessible', async ({ page, openWindow, dialog }) => {
        await openWindow({ theme: { color: '#9B2C1F' }, timeout: 900 })
        await failButton(page).click()
        await expect(dialog.getByRole('alert')).not.toBeEmpty()
        expect(await axeFindings(page)).toEqual([])
        await expectNoHorizontalScroll(page, 'failed')
        for (const button of [payButton(page), failButton(page), closeButton(page)]) {
          const box = await button.boundingBox()
          expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
        }
      })
    })
  }
})
