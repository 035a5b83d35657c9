import type { Locator, Page } from 'playwright/test'
import type { AdminDeal } from '#lib/contract/promotions.ts'
import { DEAL_MESSAGES } from '#lib/admin/discount-forms.ts'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { focusedElement, INPUT_METHODS, tabTo } from '../support/browser-input.ts'
import { adminTest as test, desktop, expect, phone } from '../support/browser.ts'

const { click, fill } = INPUT_METHODS.keyboard
const DEALS_URL = '**/api/discounted-products'
const PRODUCTS_URL = '**/api/admin/products'

test.describe('Admin: deals on a phone', () => {
  test.use(phone)

  test('a new deal appears on the published home page', async ({ admin, page, allowedErrors }) => {
    allowedErrors.push(/status of [45]00/)
    const broken = { status: 500, json: { code: 'INTERNAL', message: 'The shop has a problem.' } }
    for (const url of [DEALS_URL, PRODUCTS_URL])
      await page.route(url, route => route.fulfill(broken))
    await admin.open(paths.adminDeals)
    const failure = (text: string): Locator => page.getByRole('alert').filter({ hasText: text })
    await expect(failure('Failed to load discounted products')).toBeVisible()
    await expectAccessible(page, 'nothing could be loaded')
    for (const url of [DEALS_URL, PRODUCTS_URL]) await page.unroute(url)
    for (const text of ['Failed to load products', 'Failed to load discounted products'])
      await failure(text).getByRole('button', { name: 'Try again' }).click()
    const form = newDealForm(page)
    await form.getByLabel('Product').selectOption('thattai')
    const percent = form.getByLabel('Discount (%)')
    await percent.fill('101')
    await form.getByRole('button', { name: 'Now' }).click()
    await form.getByRole('button', { name: '1 day' }).click()
    await form.getByRole('button', { name: 'Add flash deal' }).click()
    await expect(form.getByText('Please enter a percentage from 0 to 100')).toBeVisible()
    await expect(percent).toBeFocused()
    await percent.fill('15')
    const offer = 'Up to 15% off: as low as ₹110.50'
    await expect(form.getByRole('status')).toContainText(offer)
    await expectAccessible(page, 'form and list')
    await form.getByRole('button', { name: 'Add flash deal' }).click()
    await expect(page.getByText('Discounted product created successfully')).toBeVisible()
    await expect(form.getByLabel('Product')).toHaveValue('')
    await expect(admin.row('Thattai')).toContainText(/Running.*15%|15%.*Running/s)
    await admin.expectPublishedAt(paths.home, offer)
  })
})

test.describe('Admin: deals', () => {
  test.use(desktop)

  test('by keyboard, a deal can be created, changed and deleted, and a change can be undone', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminDeals)
    await tabTo(newDealForm(page).getByLabel('Product'))
    await page.keyboard.type('Palko')
    await fill(newDealForm(page).getByLabel('Discount (%)'), '10')
    await click(newDealForm(page).getByRole('button', { name: 'Now' }))
    await click(newDealForm(page).getByRole('button', { name: '3 hours' }))
    await click(newDealForm(page).getByRole('button', { name: 'Add flash deal' }))
    await expect(admin.row('Palkova')).toContainText('Running')

    await click(page.getByRole('link', { name: 'Edit flash deal for Palkova' }))
    await expect(page.getByRole('heading', { name: 'Palkova', level: 2 })).toBeFocused()
    const editForm = page.getByRole('form', { name: 'Edit flash deal' })
    await fill(editForm.getByLabel('Discount (%)'), '12')
    await page.keyboard.press('Enter')
    await expect(admin.row('Palkova')).toContainText('12%')
    await expect(admin.row('Palkova').getByRole('link', { name: /^Palkova/ })).toBeFocused()
    await page.keyboard.press('Control+z')
    await expect(admin.row('Palkova')).toContainText('10%')

    await page.keyboard.press('Enter')
    await click(page.locator('summary', { hasText: 'History' }))
    await expect(page.getByText('Discount: 12% → 10%')).toBeVisible()
    await click(page.getByRole('button', { name: 'Delete flash deal for Palkova' }))
    const dialog = page.getByRole('dialog', { name: 'Delete this flash deal?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await click(dialog.getByRole('button', { name: 'Delete flash deal' }))
    await expect(page.getByText(DEAL_MESSAGES.dealDeleted)).toBeVisible()
    await expect(admin.row('Palkova')).toHaveCount(0)
    await expect(focusedElement(page)).toHaveText('Current flash deals')
  })

  test('keeps the input after a server error, a reload and an edit conflict', async ({
    admin,
    page,
    adminAccounts,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 409/)
    const headers = await adminAccounts.adminHeaders()
    const response = await fetch(`${admin.shop.url}/api/discounted-products`, { headers })
    const deal = ((await response.json()) as AdminDeal[]).find(
      ({ endTime }) => Date.parse(endTime) > Date.now()
    )
    if (!deal) throw new Error('The shop has no deals')
    await admin.open(paths.adminDeals)
    const form = newDealForm(page)
    await form.getByLabel('Product').selectOption(deal.product._id)
    await form.getByLabel('Discount (%)').fill('7')
    await form.getByRole('button', { name: '1 day' }).click()
    await form.getByRole('button', { name: 'Add flash deal' }).click()
    await expect(form.getByText(/This product already has a deal from .* to/)).toBeVisible()
    await page.reload()
    await expect(form.getByLabel('Discount (%)')).toHaveValue('7')
    await expect(form.getByLabel('Product')).toHaveValue(deal.product._id)
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await expect(form.getByLabel('Product')).toHaveValue('')

    await admin.open(`${paths.adminDeals}?deal=${deal.id}`)
    const editForm = page.getByRole('form', { name: 'Edit flash deal' })
    await editForm.getByLabel('Discount (%)').fill('31')
    const { startTime, endTime, version } = deal
    const change = { startTime, endTime, version, discountPercentage: 23 }
    const url = `${admin.shop.url}/api/discounted-products/${deal.id}`
    expect((await page.request.patch(url, { data: change, headers })).status()).toBe(200)
    await editForm.getByRole('button', { name: 'Save flash deal' }).click()
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'Someone else changed this while you were editing' })
    await expect(notice).toContainText('Yours: 31%')
    await expect(notice).toContainText('Theirs: 23%')
    await notice.getByRole('button', { name: 'Keep mine' }).click()
    await expect(admin.row(deal.name)).toContainText('31%')
  })
})

function newDealForm(page: Page): Locator {
  return page.getByRole('form', { name: 'Add flash deal' })
}
