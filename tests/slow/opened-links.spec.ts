import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SECTION_NAMES } from '#lib/contract/names.ts'
import { invoicePath, paths, paymentPath, stockAlertPath, stopAlertsPath } from '#lib/paths.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/platform/db/connect.ts'
import { readSecret } from '#server/platform/process/secret.ts'
import { addOrder } from '../support/browser-data.ts'
import { desktop, expect, test } from '../support/browser.ts'
import { readTables } from '../support/safe-reads.ts'

const TABS = 8
/** Longer than what a page waits for before it sends something. */
const OPEN_TIME = 3500

// A visitor may not see each of these pages.
test.use({ ...desktop, allowedErrors: [/Failed to load resource/] })
test.describe.configure({ timeout: 400_000 })

test('Opening links and pages changes nothing, with scripts and with any login', async ({
  shop,
  accounts,
  shopper,
  products,
  context,
  page
}) => {
  const config = readConfig({ DATA_DIR: shop.dataDir })
  const { id: user_id } = shopper.row
  const { id } = await addOrder(accounts, shopper)
  const soldOut = products.find(({ stock }) => stock === 0)?.id ?? ''
  const alert = { id, product_id: soldOut, user_id, asked_at: new Date().toISOString() }
  await accounts.write(trx => trx.insertInto('stock_alerts').values(alert).execute())
  const secret = await readSecret(config, 'codes')
  const mac = createHmac('sha256', secret).update(`stock alerts|${user_id}`).digest('hex')
  const invited = await fetch(`${shop.url}/api/admin/invitations`, {
    method: 'POST',
    headers: { ...(await accounts.adminHeaders()), 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'helper@example.test', staff: 'kitchen' })
  })
  const { link } = (await invited.json()) as { link: string }
  const pages = Object.values(paths).filter(path => typeof path === 'string')
  const links = [
    ...pages,
    paths.product('mysore-pak'),
    link.slice(link.indexOf(paths.login)),
    stopAlertsPath(`${user_id}.${mac}`),
    `/api/stock-alerts/stop?token=${user_id}.${mac}`,
    stockAlertPath(soldOut),
    paymentPath(id),
    invoicePath(id),
    `${paths.products}?q=no+such+thing`,
    `${paths.login}?return=/cart&code=123456`,
    `${paths.adminOrders}?order=${id}`,
    ...SECTION_NAMES.map(section => `${paths.adminSettings}?section=${section}`)
  ]
  const { kysely, close } = connect(config)
  const openAll = async (opened: readonly string[]) => {
    const before = await readTables(kysely)
    for (let at = 0; at < opened.length; at += TABS) {
      const tabs = opened.slice(at, at + TABS).map(async path => {
        const tab = await context.newPage()
        await tab.goto(path, { waitUntil: 'networkidle' })
        await wait(OPEN_TIME)
        await tab.close()
      })
      await Promise.all(tabs)
    }
    expect(await readTables(kysely)).toEqual(before)
  }
  const forStaff = links.filter(path => path.startsWith(paths.admin))
  const forAll = links.filter(path => !forStaff.includes(path))
  await openAll(forAll)
  await accounts.logIn(page, shopper)
  await openAll(forAll)
  await accounts.logIn(page, await accounts.add({ staff: 'owner' }))
  await openAll(forStaff)
  await close()
})
