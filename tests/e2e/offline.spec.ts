import type { BrowserContext, Page } from 'playwright/test'
import { t } from '#lib/contract/texts.ts'
import { localPath, paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { addButton, cartBadge, MYSORE_PAK, waitForHydration } from '../support/browser-pages.ts'
import { expect, phone, test } from '../support/browser.ts'

test.use({ ...phone, serviceWorkers: 'allow', allowedErrors: [/net::ERR|status of (?:401|404)/] })

const PAK = 'mysore-pak'

/** Opens a product and waits until the worker has kept it and the main pages. */
async function install(page: Page, path = MYSORE_PAK) {
  await page.goto(path)
  const isKept = (paths: string[]) =>
    page.evaluate(async paths => {
      const kept = await Promise.all(paths.map(path => caches.match(path)))
      return kept.every(Boolean)
    }, paths)
  const cart = localPath(paths.cart, path.startsWith('/ta') ? 'ta' : 'en')
  // With all their files, which takes long while other tests run.
  await expect.poll(() => isKept([path, cart]), { timeout: 60_000 }).toBe(true)
}

const bar = (page: Page) => page.getByRole('status').filter({ hasText: /offline/ })

async function expectOffline(page: Page, context: BrowserContext) {
  await context.setOffline(true)
  await expect(bar(page)).toHaveText(/^You’re offline\. Prices as of \d+:\d\d/)
}

test.describe('Without a network', () => {
  test('a shopper looks at products that were seen, and fills the cart', async ({
    page,
    context,
    list
  }) => {
    await install(page)
    await expectOffline(page, context)
    await expectAccessible(page, 'offline')
    await addButton(page).tap()
    await expect(cartBadge(page)).toHaveText('1')
    await page.goto(paths.home)
    await expect(bar(page)).toHaveText(/Prices as of \d+:\d\d/)
    await list.open('dietary=vegan')
    await expect(bar(page)).toHaveText(/Prices as of \d+:\d\d/)
    await expect(page.getByText('Failed to fetch products')).toBeHidden()
    expect(await list.shownIds()).not.toEqual([])
    await page.goto(MYSORE_PAK)
    const picture = page.locator('product-gallery img').first()
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .not.toBe(0)
    for (const path of [paths.orders, paths.blogs, paths.admin, '/my-orders']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline')
    }
    await expectAccessible(page, 'offline page')
    await expect(bar(page)).toBeHidden()
    await context.setOffline(false)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('You’re offline')
    await context.setOffline(true)
    await page.goto(paths.orders)
    await page.getByRole('main').getByRole('link', { name: 'Your Cart' }).tap()
    await expect(bar(page)).toContainText('Your cart is kept; to pay you need a connection.')
    await expect(page.getByRole('main')).toContainText('Mysore Pak')
  })

  test('the checkout is filled in, refuses to pay and loses nothing', async ({
    page,
    context,
    checkout
  }) => {
    await install(page)
    await addButton(page).tap()
    await page.goto(paths.cart)
    await checkout.waitUntilReady()
    await context.setOffline(true)
    const typed = Object.entries({
      Email: 'anita@example.test',
      'Full name': 'Anita Kumar',
      Pincode: '620018',
      'Street and area': '12 Kolam Street',
      'City or town': 'Tiruchirappalli'
    })
    for (const [label, text] of typed) await checkout.field(label).fill(text)
    await page.reload()
    await checkout.waitUntilReady()
    for (const [label, text] of typed) await expect(checkout.field(label)).toHaveValue(text)
    await checkout.payNow()
    await expect(page.getByRole('main')).toContainText(/No connection|We cannot reach the shop/)
    await expect(checkout.field('Full name')).toHaveValue('Anita Kumar')
    expect(await checkout.storedCart()).toMatchObject([{ _id: PAK }])
    await context.setOffline(false)
    await expect(bar(page)).toBeHidden()
  })

  test('the shop speaks Tamil', async ({ page, context }) => {
    await install(page, `/ta${MYSORE_PAK}`)
    await context.setOffline(true)
    const text = page.getByRole('status').filter({ hasText: 'இணைய இணைப்பு இல்லை' })
    await expect(text).toHaveText(/விலைகள் .*\d+:\d\d நிலவரப்படி/)
    await page.goto('/ta/orders')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('இணைய இணைப்பு இல்லை')
    await page.goto('/ta/cart')
    await waitForHydration(page)
    await expect(text).toContainText('உங்கள் கூடை அப்படியே இருக்கிறது')
  })
})

test('Prices are corrected when the connection is back', async ({ page, context }) => {
  await install(page)
  await page.route('**/api/catalog/live*', route =>
    route.fulfill({ json: { products: [{ id: PAK, price: 999, stock: 'in' }] } })
  )
  await expectOffline(page, context)
  await context.setOffline(false)
  await expect(page.locator('[data-live=price]').first()).toHaveText('₹999.00')
  await expect(bar(page)).toBeHidden()
})

test('Prices are as old as the last check, not as the page', async ({ page, context }) => {
  await install(page)
  await page.evaluate(async path => {
    const pages = await caches.open('pages')
    const kept = await pages.match(path)
    const headers = new Headers(kept?.headers)
    headers.set('date', new Date(Date.now() - 3 * 24 * 3600 * 1000).toUTCString())
    await pages.put(path, new Response(await kept?.text(), { headers }))
  }, MYSORE_PAK)
  const check = page.waitForResponse('**/api/catalog/live*')
  await page.goto(MYSORE_PAK)
  await (await check).finished()
  await expectOffline(page, context)
  await page.reload()
  await expect(bar(page)).toHaveText(/Prices as of \w+, \d+ \w+, \d+:\d\d/)
})

test('The kept page of a deleted product asks the server once', async ({ page }) => {
  await install(page)
  await page.route('**/api/catalog/live*', route => route.fulfill({ json: { products: [] } }))
  const loads: string[] = []
  await page.exposeFunction('addLoad', (type: string) => void loads.push(type))
  await page.addInitScript(`addLoad(performance.getEntriesByType('navigation')[0].type)`)
  const isLive = page.waitForResponse('**/api/catalog/live*')
  await page.goto(MYSORE_PAK)
  await isLive
  await page.waitForResponse('**/api/catalog/live*')
  expect(loads).toEqual(['navigate', 'reload'])
})

test('A shop that can’t be reached is shown as one without a network', async ({ page }) => {
  await install(page)
  await page.route('**/api/**', route => route.abort())
  await page.goto(MYSORE_PAK)
  await expect(bar(page)).toHaveText(/Prices as of \d+:\d\d/)
})

test('Nothing personal is left after logging out', async ({ page, shopper, checkout }) => {
  await install(page)
  await checkout.openLoggedIn(shopper)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  for (const path of [paths.profile, paths.orders]) {
    await page.goto(path)
    await waitForHydration(page)
  }
  await page.goto(paths.home)
  await page.locator('side-menu a[aria-haspopup]').tap()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('Logout') })
    .tap()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  const kept = await page.evaluate(async () => {
    const stored = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        stored.push(`${request.url} ${await (await cache.match(request))?.text()}`)
    }
    return stored
  })
  expect(kept.length).toBeGreaterThan(20)
  for (const secret of [shopper.email, shopper.name, '9876543210', token])
    expect(kept.filter(text => text.includes(secret))).toEqual([])
  expect(kept.filter(text => /^\S+\/(?:api|orders|my-profile|admin)\b/.test(text))).toEqual([])
})

test('The shop and its administration can be installed', async ({ request }) => {
  for (const [path, start, names] of [
    [paths.home, '/', ['My Orders', 'Your Cart']],
    [`/ta${paths.products}`, '/ta', ['என் ஆர்டர்கள்', 'உங்கள் கூடை']],
    [paths.admin, '/admin', ['Orders', 'Kitchen']]
  ] as const) {
    const html = await (await request.get(path)).text()
    const reply = await request.get(/rel="manifest" href="([^"]*)"/.exec(html)?.[1] ?? '')
    expect(reply.headers()['content-type']).toBe('application/manifest+json')
    const manifest = (await reply.json()) as {
      short_name: string
      shortcuts: { name: string; url: string }[]
      icons: { src: string }[]
    }
    expect(manifest).toMatchObject({ start_url: start, scope: '/', display: 'standalone' })
    expect(manifest.short_name.length).toBeLessThanOrEqual(12)
    expect(manifest.shortcuts.map(({ name }) => name)).toEqual(names)
    for (const { src } of manifest.icons) expect((await request.get(src)).ok(), src).toBe(true)
    for (const { url } of manifest.shortcuts) expect((await request.get(url)).ok(), url).toBe(true)
  }
})
