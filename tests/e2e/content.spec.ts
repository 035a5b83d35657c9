import { paths } from '#lib/paths.ts'
import { desktop, expect, test } from '../support/browser.ts'
import { CONTENT_PAGES, MYSORE_PAK, POLICIES } from '../support/browser-pages.ts'

test.use(desktop)

test.describe('About Us', () => {
  test('describes the shop and its three values', async ({ page }) => {
    await page.goto(paths.about)
    await expect(page.getByRole('heading', { level: 1, name: 'About Us' })).toBeVisible()
    for (const value of ['Quality', 'Tradition', 'Innovation']) {
      await expect(page.getByRole('heading', { name: value, exact: true })).toBeVisible()
    }
    expect((await page.getByRole('main').innerText()).split(/\s+/).length).toBeGreaterThan(150)
  })
})

test.describe('Policies', () => {
  const FACTS: Record<string, readonly RegExp[]> = {
    [POLICIES.shipping]: [/0\s?(-|–|to)\s?7 days/],
    [POLICIES.refunds]: [
      /day (of ordering|you order|the order)|same day/i,
      /perishable/i,
      /damaged/i,
      /same day/i,
      /5\s?(-|–|to)\s?8 (working |business )?days/
    ],
    [POLICIES.privacy]: [/privacy/i],
    [POLICIES.terms]: [/terms/i]
  }

  for (const [path, facts] of Object.entries(FACTS)) {
    test(`${path} states the policy and the shop’s contact details`, async ({ page }) => {
      await page.goto(path)
      const main = page.getByRole('main')
      const text = (await main.innerText()).replace(/\s+/g, ' ')
      for (const fact of facts) expect(text).toMatch(fact)
      expect(text).toContain('Tiruchirappalli')
      expect(text).toMatch(/\+91 ?\d{5} ?\d{5}/)
      expect(text).toMatch(/\S+@\S+\.\w+/)
      expect(text).not.toMatch(/\{\w+\}|undefined|\[object/)
    })
  }
})

test.describe('Content without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const [name, path] of Object.entries(CONTENT_PAGES)) {
    test(`${name} page is complete`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const main = await page.getByRole('main').innerText()
      expect(main.length).toBeGreaterThan(300)
      await expect(page.getByRole('contentinfo').locator(`a[href="${paths.privacy}"]`).first()).toBeVisible()
      await expect(page.getByText(/(enable|turn on) JavaScript/i)).toBeHidden()
    })
  }

  test('home page shows the banner, deals and features', async ({ page }) => {
    await page.goto(paths.home)
    await expect(page.getByRole('heading', { level: 2, name: 'Special Discounts Available' })).toBeVisible()
    await expect(page.locator('deal-carousel').getByRole('listitem').first()).toBeVisible()
    await expect(page.locator('hero-rotator img').first()).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Our Features' })).toBeVisible()
  })

  test('product page explains how to order and has no cart buttons', async ({ page }) => {
    await page.goto(MYSORE_PAK)
    const main = page.getByRole('main')
    // getByText is not used, because it ignores text in <noscript>.
    const instructions = main.locator('p').filter({ hasText: 'To order without JavaScript' })
    await expect(instructions).toBeVisible()
    for (const scheme of ['tel:', 'mailto:']) await expect(instructions.locator(`a[href^="${scheme}"]`)).toBeVisible()
    await expect(main.getByRole('button', { name: /^Add to Cart|quantity/ })).toHaveCount(0)
  })

  test('product page shows every picture', async ({ page }) => {
    await page.goto(MYSORE_PAK)
    for (const picture of await page.locator('product-gallery [data-strip] img').all()) {
      await picture.scrollIntoViewIfNeeded()
      await expect(picture).toBeInViewport()
    }
  })

  test('menu button on a phone scrolls to the footer links', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(paths.home)
    await page.getByRole('banner').locator('a[aria-haspopup], a[href^="#"]').filter({ visible: true }).first().click()
    await expect(page.getByRole('contentinfo').locator(`a[href="${paths.products}"]`).first()).toBeInViewport()
  })
})
