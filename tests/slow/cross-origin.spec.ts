import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { readConfig, ROOT } from '#server/config.ts'
import { SITE_KEY } from '#server/publishing/bucket.ts'
import { hashCode } from '#server/publishing/plan.ts'
import { compressFolder } from '#server/publishing/release/files.ts'
import { contentType } from '#server/publishing/release/headers.ts'
import { codeVersion } from '#server/publishing/site-code.ts'
import { Accounts, type Shopper } from '../support/browser-accounts.ts'
import { copyShop } from '../support/browser-data.ts'
import { CheckoutPage } from '../support/browser-checkout.ts'
import { addButton, MYSORE_PAK, waitForHydration } from '../support/browser-pages.ts'
import { desktop, expect, test } from '../support/browser.ts'
import {
  freePort,
  removeFolder,
  startShop,
  temporaryFolder,
  type RunningShop
} from '../support/server.ts'

let folder: string
let host: Awaited<ReturnType<typeof startStaticHost>>
let shop: RunningShop
let accounts: Accounts
let shopper: Shopper

/** The shop uploads its pages to a folder, which a static host serves on another origin. */
test.beforeAll(async () => {
  folder = temporaryFolder()
  host = await startStaticHost()
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
  const isComplete = () => existsSync(state) && readFileSync(state, 'utf8').includes('"createdAt"')
  await expect.poll(isComplete).toBe(true)
})

test.afterAll(async () => {
  await accounts.close()
  await shop.stop()
  host.stop()
  for (const used of [shop.dataDir, folder]) removeFolder(used)
})

/** Changes the built code, because another build would take half a minute of CPU time. */
async function changeApiBase(dataDir: string, env: Record<string, string>) {
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
  test.use({
    ...desktop,
    allowedErrors: [/^request to another host: http:\/\/localhost:|status of 404/]
  })

  test('shoppers browse, log in, fill the cart and pay', async ({ page, login }) => {
    await page.goto(`${host.url}${paths.products}`)
    await page.getByRole('main').getByRole('link', { name: 'Mysore Pak', exact: true }).click()
    await expect(page).toHaveURL(`${host.url}${MYSORE_PAK}`)
    await expectPictureFromApi(page)
    await addButton(page).click()
    await page.goto(`${host.url}${paths.login}`)
    await waitForHydration(page)
    await login.logIn(shopper)
    await page.waitForURL(`${host.url}/`)
    await page.goto(`${host.url}${paths.cart}`)
    const checkout = new CheckoutPage(page, accounts)
    await checkout.waitUntilReady()
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
    await checkout.pay()
    await page.goto(`${host.url}${paths.orders}`)
    await expect(page.getByRole('main')).toContainText('Mysore Pak')
  })
})

async function expectPictureFromApi(page: Page) {
  const picture = page.getByRole('main').getByRole('img').first()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain(
    `${shop.url}/assets/`
  )
}

/** Serves the folder with clean addresses. Policies and redirects have unit tests. */
async function startStaticHost() {
  const server = createServer(respond)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    }
  }
}

function respond({ url = '/' }: IncomingMessage, reply: ServerResponse) {
  const { pathname } = new URL(url, 'http://localhost')
  const names = pathname === '/' ? ['index.html'] : [`${pathname.slice(1)}.html`, pathname.slice(1)]
  const name = names.find(candidate => existsSync(join(folder, candidate))) ?? '404.html'
  reply
    .writeHead(name === '404.html' ? 404 : 200, { 'content-type': contentType(name) })
    .end(readFileSync(join(folder, name)))
}
