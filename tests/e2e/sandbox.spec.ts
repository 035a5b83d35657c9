import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import { axeFindings, desktop, expect, phone, test as base } from '../support/browser.ts'
import { openCheckoutPage, type CheckoutPage } from '../support/browser-sandbox.ts'

interface Story {
  /** Opens the provider's window for a new order of ₹1,234.50 and answers the order's id. */
  openWindow(options?: object): Promise<string>
  /** What the page was told so far. */
  told: () => Promise<[string, Record<string, unknown>?][]>
  dialog: Locator
}

const test = base.extend<Story, { shop: CheckoutPage }>({
  shop: [
    async ({}, use) => {
      const shop = await openCheckoutPage()
      await use(shop)
      await shop.close()
    },
    { scope: 'worker' }
  ],
  openWindow: async ({ page, shop }, use) =>
    use(async (options = {}) => {
      const order_id = await shop.order()
      await page.goto(shop.url)
      await page.locator('#pay').focus()
      const { keyId: key } = shop
      await page.evaluate(openRazorpay, { key, order_id, amount: 123_450, name: 'Palagaram', ...options })
      await expect(page.getByRole('dialog')).toBeVisible()
      return order_id
    }),
  told: async ({ page }, use) => use(() => page.evaluate(() => (globalThis as unknown as { told: [string][] }).told)),
  dialog: async ({ page }, use) => use(page.getByRole('dialog', { name: 'Palagaram' }))
})
test.use(desktop)

// Runs in the page.
function openRazorpay(options: Record<string, unknown>): void {
  const told: unknown[] = []
  const page = globalThis as unknown as {
    told: unknown[]
    Razorpay: new (options: object) => { open(): void; on(name: string, heard: (event: object) => void): void }
  }
  page.told = told
  const handler = (proof: object): unknown => told.push(['handler', proof])
  const modal = { ...(options['modal'] as object), ondismiss: () => told.push(['ondismiss']) }
  const checkout = new page.Razorpay({ handler, ...options, modal })
  checkout.on('payment.failed', event => told.push(['payment.failed', event]))
  checkout.open()
}

const payButton = (page: Page): Locator => page.getByRole('button', { name: 'Pay ₹1,234.50' })
const failButton = (page: Page): Locator => page.getByRole('button', { name: 'Fail this payment' })
const closeButton = (page: Page): Locator => page.getByRole('button', { name: 'Close the payment window' })

