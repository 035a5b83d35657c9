import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { makePhoto } from '../support/browser-admin.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { shopData } from '../support/browser-data.ts'
import { waitForHydration } from '../support/browser-pages.ts'
import { expect, phone, test } from '../support/browser.ts'
import { removeFolder, startShop, temporaryFolder, type RunningShop } from '../support/server.ts'

const OWN_EMAIL = 'meena@home.example'
const OWN_PASSWORD = 'kolam river bicycle 9'
const PUBLISHED = { timeout: 60_000, intervals: [100] }

test.describe.configure({ timeout: 240_000 })
test.use(phone)

test.describe('The first hour of an owner', () => {
  test('leads from an empty folder to the first order', async ({ page, allowedErrors }) => {
    // The product's page is asked for before it is published.
    allowedErrors.push(/status of 404/)
    const shop = await startEmptyShop()
    try {
      const owner = new Owner(page, shop)
      await owner.logIn(/password: (\S+)/.exec(shop.output())?.[1] ?? '')
      await owner.changeEmail()
      await owner.changePassword()
      await owner.expectDone(1)
      await expectAccessible(page, 'checklist')
      await owner.save('Enter shop details', {
        'Shop name': 'Meena Sweets',
        Phone: '+91 90000 12345',
        Email: 'hello@meena.example',
        Street: '3 Big Street',
        City: 'Tiruchirappalli',
        Pincode: '620002'
      })
      await owner.expectDone(2)
      await owner.save('Enter legal details', { 'FSSAI number': '12422999000123', Name: 'Meena' })
      await owner.save('Choose GST status', {}, [
        'I have asked an accountant, and may deliver to other states'
      ])
      await owner.expectDone(3)
      await owner.save('Set delivery rules', {})
      for (const button of [
        'Write privacy policy',
        'Write terms',
        'Write refund policy',
        'Write delivery policy'
      ])
        await owner.save(button, { Text: 'Call us at {phone}.' })
      await owner.expectDone(5)
      await owner.addProduct()
      await owner.expectDone(6)
      await owner.order()
      await owner.expectDone(7)
      await owner.makeBackup()
      await owner.expectDone(8)
      // The dashboard may still be loading its lists.
      await page.goto('about:blank')
    } finally {
      await shop.stop()
      removeFolder(shop.dataDir)
    }
  })
})

/** The built code is that of the other shops, so that it need not be built again. */
function startEmptyShop(): Promise<RunningShop> {
  const dataDir = temporaryFolder()
  cpSync(join(shopData(), 'code'), join(dataDir, 'code'), { recursive: true })
  return startShop({ dataDir, env: { DEMO_DATA: 'false' } })
}

class Owner {
  readonly page: Page
  readonly #shop: RunningShop
  /** The one that the shop printed. */
  #password = ''

  constructor(page: Page, shop: RunningShop) {
    this.page = page
    this.#shop = shop
  }

  get bar(): Locator {
    return this.page.getByRole('link', { name: /^Your shop is not set up yet/ })
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('button', { name })
  }

  async expectDone(rows: number): Promise<void> {
    await this.page.goto(`${this.#shop.url}${paths.home}`)
    await expect(this.bar).toHaveText(`Your shop is not set up yet: ${rows} of 10 done`)
    await this.bar.click()
    await expect(this.page.getByText(`${rows} of 10 done`, { exact: true })).toBeVisible()
  }

  async logIn(password: string): Promise<void> {
    await this.page.goto(`${this.#shop.url}${paths.login}`)
    await waitForHydration(this.page)
    const form = this.page.getByRole('form', { name: 'Login' })
    await form.getByLabel('Email').fill('admin@localhost.test')
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByRole('button', { name: 'Login', exact: true }).click()
    await this.page.waitForURL(`${this.#shop.url}${paths.home}`)
    await this.expectDone(0)
    await expect(this.page.getByText('Test mode: no money moves')).toBeVisible()
    this.#password = password
  }

