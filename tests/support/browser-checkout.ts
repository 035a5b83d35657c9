import { expect, type Locator, type Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'
import type { Order } from '#lib/contract/orders.ts'
import { paths } from '#lib/paths.ts'
import type { Accounts, Shopper } from './browser-accounts.ts'
import { ADDRESS, fetchJson, shopUrl } from './browser-data.ts'
import { waitForHydration } from './browser-pages.ts'

export const SAMBAR = {
  _id: 'sambar-powder',
  name: 'Sambar Powder',
  price: 160,
  packSize: { value: 250, unit: 'g', type: 'weight' },
  quantity: { value: 1, unit: 'g', type: 'weight' }
}
export const LADDU = { ...SAMBAR, _id: 'boondi-laddu', name: 'Boondi Laddu' }

const VALID_FORM: Record<string, string> = {
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
  readonly #products: readonly Product[]

  constructor(page: Page, accounts: Accounts, products: readonly Product[]) {
    this.page = page
    this.#accounts = accounts
    this.#products = products
  }

  async open(...lines: Line[]): Promise<void> {
    await this.page.goto('/robots.txt')
    const cartLines = lines.length > 0 ? lines : [SAMBAR]
    const imageOf = ({ _id }: Line): string | undefined =>
      this.#products.find(({ id }) => id === _id)?.image
    const stored = JSON.stringify(cartLines.map(line => ({ ...line, image: imageOf(line) })))
    await this.page.evaluate(cart => localStorage.setItem('cart', cart), stored)
    await this.page.goto(paths.cart)
    await this.waitUntilReady()
  }

  async waitUntilReady(): Promise<void> {
    await waitForHydration(this.page)
    await this.payButton.waitFor()
  }

  async openLoggedIn(shopper: Shopper, ...lines: Line[]): Promise<void> {
    const { token } = await this.#accounts.logIn(this.page, shopper)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: shopper.name, phoneNumber: '9876543210', address: ADDRESS })
    await fetch(`${shopUrl()}/api/auth/profile`, { method: 'PUT', headers, body })
    await this.open(...lines)
    await expect(this.page.getByRole('button', { name: 'Edit' })).toBeVisible()
  }

  field(label: string): Locator {
    return this.page.getByRole('form', { name: 'Checkout' }).getByLabel(label, { exact: true })
  }

  async fill(email: string, changes: Record<string, string> = {}): Promise<void> {
    const values = { Email: email, ...VALID_FORM, ...changes }
    for (const [label, text] of Object.entries(values)) await this.field(label).fill(text)
    await expect(this.field('State')).toHaveValue('Tamil Nadu')
  }

  get confirmation(): Locator {
    return this.page.getByRole('checkbox', { name: /confirm/ })
  }

  get payButton(): Locator {
    return this.page.getByRole('button', { name: /^Pay Now/ })
  }

  async payNow(): Promise<void> {
    await this.confirmation.check()
    await this.payButton.click()
  }

  get paymentWindow(): Locator {
    return this.page.getByRole('dialog', { name: 'Palagaram' })
  }

  windowButton(name: RegExp): Locator {
    return this.paymentWindow.getByRole('button', { name })
  }

  async payInWindow(): Promise<void> {
    await this.windowButton(/^Pay ₹/).click()
  }

  async closeWindow(): Promise<void> {
    await this.windowButton(/^Close/).click()
    await expect(this.paymentWindow).toBeHidden()
  }

  /** Pays and waits for the order. */
  async pay(): Promise<void> {
    await this.payNow()
    await this.payInWindow()
    await this.expectPlaced()
  }

  async expectPlaced(): Promise<void> {
    await expect(this.heading).toHaveText('Order placed successfully!')
  }

  get heading(): Locator {
    return this.page.getByRole('heading', { level: 1 })
  }

  async fetchOrders(): Promise<Order[]> {
    const token = await this.page.evaluate(() => localStorage.getItem('token'))
    return fetchJson('/api/orders/my-orders', token)
  }

  storedCart(): Promise<unknown> {
    return this.page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? '[]') as unknown)
  }
}
