import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { AdminPages } from '../support/browser-admin.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { copyShop } from '../support/browser-data.ts'
import { addButton } from '../support/browser-pages.ts'
import { expect, phone, test as base } from '../support/browser.ts'
import { removeFolder, startShop, type RunningShop } from '../support/server.ts'

const OWN_EMAIL = 'meena@home.example'

const test = base.extend<object, { shop: RunningShop }>({
  shop: [
    async ({}, use) => {
      // The built code is that of the other shops, so that it need not be built again.
      const shop = await startShop({ dataDir: copyShop('code'), env: { DEMO_DATA: 'false' } })
      await use(shop)
      await shop.stop()
      removeFolder(shop.dataDir)
    },
    { scope: 'worker', timeout: 120_000 }
  ]
})

test.describe.configure({ timeout: 240_000 })
test.use(phone)

test('The first hour of an owner leads from an empty folder to the first order', async ({
  page,
  shop,
  login,
  checkout,
  allowedErrors
}) => {
  // The product's page is asked for before it is published.
  allowedErrors.push(/status of 404/)
  const admin = new AdminPages(page)
  const password = /password: (\S+)/.exec(shop.output())?.[1] ?? ''
  await login.open()
  await login.logIn({ email: 'admin@localhost.test', password })
  await page.waitForURL('**/admin#setup')
  await changeLogin(page)
  await expectDone(page, 1)
  await expectAccessible(page, 'checklist')
  await saveSettings(page)
  await expectDone(page, 5)
  await page.getByRole('link', { name: 'Add a product' }).click()
  await admin.fillProduct()
  await admin.button('Save product').click()
  await expect(page.getByText('Rava Kesari was added').first()).toBeVisible()
  await admin.expectPublished(paths.product('rava-kesari'), 'Semolina roasted in ghee')
  await expectDone(page, 6)

  await page.getByRole('link', { name: 'Go to the shop' }).click()
  await page.getByRole('link', { name: 'Rava Kesari' }).first().click()
  await addButton(page).click()
  await page.goto(paths.cart)
  await checkout.waitUntilReady()
  await checkout.fill(OWN_EMAIL)
  await checkout.pay()
  await page.goto(paths.adminOrders)
  await expect(page.getByText('Test order')).toBeVisible()
  await expectDone(page, 7)
  const downloading = page.waitForEvent('download', { timeout: 30_000 })
  await admin.button('Download backup').click()
  await downloading
  await expectDone(page, 8)
  // The dashboard may still be loading its lists.
  await page.goto('about:blank')
})

async function expectDone(page: Page, rows: number): Promise<void> {
  await page.goto(paths.home)
  const bar = page.getByRole('link', { name: /^Your shop is not set up yet/ })
  await expect(bar).toHaveText(`Your shop is not set up yet: ${rows} of 10 done`)
  await bar.click()
  await expect(page.getByText(new RegExp(`^Test mode · .* ${rows} of 10 done$`))).toBeVisible()
}

/** Replaces the email address and the password that the shop has printed. */
async function changeLogin(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Meena')
  await page.getByLabel('Email', { exact: true }).fill(OWN_EMAIL)
  await page.getByLabel('New password', { exact: true }).fill('kolam river bicycle 9')
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your login is saved')).toBeVisible()
}

/** Opens each form from the checklist, fills it in and saves it. */
async function saveSettings(page: Page): Promise<void> {
  const forms: Record<string, Record<string, string>> = {
    'Enter shop details': {
      'Shop name': 'Meena Sweets',
      Phone: '+91 90000 12345',
      Email: 'hello@meena.example',
      Street: '3 Big Street',
      City: 'Tiruchirappalli',
      Pincode: '620002'
    },
    'Enter legal details': { 'FSSAI number': '12422999000123', Name: 'Meena' },
    'Answer one question': {},
    'Choose where you deliver': {},
    'Start from our texts': {}
  }
  for (const [link, values] of Object.entries(forms)) {
    await page.getByRole('link', { name: link }).click()
    const save = page
      .getByRole('main')
      .getByRole('button', { name: /^(Save settings|Use these texts)/ })
    await save.waitFor()
    for (const [label, value] of Object.entries(values))
      await page.getByRole('main').getByRole('textbox', { name: label, exact: true }).fill(value)
    await save.click()
    await expect(page.getByRole('heading', { name: 'Set up your shop' })).toBeVisible()
  }
}
