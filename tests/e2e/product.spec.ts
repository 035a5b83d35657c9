import type { Page } from 'playwright/test'
import type { LiveCatalog, LiveProduct } from '#lib/contract/catalog.ts'
import { localPath, paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import {
  addButton,
  MYSORE_PAK,
  NO_PRODUCT,
  NOT_FOUND_STATUS,
  toast
} from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const LIVE_URL = '**/api/catalog/live*'
const END_TIME = '2099-01-01T00:00:00.000Z'

test.describe('Product page', () => {
  test.use(desktop)

  test('switches the picture by thumbnails, adds the chosen quantity and shows the chosen size in forced colours', async ({
    page,
    products
  }) => {
    const product = products.find(({ _id }) => _id === 'mysore-pak')
    await page.goto(MYSORE_PAK)
    const thumbnails = page.locator('product-gallery [data-thumbnail]')
    await expect(thumbnails).toHaveCount(Math.min(product?.pictures.length ?? 0, 4))
    const pictures = page.locator('product-gallery [data-strip] img')
    await expect(pictures.nth(0)).toBeInViewport()
    await thumbnails.nth(1).click()
    await expect(pictures.nth(1)).toBeInViewport({ ratio: 0.9 })
    await expect(pictures.nth(0)).not.toBeInViewport({ ratio: 0.1 })
    await expect(thumbnails.nth(1)).toHaveAttribute('aria-current', 'true')

    await expect(quantity(page)).toHaveValue('1')
    await expect(minus(page)).toBeDisabled()
    await plus(page).click()
    await plus(page).click()
    await expect(quantity(page)).toHaveValue('3')
    await quantity(page).fill('-4')
    await quantity(page).blur()
    await expect(quantity(page)).toHaveValue('1')
    await plus(page).click()
    await addButton(page).click()
    await expect(page.getByText('Mysore Pak has been added to your cart.')).toBeVisible()
    await expect(page.getByText('In Cart: 2').first()).toBeVisible()

    await page.emulateMedia({ forcedColors: 'active' })
    const sizes = page.getByRole('navigation', { name: 'Pack sizes' }).getByRole('link')
    const backgrounds = await sizes.evaluateAll(links =>
      links.map(link => getComputedStyle(link).backgroundColor)
    )
    expect(new Set(backgrounds).size).toBe(2)
  })

  test('shows prices, stock and deals that have changed since the last publish', async ({
    page,
    list,
    request
  }) => {
    const { products } = (await (await request.get('/api/catalog/live')).json()) as LiveCatalog
    const mock = async (change: (product: LiveProduct) => LiveProduct) => {
      await page.unroute(LIVE_URL)
      await page.route(LIVE_URL, route =>
        route.fulfill({ json: { products: products.map(change) } })
      )
    }
    const dealLink = (percent: number) =>
      page.getByRole('main').getByRole('link', { name: `Up to ${percent}% off until Thu 1 Jan` })
    await mock(product => ({ ...product, deal: { percent: 45, endTime: END_TIME } }))
    for (const path of [MYSORE_PAK, paths.product('kaju-katli')]) {
      await page.goto(path)
      await expect(dealLink(45), 'a changed deal and a new one').toBeVisible()
      await expect(dealLink(45)).toHaveAttribute('href', paths.deals)
    }
    await page.goto(paths.products)
    await expect(list.card('Mysore Pak')).toContainText('Up to 45% off')

    await mock(({ deal, ...product }) => ({ ...product, price: 199.5, stock: 'out' }))
    await page.goto(MYSORE_PAK)
    await expect(page.getByText('₹199.50').first()).toBeVisible()
    await expect(dealLink(45)).toBeHidden()
    await expectSoldOut(page)
    await page.goto(paths.home)
    await expect(page.locator('[data-deal]').filter({ visible: true })).toHaveCount(0)
    await expect(page.getByText(/^Up to \d+% off$/).filter({ visible: true })).toHaveCount(0)
  })
})

test.describe('Product page on a phone', () => {
  test.use(phone)

  test('shares its address, or copies it, or shows it where neither is allowed', async ({
    page
  }) => {
    const path = localPath(MYSORE_PAK, 'ta')
    const address = /^http[^?#]*\/ta\/products\/mysore-pak$/
    const allow = (browser: Record<'share' | 'writeText', string>) =>
      page.evaluate(({ share, writeText }) => {
        const calls: unknown[] = []
        const fake = (error: string) => (value: unknown) => {
          calls.push(value)
          return error ? Promise.reject(new DOMException('', error)) : Promise.resolve()
        }
        if (share === 'missing') Reflect.deleteProperty(Navigator.prototype, 'share')
        else Object.assign(navigator, { share: fake(share) })
        Object.assign(navigator.clipboard, { writeText: fake(writeText) })
        Object.assign(globalThis, { calls })
      }, browser)
    const calls = (): Promise<unknown> => page.evaluate('calls')
    const share = page.getByRole('button', { name: 'பகிர்' })
    const copied = toast(page, 'இணைப்பு நகலெடுக்கப்பட்டது')
    const open = async (share: string, writeText = '') => {
      await page.goto(`${path}?utm_source=mail`)
      await allow({ share, writeText })
    }
    for (const error of ['', 'AbortError']) {
      await open(error)
      await share.click()
      const title = await page.title()
      expect(await calls()).toEqual([{ title, url: expect.stringMatching(address) }])
    }
    await expect(copied).toHaveCount(0)
    await open('missing')
    await share.click()
    await expect(copied).toBeVisible()
    expect(await calls()).toEqual([expect.stringMatching(address)])
    await open('NotAllowedError', 'NotAllowedError')
    await share.click()
    const link = page.getByLabel('இணைப்பு', { exact: true })
    await expect(link).toBeFocused()
    await expect(link).toHaveValue(address)
    await expectAccessible(page, 'link')
  })

  test('keeps Add to Cart in view while scrolling and works without a network', async ({
    page,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR/)
    await page.route(LIVE_URL, route => route.abort())
    await page.goto(MYSORE_PAK)
    await expect(page.getByText('₹180.00').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await page.evaluate(() =>
      scrollTo({ top: document.body.scrollHeight / 2, behavior: 'instant' })
    )
    const buttons = page
      .locator('add-to-cart[data-product*="\\"mysore-pak\\""]')
      .getByRole('button', { name: /^Add to Cart/ })
    const isInView = () =>
      buttons.evaluateAll(all =>
        all
          .map(button => button.getBoundingClientRect())
          .some(({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight)
      )
    await expect.poll(isInView).toBe(true)
    await page.context().setOffline(true)
    await buttons.filter({ visible: true }).first().tap()
    await expect(toast(page, 'Item added to cart')).toBeVisible()
  })

  test('shows without scrolling that a product is sold out', async ({ page, products }) => {
    const soldOut = products.find(({ stock }) => stock === 0)
    await page.goto(paths.product(soldOut?._id ?? ''))
    await expect(page.locator('product-gallery').getByText('Out of Stock')).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Out of Stock' })).toBeInViewport()
    await expectSoldOut(page)
  })
})

test.describe('Collection page on a phone', () => {
  test.use(phone)

  test('adds all products in the chosen sizes as a box, without those sold out', async ({
    page
  }) => {
    const live = (await (await page.request.get('/api/catalog/live')).json()) as LiveCatalog
    // Other tests change prices of the shop.
    const changes: Record<string, object> = {
      badusha: { stock: 'out' },
      'ribbon-pakoda': { price: 100 }
    }
    const products = live.products.map(product => ({ ...product, ...changes[product.id] }))
    await page.route(LIVE_URL, route => route.fulfill({ json: { products } }))
    await page.goto(paths.collection('diwali-gifts'))
    const lines = page.locator('[data-box-line]')
    await expect(lines).toHaveCount(8)
    await expect(lines.filter({ hasText: 'Badusha' })).toContainText('Out of Stock')
    const add = page.getByRole('button', { name: /^Add all/ })
    await expect(add).toHaveText('Add all 7 · ₹1,380.00')
    await page.getByLabel('Pack size of Mysore Pak').selectOption('500 g')
    await expect(add).toHaveText('Add all 7 · ₹1,550.00')
    await expect(add).toBeInViewport({ ratio: 1 })
    await expectAccessible(page, 'a collection with a product that is sold out')
    await add.tap()
    await expect(toast(page, 'Item added to cart')).toContainText('View cart (7)')
    const cart = await page.evaluate(() => localStorage.getItem('cart'))
    expect(cart).toContain('"_id":"mysore-pak-500-g"')
    expect(cart).not.toContain('badusha')
  })
})

test.describe('Product without a published page', () => {
  test.use(phone)
  test.beforeEach(({ allowedErrors }) => void allowedErrors.push(NOT_FOUND_STATUS))

  test('is shown from the API, escaped, with its stock limit, and can be added to the cart', async ({
    page,
    products
  }) => {
    const name = '<b>Bold</b> Sweet'
    const description = '<img src=x onerror="document.title=1">'
    const ids = { _id: 'fresh-sweet', id: 'fresh-sweet' }
    const product = { ...products[0], ...ids, name, description, price: 111.5, stock: 2 }
    await page.route('**/api/products/fresh-sweet', route => route.fulfill({ json: product }))
    await page.goto(paths.product('fresh-sweet'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(page.getByText(description).first()).toBeVisible()
    await expect(page.getByText('₹111.50').first()).toBeVisible()
    await expect(page.getByText('Oops! Page not found')).toBeHidden()
    await quantity(page).fill('50')
    await quantity(page).blur()
    await expect(quantity(page)).toHaveValue('2')
    await expect(plus(page)).toBeDisabled()
    await addButton(page).tap()
    await expect(toast(page, 'Item added to cart')).toBeVisible()
    product.stock = 0
    await page.reload()
    await expect(page.getByText('Out of Stock').first()).toBeInViewport()
    await expectSoldOut(page)
  })

  test('shows that it does not exist or could not be loaded, with a link back', async ({
    page,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 503/)
    const response = await page.goto(NO_PRODUCT)
    expect(response?.status()).toBe(404)
    await expect(page.getByText('Product not found')).toBeVisible()
    for (const reply of [{ status: 503, json: { code: 'UNAVAILABLE' } }, { json: null }]) {
      await page.route('**/api/products/*', route => route.fulfill(reply))
      await page.reload()
      await expect(page.getByText('Failed to load product details')).toBeVisible()
    }
    await page.getByRole('main').getByRole('link', { name: 'Back to Products' }).tap()
    await expect(page).toHaveURL(paths.products)
  })

  test('another unknown path shows the not-found page with a link to the home page', async ({
    page
  }) => {
    for (const path of ['/products/a/b/c', '/%F0%9F%8D%AC', '/blogs/no-such-post']) {
      expect((await page.goto(path))?.status(), path).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('404')
      await expect(page.getByText('Oops! Page not found')).toBeVisible()
    }
    await page.getByRole('main').locator(`a[href="${paths.home}"]`).tap()
    await expect(page).toHaveURL(paths.home)
  })
})

const quantity = (page: Page) => page.getByRole('spinbutton')
const plus = (page: Page) => page.getByRole('button', { name: /increase/i })
const minus = (page: Page) => page.getByRole('button', { name: /decrease/i })

async function expectSoldOut(page: Page) {
  await expect(page.getByText('Out of Stock').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Out of Stock' })).toBeDisabled()
  for (const control of [quantity(page), plus(page), minus(page)])
    await expect(control).toBeDisabled()
}

test.describe('Delivery', () => {
  test.use({
    ...phone,
    allowedErrors: async ({}, use) => use([/status of 40[49]/, /ERR_INTERNET_DISCONNECTED/])
  })

  test('a pincode is answered by keyboard, remembered, and kept without a connection', async ({
    page,
    context
  }) => {
    await page.goto(paths.product('sambar-powder'))
    const field = page.getByLabel('Pincode')
    const answer = page.locator('pincode-box').getByRole('status')
    await field.fill('100 001')
    await expect(page.getByRole('button', { name: 'Check delivery' })).toBeEnabled()
    await field.press('Enter')
    await expect(answer).toHaveText('There is no such pincode. Please check it.')
    await context.setOffline(true)
    await field.fill('620018')
    await field.press('Enter')
    await expect(answer).toContainText('We cannot reach the shop.')
    await context.setOffline(false)
    await expect(field).toHaveValue('620018')
    await field.press('Enter')
    await expect(answer).toContainText('Delivers to 620018 Thillai Nagar from')
    const change = page.getByRole('button', { name: 'Change' })
    await expect(change).toBeFocused()
    await expectAccessible(page, 'answered')
    await change.press('Enter')
    await expect(field).toBeFocused()
    await page.goto(paths.products)
    await page.getByRole('button', { name: 'Deliver to 620018' }).tap()
    await expect(answer).toContainText('Delivers to 620018 Thillai Nagar from')
    await expect(change, 'a remembered pincode takes no focus').not.toBeFocused()
  })
})
