import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { readConfig, ROOT } from '#server/config.ts'
import { SITE_KEY } from '#server/publishing/bucket.ts'
import { hashCode } from '#server/publishing/plan.ts'
import { compressFolder } from '#server/publishing/release/files.ts'
import { codeVersion } from '#server/publishing/site-code.ts'
import { Accounts, type Shopper } from '../support/browser-accounts.ts'
import { ADDRESS, copyShop, shopData } from '../support/browser-data.ts'
import { CheckoutPage } from '../support/browser-checkout.ts'
import {
  LoginPage,
  MYSORE_PAK,
  toast,
  userMenu,
  waitForHydration
} from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'
import {
  freePort,
  removeFolder,
  startShop,
  temporaryFolder,
  type RunningShop
} from '../support/server.ts'
import { startStaticHost, type StaticHost } from '../support/static-host.ts'

const IN_APP_BROWSER =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36 Instagram 300.0'

let folder: string
let host: StaticHost
let shop: RunningShop
let accounts: Accounts
let shopper: Shopper

test.describe.configure({ mode: 'serial' })

/** The shop uploads its pages to a folder, which a static host serves on another origin. */
test.beforeAll(async () => {
  folder = temporaryFolder()
  host = await startStaticHost(folder)
  const port = await freePort()
  const env = {
    SITE_URL: host.url,
    PUBLIC_API_BASE: `http://127.0.0.1:${port}/api`,
    STORAGE_URL: `file://${folder}`
  }
  const dataDir = copyShop()
  await changeApiBase(dataDir, env)
  shop = await startShop({ port, dataDir, env })
  accounts = new Accounts(dataDir)
  shopper = await accounts.add()
  const state = join(folder, SITE_KEY)
  const isComplete = (): boolean =>
    existsSync(state) && readFileSync(state, 'utf8').includes('"createdAt"')
  await expect.poll(isComplete).toBe(true)
})

test.afterAll(async () => {
  await accounts.close()
  await shop.stop()
  host.stop()
  for (const used of [shop.dataDir, folder]) removeFolder(used)
})

/**
 * Changes the built code of the shared shop, because another build would take half a minute of CPU
 * time.
 */
async function changeApiBase(dataDir: string, env: Record<string, string>): Promise<void> {
  const [built = ''] = readdirSync(join(shopData(), 'code'))
  const name = await hashCode({ config: readConfig(env), version: () => codeVersion(ROOT) })
  const code = join(dataDir, 'code', name)
  mkdirSync(code, { recursive: true })
  cpSync(join(shopData(), 'code', built), code, { recursive: true })
  let changes = 0
  const files = ['client', 'server'].flatMap(folder =>
    readdirSync(join(code, folder), { recursive: true, encoding: 'utf8' }).map(name =>
      join(folder, name)
    )
  )
  for (const file of files.filter(name => /\.m?js$/.test(name))) {
    const text = readFileSync(join(code, file), 'utf8')
    if (!text.includes('"/api"')) continue
    writeFileSync(
      join(code, file),
      text.replaceAll('"/api"', JSON.stringify(env['PUBLIC_API_BASE']))
    )
    changes++
  }
  expect(changes, `files of ${basename(code)} that name the API`).toBeGreaterThan(3)
  await compressFolder(join(code, 'client'))
}

