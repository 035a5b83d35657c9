import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, narrowest, phone } from '../support/browser.ts'
import { expect, makePhoto, test } from '../support/browser-admin.ts'

const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function expectNoLayoutIssues(page: Page, state: string): Promise<void> {
  expect(await axeFindings(page), state).toEqual([])
  expect(await horizontalOverflow(page), `${state}: horizontal scroll`).toBe(0)
}

for (const [width, device] of Object.entries({ narrowest, phone, desktop })) {
  test.describe(`Admin: product pages (${width})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('the list, its errors and its undo bar are accessible', async ({ admin, page }) => {
      test.setTimeout(90_000)
      await admin.open(paths.adminProducts)
      await expect(admin.row('Adhirasam')).toBeVisible()
      await expectNoLayoutIssues(page, 'list')
      await admin.price('Adhirasam').fill('cheap')
      await admin.price('Adhirasam').press('Enter')
      await expect(page.getByText('Please enter a price from ₹1')).toBeVisible()
      await expectNoLayoutIssues(page, 'invalid price')
      await admin.price('Adhirasam').press('Escape')
      await admin.stock('Boondi Laddu').fill(String(40 + Math.ceil(Math.random() * 1000)))
      await admin.stock('Boondi Laddu').press('Enter')
      await expect(admin.undo).toBeVisible()
      await expectNoLayoutIssues(page, 'undo')
      await page.getByRole('searchbox', { name: 'Search products' }).last().fill('zzz')
      await expect(page.getByText('No products found.')).toBeVisible()
      await expectNoLayoutIssues(page, 'no results')
    })

    test('the form, its errors, pictures, history and delete dialog are accessible', async ({
      admin,
      page,
      allowedErrors
    }) => {
      test.setTimeout(90_000)
      allowedErrors.push(/status of 415/)
      await admin.open(`${paths.adminProducts}?product=plum-cake`)
      await expect(admin.field('Name')).toHaveValue('Plum Cake')
      await expectNoLayoutIssues(page, 'form')
      await admin.field('Name').fill('')
      await admin.field('Price').fill('')
      await admin.button('Save product').click()
      await expect(admin.field('Name')).toBeFocused()
      await expectNoLayoutIssues(page, 'invalid form')
      const svg = {
        name: 'photo.png',
        mimeType: 'image/png',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
      }
      await page.getByLabel('Choose pictures').setInputFiles([svg, await makePhoto('#803020', 300)])
      await expect(page.getByText('Please choose a JPEG, PNG, WebP or AVIF picture')).toBeVisible({ timeout: 30_000 })
      await expect(page.getByRole('textbox', { name: /^Describe the picture/ })).toHaveCount(3, { timeout: 30_000 })
      await expectNoLayoutIssues(page, 'pictures')
      await page.getByText('History').click()
      await expectNoLayoutIssues(page, 'history')
      await admin.button('Delete product').click()
      await expect(page.getByRole('dialog', { name: /this product/ })).toBeVisible()
      await expectNoLayoutIssues(page, 'dialog')
    })

    test('the import page is accessible', async ({ admin, page }) => {
      await admin.open(`${paths.adminProducts}?import`)
      await expectNoLayoutIssues(page, 'no file chosen')
      const chooseFile = (text: string): Promise<void> =>
        page
          .getByLabel(/^Choose a(nother)? file/)
          .setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await chooseFile('Id,Name,Price\nthattai,Thattai with a long new name,999\nunicorn,U,1\n,New,5')
      await expect(admin.row('Thattai')).toBeVisible()
      await expectNoLayoutIssues(page, 'import preview')
    })

    test('the admin navigation is accessible', async ({ admin, page }) => {
      await admin.open(paths.admin)
      await expect(page.getByText('Vanakkam, Meena!')).toBeVisible()
      await expectNoLayoutIssues(page, 'dashboard')
      const nav = page.getByRole('navigation', { name: 'Administration' })
      if (width !== 'desktop') await nav.getByRole('button').click()
      await expect(nav.getByRole('link')).toHaveCount(8)
      await expectNoLayoutIssues(page, 'sections')
      await nav.getByRole('link', { name: 'Products', exact: true }).click()
      await page.waitForURL(`**${paths.adminProducts}`)
    })
  })
}

test.describe('Admin: products offline', () => {
  test.use({ ...phone })

  test('the list shows an error and a retry button', async ({ admin, page, allowedErrors }) => {
    allowedErrors.push(/net::ERR/)
    await page.route('**/api/admin/products', route => route.abort())
    await admin.open(paths.adminProducts)
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await expectNoLayoutIssues(page, 'offline')
    await page.unroute('**/api/admin/products')
    await admin.button('Try again').click()
    await expect(admin.row('Adhirasam')).toBeVisible()
  })

  test('a price that could not be saved stays in its field', async ({ admin, page, allowedErrors }) => {
    allowedErrors.push(/net::ERR/)
    await admin.open(paths.adminProducts)
    await page.route('**/api/admin/products/*', route => route.abort())
    await admin.price('Adhirasam').fill('250')
    await admin.price('Adhirasam').press('Enter')
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await expect(admin.price('Adhirasam')).toHaveValue('250')
  })
})
