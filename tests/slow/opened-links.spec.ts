import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext } from 'playwright/test'
import { SECTION_NAMES } from '#lib/contract/names.ts'
import {
  INVOICE_PATH,
  invoicePath,
  MY_ORDERS_PATH,
  paths,
  paymentPath,
  stockAlertPath,
  stopAlertsPath
} from '#lib/paths.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/platform/db/connect.ts'
import { readSecret } from '#server/platform/process/secret.ts'
import type { Accounts } from '../support/browser-accounts.ts'
import { addOrder } from '../support/browser-data.ts'
import { desktop, expect, test } from '../support/browser.ts'
import { readTables } from '../support/safe-reads.ts'
import type { RunningShop } from '../support/server.ts'

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
  context,
  page
}) => {
  const links = await listLinks(shop, accounts, shopper)
  const owner = await accounts.add({ staff: 'owner' })
  const { kysely, close } = await openDatabase(shop)
  const listWaiting = () =>
    kysely.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()
  await expect.poll(listWaiting, 'mails are sent').toEqual([])
  const before = await readTables(kysely)
  const [forStaff, forAll] = [links.filter(isForStaff), links.filter(link => !isForStaff(link))]
  await openAll(context, forAll)
  expect(await readTables(kysely), 'as a visitor').toEqual(before)
  for (const account of [shopper, owner]) {
    await accounts.logIn(page, account)
    const withSession = await readTables(kysely)
    await openAll(context, account === owner ? forStaff : forAll)
    expect(await readTables(kysely), account.row.staff ?? 'customer').toEqual(withSession)
  }
  await close()
})

function isForStaff(link: string): boolean {
  return link.startsWith(paths.admin)
}

async function openDatabase({ dataDir }: RunningShop) {
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  return { kysely: database.kysely, close: () => database.close() }
}

async function listLinks(
  { url, dataDir }: RunningShop,
  accounts: Accounts,
  shopper: Awaited<ReturnType<Accounts['add']>>
): Promise<string[]> {
  const headers = { ...(await accounts.adminHeaders()), 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<Record<string, string>> =>
    (
      await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json() as Promise<Record<string, string>>
  const { id } = await addOrder(accounts, shopper)
  const { reference } = await post('/contact', {
    name: 'Ravi',
    email: 'ravi@example.com',
    message: 'Vanakkam'
  })
  const draft = { email: 'helper@example.test', staff: 'kitchen' }
  const { link = '' } = await post('/admin/invitations', draft)
  const secret = await readSecret(readConfig({ DATA_DIR: dataDir }), 'codes')
  const mac = createHmac('sha256', secret).update(`stock alerts|${shopper.row.id}`).digest('hex')
  const stopToken = `${shopper.row.id}.${mac}`
  const pages = Object.values(paths).filter(path => typeof path === 'string')
  return [
    ...pages,
    MY_ORDERS_PATH,
    INVOICE_PATH,
    paths.product('mysore-pak'),
    link.slice(link.indexOf('/login')),
    stopAlertsPath(stopToken),
    `/api/stock-alerts/stop?token=${stopToken}`,
    stockAlertPath('mysore-pak'),
    paymentPath(id),
    invoicePath(id),
    `${paths.adminOrders}?order=${id}`,
    `${paths.adminMessages}?q=${reference}`,
    `${paths.adminUsers}?user=${shopper.row.id}`,
    `${paths.products}?q=no+such+thing`,
    `${paths.login}?return=/cart&code=123456`,
    ...SECTION_NAMES.map(section => `${paths.adminSettings}?section=${section}`)
  ]
}

/** Some tabs at a time. */
async function openAll(context: BrowserContext, links: readonly string[]): Promise<void> {
  for (let at = 0; at < links.length; at += TABS) {
    await Promise.all(
      links.slice(at, at + TABS).map(async link => {
        const tab = await context.newPage()
        await tab.goto(link, { waitUntil: 'networkidle' })
        await wait(OPEN_TIME)
        await tab.close()
      })
    )
  }
}