test.describe('With pages on another origin than the API', () => {
  // Loading a page ends the prefetches of the page before, also of the static host.
  test.use({ allowedErrors: [/^request to another host: http:\/\/localhost:/] })

  test.describe('on a computer', () => {
    test.use(desktop)

    test('shoppers browse, log in, fill the cart and pay', async ({ page }) => {
      await page.goto(`${host.url}${paths.products}/`)
      await expect(page).toHaveURL(`${host.url}${paths.products}`)
      await page.getByRole('main').getByRole('link', { name: 'Mysore Pak', exact: true }).click()
      await expect(page).toHaveURL(`${host.url}${MYSORE_PAK}`)
      const picture = page.getByRole('main').getByRole('img').first()
      expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain(
        `${shop.url}/assets/`
      )
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
      await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click()

      await logIn(page)
      await page.goto(`${host.url}/my-orders`)
      await expect(page).toHaveURL(`${host.url}${paths.orders}`)
      await saveProfile(page)
      const checkout = await openCart(page)
      await checkout.pay()
      await page.goto(`${host.url}${paths.orders}`)
      await expect(page.getByRole('main')).toContainText('Mysore Pak')
      await expectKnownBrowser(page)
    })
  })

  test.describe('in an in-app browser', () => {
    test.use({ ...phone, userAgent: IN_APP_BROWSER })

    test('shoppers return from the page of the payment provider to the site', async ({ page }) => {
      await page.goto(`${host.url}${MYSORE_PAK}`)
      await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click()
      await logIn(page)
      const checkout = await openCart(page)
      await checkout.payNow()
      await checkout.payInWindow()
      await page.waitForURL(`${host.url}${paths.cart}?order=*`)
      await checkout.expectPlaced()
    })
  })

  test.describe('on any address', () => {
    test.use(phone)

    test('the host’s policies allow the 404 page its style and scripts', async ({
      page,
      allowedErrors
    }) => {
      allowedErrors.push(/status of 404/)
      const folders = [
        '',
        '/products',
        '/blogs',
        '/collections',
        '/orders',
        '/admin',
        '/contact',
        '/cart',
        '/x/y'
      ]
      for (const path of folders.map(parent => `${parent}/unknown`)) {
        const response = await page.goto(`${host.url}${path}`)
        expect(response?.status(), path).toBe(404)
        const name = path.startsWith(paths.products) ? MESSAGES.productNotFound : '404'
        await expect(page.getByRole('heading', { level: 1, name }), path).toBeVisible()
        await expectStyleAndScripts(page)
      }
    })

    test('the host’s policies allow a product that is newer than its build', async ({
      page,
      allowedErrors
    }) => {
      allowedErrors.push(/status of 404/)
      rmSync(join(folder, `${MYSORE_PAK}.html`))
      const response = await page.goto(`${host.url}${MYSORE_PAK}`)
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1, name: 'Mysore Pak' })).toBeVisible()
      const picture = page.getByRole('main').getByRole('img').first()
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
      await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click()
      await expect(page.locator('cart-badge').first()).toHaveText('1')
      await expectStyleAndScripts(page)
    })

    test('the host’s policies allow each page its own sources', async ({ page }) => {
      await page.route(/openstreetmap\.org/, route =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Map</title>' })
      )
      const pages = [
        paths.home,
        paths.products,
        paths.blogs,
        paths.about,
        paths.privacy,
        paths.cart,
        paths.login
      ]
      for (const path of pages) {
        await page.goto(`${host.url}${path}`)
        await expectStyleAndScripts(page)
      }
      await page.goto(`${host.url}${paths.contact}`)
      const map = page.waitForResponse(/openstreetmap\.org/)
      await page.locator('map-on-tap').getByRole('button').tap()
      expect((await map).ok()).toBe(true)
      await expectStyleAndScripts(page)
    })
  })
})

async function expectStyleAndScripts(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 249, 240)')
  await expect(page.locator('header')).toHaveCSS('position', 'sticky')
  await page.waitForFunction(() => customElements.get('cart-badge'))
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${host.url}${paths.login}`)
  await waitForHydration(page)
  await new LoginPage(page).logIn(shopper)
  await expect(toast(page, 'Login successful')).toBeVisible()
  await page.waitForURL(`${host.url}/`)
}

/** Logs out and in again: the second login tells the API that this browser is a known one. */
async function expectKnownBrowser(page: Page): Promise<void> {
  await userMenu(page).click()
  await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click()
  await expect(toast(page, 'Logged out')).toBeVisible()
  const login = page.waitForRequest(
    request => request.url().endsWith('/auth/login') && request.method() === 'POST'
  )
  await logIn(page)
  const sent = (await login).headers()['device-token']
  expect(sent).toMatch(/^[\w-]{22}\.\d{13}\.[0-9a-f]{64}$/)
}

async function openCart(page: Page): Promise<CheckoutPage> {
  await page.goto(`${host.url}${paths.cart}`)
  const checkout = new CheckoutPage(page, accounts, [])
  await checkout.waitUntilReady()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
  return checkout
}

async function saveProfile(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: shopper.name, phoneNumber: '9876543210', address: ADDRESS })
  await fetch(`${shop.url}/api/auth/profile`, { method: 'PUT', headers, body })
}
