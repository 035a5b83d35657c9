import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, narrowest, phone } from '../support/browser.ts'
import { expect, photo, test } from '../support/browser-owner.ts'

/** How far the page can be pushed sideways, in pixels. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function looksRight(page: Page, state: string): Promise<void> {
  expect(await axeFindings(page), state).toEqual([])
  expect(await sideways(page), `${state}: sideways`).toBe(0)
}

for (const [width, device] of Object.entries({ narrowest, phone, desktop })) {
  test.describe(`every state of the owner's products at ${width} width`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('the list, its bar and its complaints', async ({ owner, page }) => {
      test.setTimeout(90_000)
      await owner.open(paths.adminProducts)
      await expect(owner.row('Adhirasam')).toBeVisible()
      await looksRight(page, 'list')
      await owner.price('Adhirasam').fill('cheap')
      await owner.price('Adhirasam').press('Enter')
      await expect(page.getByText('Please enter a price from ₹1')).toBeVisible()
      await looksRight(page, 'wrong price')
      await owner.price('Adhirasam').press('Escape')
      await owner.stock('Boondi Laddu').fill(String(40 + Math.ceil(Math.random() * 1000)))
      await owner.stock('Boondi Laddu').press('Enter')
      await expect(owner.undo).toBeVisible()
      await looksRight(page, 'undo')
      await page.getByRole('searchbox', { name: 'Search products' }).last().fill('zzz')
      await expect(page.getByText('No products found.')).toBeVisible()
      await looksRight(page, 'nothing found')
    })

    test('the form, its complaints, its pictures, its history and its end', async ({ owner, page, forgiven }) => {
      test.setTimeout(90_000)
      forgiven.push(/status of 415/)
      await owner.open(`${paths.adminProducts}?product=plum-cake`)
      await expect(owner.field('Name')).toHaveValue('Plum Cake')
      await looksRight(page, 'form')
      await owner.field('Name').fill('')
      await owner.field('Price of a pack').fill('')
      await owner.button('Save product').click()
      await expect(owner.field('Name')).toBeFocused()
      await looksRight(page, 'wrong form')
      const svg = {
        name: 'photo.png',
        mimeType: 'image/png',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
      }
      await page.getByLabel('Choose pictures').setInputFiles([svg, await photo('#803020', 300)])
      await expect(page.getByText('Please choose a JPEG, PNG, WebP or AVIF picture')).toBeVisible({ timeout: 30_000 })
      await expect(page.getByRole('textbox', { name: /^What it shows/ })).toHaveCount(3, { timeout: 30_000 })
      await looksRight(page, 'pictures')
      await page.getByText('History').click()
      await looksRight(page, 'history')
      await owner.button('Delete product').click()
      await expect(page.getByRole('dialog', { name: /this product/ })).toBeVisible()
      await looksRight(page, 'dialog')
    })

    test('the import', async ({ owner, page }) => {
      await owner.open(`${paths.adminProducts}?import`)
      await looksRight(page, 'nothing chosen')
      const choose = (text: string): Promise<void> =>
        page
          .getByLabel(/^Choose a(nother)? table/)
          .setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await choose('Id,Name,Price\nthattai,Thattai with a long new name,999\nunicorn,U,1\n,New,5')
      await expect(owner.row('Thattai')).toBeVisible()
      await looksRight(page, 'looked at')
    })

    test('the way from section to section', async ({ owner, page }) => {
      await owner.open(paths.admin)
      await expect(page.getByText('Vanakkam, Meena!')).toBeVisible()
      await looksRight(page, 'dashboard')
      const nav = page.getByRole('navigation', { name: 'Administration' })
      if (width !== 'desktop') await nav.getByRole('button').click()
      await expect(nav.getByRole('link')).toHaveCount(8)
      await looksRight(page, 'sections')
      await nav.getByRole('link', { name: 'Products', exact: true }).click()
      await page.waitForURL(`**${paths.adminProducts}`)
    })
  })
}

test.describe('without the shop', () => {
  test.use({ ...phone })

  test('the list says so and tries again', async ({ owner, page, forgiven }) => {
    forgiven.push(/net::ERR/)
    await page.route('**/api/admin/products', route => route.abort())
    await owner.open(paths.adminProducts)
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await looksRight(page, 'offline')
    await page.unroute('**/api/admin/products')
    await owner.button('Try again').click()
    await expect(owner.row('Adhirasam')).toBeVisible()
  })

  test('a price that could not be saved stays typed', async ({ owner, page, forgiven }) => {
    forgiven.push(/net::ERR/)
    await owner.open(paths.adminProducts)
    await page.route('**/api/admin/products/*', route => route.abort())
    await owner.price('Adhirasam').fill('250')
    await owner.price('Adhirasam').press('Enter')
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await expect(owner.price('Adhirasam')).toHaveValue('250')
  })
})
