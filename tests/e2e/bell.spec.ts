import { createECDH, randomBytes } from 'node:crypto'
import type { BrowserContext, Page, Worker } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { expect, phone, test } from '../support/browser.ts'
import { findWholeChromium } from '../support/chromium.ts'

const executablePath = findWholeChromium()

test.use({
  ...phone,
  serviceWorkers: 'allow',
  launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox'] }
})
test.skip(executablePath === undefined, 'Needs a whole Chromium')

const card = (page: Page) => page.getByRole('region', { name: 'Notifications on this device' })

const allow = (context: BrowserContext, origin: string) =>
  context.grantPermissions(['notifications'], { origin })

/** A test browser has no push service. */
async function replaceSubscription(context: BrowserContext) {
  const endpoint = 'https://fcm.googleapis.com/fcm/send/test'
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url')
  const keys = { p256dh, auth: randomBytes(16).toString('base64url') }
  await context.addInitScript(json => {
    PushManager.prototype.subscribe = async () =>
      ({ toJSON: () => JSON.parse(json) as object }) as never
  }, JSON.stringify({ endpoint, keys }))
}

/** Delivers a push message to the service worker, as DevTools does. */
async function deliver(page: Page, data: string) {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>(resolve =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  )
  await session.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  const registrationId = await registered
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

const listNotifications = (page: Page) =>
  page.evaluate(async () => {
    const { getNotifications } = await navigator.serviceWorker.ready.then(worker => ({
      getNotifications: () => worker.getNotifications()
    }))
    return (await getNotifications()).map(({ title, tag, data }) => ({
      title,
      tag,
      data: String(data)
    }))
  })

/** Browsers open and focus windows only for real clicks, so this returns what the worker asks for. */
function click(worker: Worker, path: string) {
  return worker.evaluate(async data => {
    const asked: string[] = []
    const scope = globalThis as unknown as {
      clients: { openWindow: (url: string) => Promise<void> }
      WindowClient: { prototype: { focus: (this: { url: string }) => Promise<void> } }
    }
    scope.clients.openWindow = async url => void asked.push(`open ${url}`)
    scope.WindowClient.prototype.focus = async function () {
      asked.push(`focus ${this.url}`)
    }
    const ended: Promise<unknown>[] = []
    const facts = {
      notification: { data, close: () => undefined },
      waitUntil: (work: Promise<unknown>) => ended.push(work)
    }
    dispatchEvent(Object.assign(new Event('notificationclick'), facts))
    await Promise.all(ended)
    return asked
  }, path)
}

test('The owner turns the bell on, chooses what it rings for, and turns it off', async ({
  accounts,
  page,
  context,
  shop
}) => {
  await allow(context, shop.url)
  await replaceSubscription(context)
  const owner = await accounts.add({ name: 'Meena', staff: 'owner' })
  await accounts.logIn(page, owner)
  await page.goto(paths.admin)
  await card(page).getByRole('button', { name: 'Turn on' }).tap()
  const stock = card(page).getByRole('checkbox', { name: 'Products that run low' })
  await expect(stock).toBeChecked()
  await stock.click()
  await expect(stock).not.toBeChecked()
  await expectAccessible(page, 'bell')
  // With another session, as after a change of the password, the browser saves the device again.
  await accounts.logIn(page, owner)
  await page.goto(paths.admin)
  await expect(stock).not.toBeChecked()
  await card(page).getByRole('button', { name: 'Ring now' }).tap()
  await expect(card(page).getByRole('status')).toContainText('in a few seconds')
  await card(page).getByRole('button', { name: 'Turn off' }).tap()
  await expect(card(page).getByRole('button', { name: 'Turn on' })).toBeVisible()
})

test('A push message becomes a notification, which opens the order', async ({
  admin,
  page,
  context,
  shop
}) => {
  await allow(context, shop.url)
  await admin.open(paths.admin)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await deliver(
    page,
    JSON.stringify({ title: 'Order P-1: ₹640.00', path: '/admin/orders?order=1', tag: 'order-1' })
  )
  await expect
    .poll(() => listNotifications(page))
    .toEqual([{ title: 'Order P-1: ₹640.00', tag: 'order-1', data: '/admin/orders?order=1' }])
  await deliver(page, 'unreadable')
  await expect.poll(() => listNotifications(page)).toHaveLength(2)
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('There is no service worker')
  const { origin } = new URL(page.url())
  const order = '/admin/orders?order=1'
  expect(await click(worker, order)).toEqual([`open ${origin}${order}`])
  expect(await click(worker, 'https://evil.example/x')).toEqual([`focus ${origin}/admin`])
})

test('Without permission, the dashboard says that the browser blocks notifications', async ({
  admin,
  page
}) => {
  await page.addInitScript(() => {
    let permission: NotificationPermission = 'default'
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => (permission = 'denied')
  })
  await admin.open(paths.admin)
  await card(page).getByRole('button', { name: 'Turn on' }).tap()
  await expect(card(page)).toContainText('Your browser blocks the shop’s notifications.')
  await expect(card(page).getByRole('button', { name: 'Turn on' })).toHaveCount(0)
})
