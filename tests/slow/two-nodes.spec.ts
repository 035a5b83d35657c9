import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { paths } from '#lib/paths.ts'
import { startProvider } from '../faults/rounds/provider.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { copyShop } from '../support/browser-data.ts'
import { addButton, userMenu } from '../support/browser-pages.ts'
import { desktop, expect, test } from '../support/browser.ts'
import { openTestPostgres } from '../support/postgres.ts'
import { databaseUrl, runStatement } from '../support/prepare-database.ts'
import { balancedSite, hasCaddy, startCaddy } from '../support/proxies.ts'
import {
  freePort,
  removeFolder,
  startShop,
  temporaryFolder,
  type RunningShop
} from '../support/server.ts'

test.use(desktop)

async function startNodes() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'store'))
  const { postgres, stop } = await openTestPostgres()
  const name = `nodes_${randomUUID().replaceAll('-', '')}`
  await runStatement(postgres.url, `create database ${name} encoding 'UTF8' template template0`)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const webhookUrl = `${url}/api/payments/razorpay-webhook`
  const provider = await startProvider({ folder, webhookUrl })
  const settings = {
    ...provider.settings,
    DATABASE_URL: databaseUrl(postgres.url, name),
    STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
    SHOP_SECRET: 'a secret that both nodes of the journey have',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'debug'
  }
  const nodes: RunningShop[] = []
  // The first one fills database and store, from which visitors get pictures and pages.
  for (const [node, parts, path] of [
    ['first', ['assets', 'code'], '/'],
    ['second', ['code'], '/api/health']
  ] as const) {
    const dataDir = join(folder, node)
    for (const part of parts) copyShop(part, dataDir)
    nodes.push(await startShop({ dataDir, path, env: settings }))
  }
  const hosts = nodes.map(node => new URL(node.url).host)
  const stopCaddy = await startCaddy(await balancedSite(port, hosts, join(folder, 'store')))
  await expect
    .poll(() =>
      Promise.all([fetch(`${url}/api/health`), fetch(`${url}${paths.cart}`)]).then(
        replies => replies.every(({ ok }) => ok),
        () => false
      )
    )
    .toBe(true)
  return {
    url,
    logs: () => nodes.map(node => node.output()),
    async close(): Promise<void> {
      await stopCaddy()
      await Promise.all(nodes.map(node => node.stop()))
      await provider.stop()
      await runStatement(postgres.url, `drop database ${name} with (force)`)
      await stop()
      removeFolder(folder)
    }
  }
}

test('a shopper logs in, pays and sees the order while requests go to two nodes in turn', async ({
  page,
  login,
  checkout
}) => {
  test.skip(!hasCaddy, 'Caddy is not installed')
  test.setTimeout(300_000)
  const { url, logs, close } = await startNodes()
  try {
    const account = { email: newEmail(), password: 'kesari-47-bowls', displayName: 'Anita Kumar' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers,
      body: JSON.stringify(account)
    })
    await page.goto(
      `${url}${paths.login}?return=${encodeURIComponent(paths.product('sambar-powder'))}`
    )
    await login.logIn(account)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    await addButton(page).click()
    await page.goto(`${url}${paths.cart}`)
    await checkout.waitUntilReady()
    await checkout.fill(account.email)
    await checkout.pay()
    await page.goto(`${url}${paths.orders}`)
    await expect(page.getByRole('main')).toContainText('Sambar Powder')
    for (const log of logs()) expect(log).toMatch(/"path":"\/api\/(auth|cart|orders|payments)/)
    // The page may still be sending the cart.
    await page.goto('about:blank')
  } finally {
    await close()
  }
})
