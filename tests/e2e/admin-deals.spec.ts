import type { Locator, Page } from 'playwright/test'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { focusedElement, INPUT_METHODS, tabTo } from '../support/browser-input.ts'
import { expect, test } from '../support/browser-admin.ts'
import { expectAccessible } from '../support/browser-checks.ts'

const { click, fill } = INPUT_METHODS.keyboard
const DEALS_URL = '**/api/discounted-products'

function newDealForm(page: Page): Locator {
  return page.getByRole('form', { name: 'Add deal' })
}

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`Admin: deals (${width})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('creates a deal that the home page shows', async ({ admin, page, allowedErrors }) => {
      test.setTimeout(240_000)
      allowedErrors.push(/status of 400/)
      const [id, name, price, lowestPrice] =
        width === 'phone' ? ['thattai', 'Thattai', 130, '₹110.50'] : ['badusha', 'Badusha', 170, '₹144.50']
      // The price can differ from the demo price, because another test may have changed it.
      const currentPrice = (await admin.fetchProduct(id))?.price
      await admin.open(paths.adminDeals)
      const form = newDealForm(page)
      await form.getByLabel('Product').selectOption(id)
      const percent = form.getByLabel('Discount (%)')
      expect([await percent.getAttribute('min'), await percent.getAttribute('max')]).toEqual(['0', '100'])
      await percent.fill('0')
      await form.getByRole('button', { name: 'Now' }).click()
      await form.getByRole('button', { name: '1 day' }).click()
      await form.getByRole('button', { name: 'Add deal' }).click()
      await expect(form.getByText('The discount must be at least 1%')).toBeVisible()
      await expect(percent).toBeFocused()
      await percent.fill('15')
      const offer = currentPrice === price ? `Up to 15% off: as low as ${lowestPrice}` : 'Up to 15% off: as low as ₹'
      await expect(form.getByRole('status')).toContainText(offer)
      await expectAccessible(page, 'form and list')

      await form.getByRole('button', { name: 'Add deal' }).click()
      await expect(page.getByText('Discounted product created successfully')).toBeVisible()
      await expect(form.getByLabel('Product')).toHaveValue('')
      const row = admin.row(name)
      await expect(row).toContainText('Running')
      await expect(row).toContainText('15%')
      await admin.expectPublishedAt('/', offer)
      await page.goto('/')
      await expect(page.getByText(offer).first()).toBeAttached()
    })
  })
}

test.describe('Admin: deals by keyboard', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  test('a deal can be created, changed and deleted, and a change can be undone', async ({ admin, page }) => {
    await admin.open(paths.adminDeals)
    await tabTo(newDealForm(page).getByLabel('Product'))
    await page.keyboard.type('Palko')
    await fill(newDealForm(page).getByLabel('Discount (%)'), '10')
    await click(newDealForm(page).getByRole('button', { name: 'Now' }))
    await click(newDealForm(page).getByRole('button', { name: '3 hours' }))
    await click(newDealForm(page).getByRole('button', { name: 'Add deal' }))
    await expect(admin.row('Palkova')).toContainText('Running')

    await click(page.getByRole('link', { name: 'Edit deal for Palkova' }))
    await expect(page.getByRole('heading', { name: 'Palkova', level: 2 })).toBeFocused()
    const editForm = page.getByRole('form', { name: 'Edit deal' })
    await fill(editForm.getByLabel('Discount (%)'), '12')
    await page.keyboard.press('Enter')
    await expect(admin.row('Palkova')).toContainText('12%')
    await expect(admin.row('Palkova').getByRole('link', { name: /^Palkova/ })).toBeFocused()
    await page.keyboard.press('Control+z')
    await expect(admin.row('Palkova')).toContainText('10%')

    await page.keyboard.press('Enter')
    await click(page.locator('summary', { hasText: 'History' }))
    await expect(page.getByText('Discount: 12% → 10%')).toBeVisible()
    await click(page.getByRole('button', { name: 'Delete deal for Palkova' }))
    const dialog = page.getByRole('dialog', { name: 'Delete this deal?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await click(dialog.getByRole('button', { name: 'Delete deal' }))
    await expect(page.getByText(MESSAGES.dealDeleted)).toBeVisible()
    await expect(admin.row('Palkova')).toHaveCount(0)
    await expect(focusedElement(page)).toHaveText('Current deals')
  })
})

test.describe('Admin: deal form', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  test('keeps the input after a server error, a reload and an edit conflict', async ({
    admin,
    page,
    adminAccounts,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 409/)
    const { token } = await adminAccounts.logIn(page, await adminAccounts.add({ name: 'Ravi', role: 'admin' }))
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${admin.shop.url}/api/discounted-products`, { headers })
    const deal = ((await response.json()) as AdminDeal[]).find(({ endTime }) => Date.parse(endTime) > Date.now())
    if (!deal) throw new Error('The shop has no deals')
    await admin.open(paths.adminDeals)
    const form = newDealForm(page)
    await form.getByLabel('Product').selectOption(deal.product._id)
    await form.getByLabel('Discount (%)').fill('7')
    await form.getByRole('button', { name: '1 day' }).click()
    await form.getByRole('button', { name: 'Add deal' }).click()
    await expect(form.getByText(/This product already has a deal from .* to/)).toBeVisible()
    await page.reload()
    await expect(form.getByLabel('Discount (%)')).toHaveValue('7')
    await expect(form.getByLabel('Product')).toHaveValue(deal.product._id)
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await expect(form.getByLabel('Product')).toHaveValue('')

    await admin.open(`${paths.adminDeals}?deal=${deal.id}`)
    const editForm = page.getByRole('form', { name: 'Edit deal' })
    await editForm.getByLabel('Discount (%)').fill('31')
    const { startTime, endTime, version } = deal
    const change = { startTime, endTime, version, discountPercentage: 23 }
    const url = `${admin.shop.url}/api/discounted-products/${deal.id}`
    expect((await page.request.patch(url, { data: change, headers })).status()).toBe(200)
    await editForm.getByRole('button', { name: 'Save deal' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'Someone else changed this while you were editing' })
    await expect(notice).toContainText('Yours: 31%')
    await expect(notice).toContainText('Theirs: 23%')
    await notice.getByRole('button', { name: 'Keep mine' }).click()
    await expect(admin.row(deal.name)).toContainText('31%')
  })
})

test.describe('Admin: deals that fail to load', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('show an error and a retry button', async ({ admin, page, allowedErrors }) => {
    allowedErrors.push(/status of 500/)
    const broken = { status: 500, json: { code: 'INTERNAL', message: 'The shop has a problem.' } }
    await page.route(DEALS_URL, route => route.fulfill(broken))
    await page.route('**/api/admin/products', route => route.fulfill(broken))
    await admin.open(paths.adminDeals)
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to load discounted products' })).toBeVisible()
    const products = page.getByRole('alert').filter({ hasText: 'Failed to load products' })
    await expect(products).toBeVisible()
    await expectAccessible(page, 'nothing could be loaded')
    await page.unroute('**/api/admin/products')
    await products.getByRole('button', { name: 'Try again' }).click()
    await expect(newDealForm(page)).toBeVisible()
    await page.unroute(DEALS_URL)
    await page.route(DEALS_URL, route => route.fulfill({ json: [] }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No current deals. Add one above.')).toBeVisible()
  })
})
