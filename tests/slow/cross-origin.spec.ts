import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { readConfig, ROOT } from '#server/config.ts'
import { SITE_KEY } from '#server/publishing/bucket.ts'
import { hashCode } from '#server/publishing/plan.ts'
import { compressFolder } from '#server/publishing/release/files.ts'
import { codeVersion } from '#server/publishing/site-code.ts'
import { Accounts, type Shopper } from '../support/browser-accounts.ts'
import { copyShop } from '../support/browser-data.ts'
import { CheckoutPage } from '../support/browser-checkout.ts'
import {
  addButton,
  cartBadge,
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
  removeFolder(join(dataDir, 'current'))
  await changeApiBase(dataDir, env)
  shop = await startShop({ port, dataDir, env })
  accounts = new Accounts(shop)
  shopper = await accounts.add()
  await accounts.saveAddress(shopper)
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

/** Changes the built code, because another build would take half a minute of CPU time. */
async function changeApiBase(dataDir: string, env: Record<string, string>): Promise<void> {
  const [built = ''] = readdirSync(join(dataDir, 'code'))
  const name = await hashCode({ config: readConfig(env), version: () => codeVersion(ROOT) })
  const code = join(dataDir, 'code', name)
  renameSync(join(dataDir, 'code', built), code)
  const scripts = ['client', 'server']
    .map(part => join(code, part))
    .flatMap(part =>
      readdirSync(part, { recursive: true, encoding: 'utf8' }).map(file => join(part, file))
    )
    .filter(file => /\.m?js$/.test(file))
  const changed = scripts.filter(file => readFileSync(file, 'utf8').includes('"/api"'))
  for (const file of changed) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll('"/api"', JSON.stringify(env['PUBLIC_API_BASE'])))
  }
  expect(changed.length, 'files that name the API').toBeGreaterThan(3)
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
      await expectPictureFromApi(page)
      await addButton(page).click()
      await logIn(page)
      await page.goto(`${host.url}/my-orders`)
      await expect(page).toHaveURL(`${host.url}${paths.orders}`)
      await page.goto(`${host.url}${paths.cart}`)
      const checkout = new CheckoutPage(page, accounts)
      await checkout.waitUntilReady()
      await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
      await checkout.pay()
      await page.goto(`${host.url}${paths.orders}`)
      await expect(page.getByRole('main')).toContainText('Mysore Pak')
      await expectKnownBrowser(page)
    })
  })

  test.describe('the host’s policies', () => {
    test.use({
      ...phone,
      allowedErrors: async ({}, use) => use([/^request to another host/, /status of 404/])
    })

    test('allow the 404 page of each folder its style and scripts', async ({ page }) => {
      for (const parent of ['', '/products', '/blogs', '/collections', '/orders', '/admin']) {
        const response = await page.goto(`${host.url}${parent}/unknown`)
        expect(response?.status(), parent).toBe(404)
        const name = parent === paths.products ? MESSAGES.productNotFound : '404'
        await expect(page.getByRole('heading', { level: 1, name }), parent).toBeVisible()
        await expectStyleAndScripts(page)
      }
    })

    test('allow a product that is newer than its build', async ({ page }) => {
      rmSync(join(folder, `${MYSORE_PAK}.html`))
      expect((await page.goto(`${host.url}${MYSORE_PAK}`))?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1, name: 'Mysore Pak' })).toBeVisible()
      await expectPictureFromApi(page)
      await addButton(page).click()
      await expect(cartBadge(page)).toHaveText('1')
      await expectStyleAndScripts(page)
    })

    test('allow each page its own sources', async ({ page }) => {
      await page.route(/openstreetmap\.org/, route =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Map</title>' })
      )
      for (const path of [paths.home, paths.products, paths.blogs, paths.cart, paths.login]) {
        await page.goto(`${host.url}${path}`)
        await expectStyleAndScripts(page)
      }
      await page.goto(`${host.url}${paths.contact}`)
      const map = page.waitForResponse(/openstreetmap\.org/)
      await page.locator('map-on-tap').getByRole('button').tap()
      expect((await map).ok()).toBe(true)
    })
  })
})

async function expectPictureFromApi(page: Page): Promise<void> {
  const picture = page.getByRole('main').getByRole('img').first()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain(
    `${shop.url}/assets/`
  )
}

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