  async changeEmail(): Promise<void> {
    await this.page.getByRole('link', { name: 'Change email address' }).click()
    await this.page.getByLabel('New email address').fill(OWN_EMAIL)
    await this.page.getByLabel('Current password', { exact: true }).fill(this.#password)
    await this.button('Send code').click()
    await expect(this.page.getByText(/the code is in the newest file/)).toBeVisible()
    await expectAccessible(this.page, 'code')
    await this.page.getByLabel('One-time code').fill(await this.#mailedCode())
    await this.button('Change email address').click()
    await expect(this.page.getByText('Email address changed')).toBeVisible()
  }

  async #mailedCode(): Promise<string> {
    const outbox = join(this.#shop.dataDir, 'outbox')
    const findCode = (): string => {
      const files = readdirSync(outbox).map(name => join(outbox, name))
      const newest =
        files.toSorted((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1) ?? ''
      return /^Subject: (\d{6}) /m.exec(readFileSync(newest, 'utf8'))?.[1] ?? ''
    }
    await expect
      .poll(() => readdirSync(this.#shop.dataDir).includes('outbox') && findCode())
      .toMatch(/\d{6}/)
    return findCode()
  }

  async changePassword(): Promise<void> {
    await this.expectDone(0)
    await this.page.getByRole('link', { name: 'Change password' }).click()
    await this.page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD)
    await this.page.getByLabel('Current password', { exact: true }).fill(this.#password)
    await this.button('Save password').click()
    await expect(this.page.getByText('Password changed', { exact: true })).toBeVisible()
  }

  /** Opens a form from the checklist, fills it in and saves it. */
  async save(
    link: string,
    values: Record<string, string>,
    ticks: readonly string[] = []
  ): Promise<void> {
    await this.page.getByRole('link', { name: link }).click()
    for (const [label, text] of Object.entries(values))
      await this.page
        .getByRole('main')
        .getByRole('textbox', { name: label, exact: true })
        .fill(text)
    for (const label of ticks)
      await this.page.getByRole('main').getByRole('checkbox', { name: label }).check()
    await this.button('Save settings').click()
    await expect(this.page.getByRole('heading', { name: 'Set up your shop' })).toBeVisible()
  }

  async addProduct(): Promise<void> {
    await this.page.getByRole('link', { name: 'Add a product' }).click()
    const form = this.page.getByRole('form', { name: 'Product' })
    const values = {
      Name: 'Rava Kesari',
      Price: '150',
      'Stock (packs)': '12',
      Description: 'Semolina roasted in ghee.',
      Ingredients: 'Semolina (wheat)\nGhee (milk)',
      'Shelf life': 'Best within 5 days'
    }
    for (const [label, text] of Object.entries(values))
      await form.getByLabel(label, { exact: true }).fill(text)
    await form.getByLabel('Category', { exact: true }).selectOption('sweets')
    await this.page.getByLabel('Choose pictures').setInputFiles(await makePhoto('#e0a030'))
    const alt = this.page.getByRole('textbox', { name: /^Describe the picture/ })
    await expect(alt).toHaveValue('Rava Kesari', { timeout: 30_000 })
    await this.button('Save product').click()
    await expect(this.page.getByText('Rava Kesari was added').first()).toBeVisible()
    const address = `${this.#shop.url}${paths.product('rava-kesari')}`
    await expect.poll(async () => (await fetch(address)).status, PUBLISHED).toBe(200)
  }

  async order(): Promise<void> {
    await this.page.getByRole('link', { name: 'Go to the shop' }).click()
    await this.page.getByRole('link', { name: 'Rava Kesari' }).first().click()
    await this.page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    await this.page.goto(`${this.#shop.url}${paths.cart}`)
    await waitForHydration(this.page)
    const form = this.page.getByRole('form', { name: 'Checkout' })
    const values = {
      'Full name': 'Meena',
      'Phone number': '90000 12345',
      Pincode: '620018',
      'Street and area': '3 Big Street',
      'City or town': 'Tiruchirappalli'
    }
    for (const [label, text] of Object.entries(values))
      await form.getByLabel(label, { exact: true }).fill(text)
    // Filled in from the pincode.
    await expect(form.getByLabel('State', { exact: true })).toHaveValue('Tamil Nadu')
    await this.page.getByRole('checkbox', { name: /confirm/ }).check()
    await this.page.getByRole('button', { name: /^Pay Now/ }).click()
    await this.page
      .getByRole('dialog', { name: 'Meena Sweets' })
      .getByRole('button', { name: /^Pay ₹/ })
      .click()
    const heading = this.page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText('Order placed successfully!')
    await this.page.goto(`${this.#shop.url}${paths.adminOrders}`)
    await expect(this.page.getByText('Test order')).toBeVisible()
  }

  async makeBackup(): Promise<void> {
    const download = this.page.waitForEvent('download', { timeout: 30_000 })
    await this.button('Download backup').click()
    await download
  }
}