test.describe('the window of the sandbox', () => {
  test('says whose it is, how much is paid, and that no money moves', async ({ openWindow, dialog }) => {
    const order = await openWindow({ description: 'Two packs', prefill: { email: 'anita@example.com' } })
    await expect(dialog).toContainText('Sandbox: no money moves.')
    for (const text of ['₹1,234.50', 'Two packs', 'anita@example.com', order]) await expect(dialog).toContainText(text)
  })

  test('hands over a signed proof of the payment', async ({ page, shop, openWindow, told, dialog }) => {
    const order = await openWindow()
    await payButton(page).click()
    await expect(dialog).toBeHidden()
    const [[name, proof = {}] = ['']] = await told()
    expect(name).toBe('handler')
    expect(proof['razorpay_order_id']).toBe(order)
    const signed = `${order}|${String(proof['razorpay_payment_id'])}`
    expect(proof['razorpay_signature']).toBe(createHmac('sha256', 'secret').update(signed).digest('hex'))
    expect(await shop.find(order)).toMatchObject({ status: 'paid' })
  })

  test('stays open after a payment that failed, and one can then pay', async ({ page, openWindow, told, dialog }) => {
    await openWindow()
    await failButton(page).click()
    await expect(dialog.getByRole('alert')).toContainText('declined by the bank')
    await payButton(page).click()
    await expect(dialog).toBeHidden()
    const events = await told()
    expect(events.map(([name]) => name)).toEqual(['payment.failed', 'handler'])
    expect(events[0]?.[1]).toMatchObject({
      error: { code: 'BAD_REQUEST_ERROR', metadata: { payment_id: expect.stringMatching(/^pay_/) as unknown } }
    })
  })

  test('closes after a payment that failed when it may not be tried again', async ({
    page,
    openWindow,
    told,
    dialog
  }) => {
    await openWindow({ retry: { enabled: false } })
    await failButton(page).click()
    await expect(dialog).toBeHidden()
    expect((await told()).map(([name]) => name)).toEqual(['payment.failed', 'ondismiss'])
  })

  test('tells the page when it is closed by its button or by Escape', async ({ page, openWindow, told, dialog }) => {
    await openWindow()
    await closeButton(page).click()
    await expect(dialog).toBeHidden()
    expect(await told()).toEqual([['ondismiss']])
    await openWindow()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect(await told()).toEqual([['ondismiss']])
    await expect(page.locator('#pay')).toBeFocused()
  })

  test('stays open on Escape when the shop wants it so', async ({ page, openWindow, dialog }) => {
    await openWindow({ modal: { escape: false } })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
  })

  test('closes by itself when its time is over', async ({ openWindow, told, dialog }) => {
    await openWindow({ timeout: 1 })
    await expect(dialog).toBeHidden()
    expect(await told()).toEqual([['ondismiss']])
  })

  test('leads the browser back to the shop when the shop wants it so', async ({ page, shop, openWindow }) => {
    const order = await openWindow({ callback_url: `${shop.url}/callback`, redirect: true })
    await payButton(page).click()
    await page.waitForURL(`${shop.url}/after`)
    const proof = shop.callbacks.find(({ razorpay_order_id }) => razorpay_order_id === order)
    expect(Object.keys(proof ?? {})).toEqual(['razorpay_payment_id', 'razorpay_order_id', 'razorpay_signature'])
  })

  test('says so when there is nothing to pay', async ({ page, openWindow, dialog, forgiven }) => {
    forgiven.push(/status of 400/)
    await openWindow({ order_id: 'order_none' })
    await expect(dialog.getByRole('alert')).toHaveText('The id provided does not exist')
    await expect(failButton(page)).toHaveAttribute('aria-disabled', 'true')
  })

  test('says so when the sandbox can’t be reached, and one can try again', async ({
    page,
    openWindow,
    told,
    dialog,
    forgiven
  }) => {
    forgiven.push(/ERR_FAILED/)
    await openWindow()
    await page.route('**/create/ajax', route => route.abort())
    await payButton(page).click()
    await expect(dialog.getByRole('alert')).toContainText('can’t be reached')
    await page.unroute('**/create/ajax')
    await payButton(page).click()
    await expect(dialog).toBeHidden()
    expect((await told()).map(([name]) => name)).toEqual(['handler'])
  })

  test('is used with the keyboard alone, which stays in it', async ({ page, openWindow, told, dialog }) => {
    await openWindow()
    for (const button of [closeButton, payButton, failButton, closeButton, payButton]) {
      await page.keyboard.press('Tab')
      await expect(button(page)).toBeFocused()
    }
    await page.keyboard.press('Shift+Tab')
    await expect(closeButton(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    expect((await told()).map(([name]) => name)).toEqual(['handler'])
  })

  for (const [name, screen, color] of [
    ['a phone', phone, '#9B2C1F'],
    ['a desk', desktop, '#F2B233']
  ] as const) {
    test.describe(`on ${name}`, () => {
      test.use(screen)
      test('can be read and touched by everyone', async ({ page, openWindow, dialog }) => {
        await openWindow({ theme: { color }, timeout: 900 })
        await failButton(page).click()
        await expect(dialog.getByRole('alert')).not.toBeEmpty()
        expect(await axeFindings(page)).toEqual([])
        for (const button of [payButton(page), failButton(page), closeButton(page)]) {
          const box = await button.boundingBox()
          expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
        }
        const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(width).toBeLessThanOrEqual(0)
      })
    })
  }
})
