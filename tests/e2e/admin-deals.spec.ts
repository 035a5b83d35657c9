import type { Locator, Page } from 'playwright/test'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { focused, HANDS, tabTo } from '../support/browser-hands.ts'
import { expect, test } from '../support/browser-owner.ts'
import { isWellMade } from '../support/browser-well-made.ts'

const { press, type } = HANDS.keyboard
const LIST = '**/api/discounted-products'

function adding(page: Page): Locator {
  return page.getByRole('form', { name: 'Add a deal' })
}

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`the owner’s deals at ${width} width`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('a deal is opened, and the home page shows it', async ({ owner, page, forgiven }) => {
      test.setTimeout(240_000)
      forgiven.push(/status of 400/)
      const [id, name, price, lowest] =
        width === 'phone' ? ['thattai', 'Thattai', 130, '₹110.50'] : ['badusha', 'Badusha', 170, '₹144.50']
      // Whatever another test has made of its price.
      const cost = (await owner.product(id))?.price
      await owner.open(paths.adminDeals)
      const form = adding(page)
      await form.getByLabel('Product').selectOption(id)
      const percent = form.getByLabel('Discount, in percent')
      expect([await percent.getAttribute('min'), await percent.getAttribute('max')]).toEqual(['0', '100'])
      await percent.fill('0')
      await form.getByRole('button', { name: 'Now' }).click()
      await form.getByRole('button', { name: '1 day' }).click()
      await form.getByRole('button', { name: 'Add deal' }).click()
      await expect(form.getByText('A deal of 0% would be none')).toBeVisible()
      await expect(percent).toBeFocused()
      await percent.fill('15')
      const offer = cost === price ? `up to 15% off, from ${lowest}` : 'up to 15% off, from ₹'
      await expect(form.getByRole('status')).toContainText(offer)
      await isWellMade(page, 'form and list')

      await form.getByRole('button', { name: 'Add deal' }).click()
      await expect(page.getByText('Discounted product created successfully')).toBeVisible()
      await expect(form.getByLabel('Product')).toHaveValue('')
      const row = owner.row(name)
      await expect(row).toContainText('Running')
      await expect(row).toContainText('15%')
      await owner.publishedAt('/', offer)
      await page.goto('/')
      await expect(page.getByText(offer).first()).toBeAttached()
    })
  })
}

test.describe('the owner’s deals by keyboard alone', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  test('a deal is opened, changed, the change taken back, and the deal ended', async ({ owner, page }) => {
    await owner.open(paths.adminDeals)
    await tabTo(adding(page).getByLabel('Product'))
    await page.keyboard.type('Palko')
    await type(adding(page).getByLabel('Discount, in percent'), '10')
    await press(adding(page).getByRole('button', { name: 'Now' }))
    await press(adding(page).getByRole('button', { name: '3 hours' }))
    await press(adding(page).getByRole('button', { name: 'Add deal' }))
    await expect(owner.row('Palkova')).toContainText('Running')

    await press(page.getByRole('link', { name: 'Edit the deal of Palkova' }))
    await expect(page.getByRole('heading', { name: 'Palkova', level: 2 })).toBeFocused()
    const terms = page.getByRole('form', { name: 'Terms of the deal' })
    await type(terms.getByLabel('Discount, in percent'), '12')
    await page.keyboard.press('Enter')
    await expect(owner.row('Palkova')).toContainText('12%')
    await expect(owner.row('Palkova').getByRole('link', { name: /^Palkova/ })).toBeFocused()
    await page.keyboard.press('Control+z')
    await expect(owner.row('Palkova')).toContainText('10%')

    await page.keyboard.press('Enter')
    await press(page.locator('summary', { hasText: 'History' }))
    await expect(page.getByText('Discount: 12% → 10%')).toBeVisible()
    await press(page.getByRole('button', { name: 'Delete the deal of Palkova' }))
    const dialog = page.getByRole('dialog', { name: 'Delete this deal?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await press(dialog.getByRole('button', { name: 'Delete the deal' }))
    await expect(page.getByText(MESSAGES.dealDeleted)).toBeVisible()
    await expect(owner.row('Palkova')).toHaveCount(0)
    await expect(focused(page)).toHaveText('Current deals')
  })
})

test.describe('what an owner types of a deal', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  test('is not lost when the shop refuses it, the page is loaded anew, or somebody else was faster', async ({
    owner,
    page,
    desk,
    forgiven
  }) => {
    forgiven.push(/status of 409/)
    const { token } = await desk.enter(page, await desk.add({ name: 'Ravi', role: 'admin' }))
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${owner.shop.url}/api/discounted-products`, { headers })
    const deal = ((await response.json()) as AdminDeal[]).find(({ endTime }) => Date.parse(endTime) > Date.now())
    if (!deal) throw new Error('The shop has no deals')
    await owner.open(paths.adminDeals)
    const form = adding(page)
    await form.getByLabel('Product').selectOption(deal.product._id)
    await form.getByLabel('Discount, in percent').fill('7')
    await form.getByRole('button', { name: '1 day' }).click()
    await form.getByRole('button', { name: 'Add deal' }).click()
    await expect(form.getByText(/This product has another deal, from .* to/)).toBeVisible()
    await page.reload()
    await expect(form.getByLabel('Discount, in percent')).toHaveValue('7')
    await expect(form.getByLabel('Product')).toHaveValue(deal.product._id)
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect(form.getByLabel('Product')).toHaveValue('')

    await owner.open(`${paths.adminDeals}?deal=${deal.id}`)
    const terms = page.getByRole('form', { name: 'Terms of the deal' })
    await terms.getByLabel('Discount, in percent').fill('31')
    const { startTime, endTime, version } = deal
    const change = { startTime, endTime, version, discountPercentage: 23 }
    const url = `${owner.shop.url}/api/discounted-products/${deal.id}`
    expect((await page.request.patch(url, { data: change, headers })).status()).toBe(200)
    await terms.getByRole('button', { name: 'Save the deal' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile' })
    await expect(notice).toContainText('Yours: 31%')
    await expect(notice).toContainText('In the shop now: 23%')
    await notice.getByRole('button', { name: 'Save mine over it' }).click()
    await expect(owner.row(deal.name)).toContainText('31%')
  })
})

test.describe('deals that can’t be shown', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('are said to be so, with the way to try again', async ({ owner, page, forgiven }) => {
    forgiven.push(/status of 500/)
    const broken = { status: 500, json: { code: 'INTERNAL', message: 'The shop has a problem.' } }
    await page.route(LIST, route => route.fulfill(broken))
    await page.route('**/api/admin/products', route => route.fulfill(broken))
    await owner.open(paths.adminDeals)
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to load discounted products' })).toBeVisible()
    const products = page.getByRole('alert').filter({ hasText: 'Failed to load products' })
    await expect(products).toBeVisible()
    await isWellMade(page, 'nothing could be loaded')
    await page.unroute('**/api/admin/products')
    await products.getByRole('button', { name: 'Try again' }).click()
    await expect(adding(page)).toBeVisible()
    await page.unroute(LIST)
    await page.route(LIST, route => route.fulfill({ json: [] }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No deal is running or coming.')).toBeVisible()
  })
})
