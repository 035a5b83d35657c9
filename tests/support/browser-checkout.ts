import { expect, type Locator, type Page } from 'playwright/test'
import { t } from '#lib/contract/texts.ts'
import type { Order } from '#lib/contract/orders.ts'
import { paths } from '#lib/paths.ts'
import type { Accounts, Shopper } from './browser-accounts.ts'
import { waitForHydration } from './browser-pages.ts'

export const SAMBAR = {
  _id: 'sambar-powder',
  name: 'Sambar Powder',
  price: 160,
  image: '',
  packSize: { value: 250, unit: 'g', type: 'weight' },
  quantity: { value: 1, unit: 'g', type: 'weight' }
}

const VALID_FORM = {
  'Full name': 'Anita Kumar',
  'Phone number': '+91 98765-43210',
  Pincode: '620 018',
  'Street and area': '12 Kolam Street',
  'City or town': 'Tiruchirappalli'
}

type Line = typeof SAMBAR

export class CheckoutPage {
  readonly page: Page
  readonly #accounts: Accounts

  constructor(page: Page, accounts: Accounts) {
    this.page = page
    this.#accounts = accounts
  }

  async open(...lines: Line[]) {
    await this.page.goto('/robots.txt')
    const stored = JSON.stringify(lines.length > 0 ? lines : [SAMBAR])
    await this.page.evaluate(cart => localStorage.setItem('cart', cart), stored)
    await this.page.goto(paths.cart)
    await this.waitUntilReady()
  }

  async waitUntilReady() {
    await waitForHydration(this.page)
    await this.payButton.waitFor()
  }

  async openLoggedIn(shopper: Shopper, ...lines: Line[]) {
    await this.#accounts.saveAddress(shopper)
    await this.#accounts.logIn(this.page, shopper)
    await this.open(...lines)
    await expect(this.page.getByRole('button', { name: t('Edit') })).toBeVisible()
  }

  field(label: string) {
    return this.page.getByRole('form', { name: t('Checkout') }).getByLabel(label, { exact: true })
  }

  async fill(email: string) {
    const values = { Email: email, ...VALID_FORM }
    for (const [label, text] of Object.entries(values)) await this.field(label).fill(text)
    await expect(this.field('State')).toHaveValue('Tamil Nadu')
  }

  get confirmation(): Locator {
    return this.page.locator('[name=isConfirmed]')
  }

  get payButton(): Locator {
    return this.page.getByRole('button', { name: t('Pay Now') })
  }

  async payNow() {
    await this.confirmation.check()
    await this.payButton.click()
  }

  get paymentWindow(): Locator {
    return this.page.getByRole('dialog')
  }

  windowButton(name: RegExp) {
    return this.paymentWindow.getByRole('button', { name })
  }

  async payInWindow() {
    await this.windowButton(/^Pay ₹/).click()
  }

  /** Pays and waits for the order. */
  async pay() {
    await this.payNow()
    await this.payInWindow()
    await this.expectPlaced()
  }

  async expectPlaced() {
    await expect(this.heading).toHaveText(t('Order placed successfully!'))
  }

  get heading(): Locator {
    return this.page.getByRole('heading', { level: 1 })
  }

  async fetchOrders() {
    const token = await this.page.evaluate(() => localStorage.getItem('token'))
    const headers = { authorization: `Bearer ${token}` }
    const reply = await this.page.request.get('/api/orders/my-orders', { headers })
    return (await reply.json()) as Order[]
  }

  storedCart(): Promise<unknown> {
    return this.page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? '[]') as unknown)
  }
}
