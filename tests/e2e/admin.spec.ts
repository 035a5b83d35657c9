import { randomInt } from 'node:crypto'
import { list } from 'tar'
import { paths } from '#lib/paths.ts'
import { addDays } from '#lib/time.ts'
import { type Accounts, newEmail, type Shopper } from '../support/browser-accounts.ts'
import type { AdminPages } from '../support/browser-admin.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { addOrder } from '../support/browser-data.ts'
import { press, tabTo, typeInto } from '../support/browser-input.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

test.use(phone)

test.describe('Admin', () => {
  test('the dashboard shows orders to pack and sales, and downloads a backup', async ({
    admin,
    page,
    accounts,
    shopper
  }) => {
    await addOrder(accounts, shopper)
    await admin.open(paths.admin)
    await expect(
      page.getByRole('link', { name: /orders? to pack, for delivery until/ })
    ).toBeVisible()
    await expect(page.locator('canvas')).toBeVisible()
    await expect(page.getByText(/^Test mode · .* of 10 done$/)).toBeVisible()
    await expect(page.getByRole('table', { name: 'Sales by day' }).getByRole('row')).toHaveCount(31)
    for (const [tile, path] of Object.entries({
      Products: paths.adminProducts,
      Orders: paths.adminOrders,
      Users: paths.adminUsers,
      'Flash deals': paths.adminDeals
    }))
      await expect(
        page.getByRole('main').getByRole('link', { name: new RegExp(`^${tile} ?\\d`) })
      ).toHaveAttribute('href', path)

    const backup = page.getByRole('region', { name: 'Backup' })
    const downloading = page.waitForEvent('download')
    await backup.getByRole('button', { name: 'Download backup' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^palagaram-.*\.tar\.gz$/)
    await expect(backup.getByRole('status')).toContainText(/^Backup downloaded \(/)
    await expect(backup).toContainText(/Last backup: .* (am|pm)/)
    const names: string[] = []
    await list({ file: await download.path(), onReadEntry: ({ path }) => void names.push(path) })
    expect(names).toContain('database/products.jsonl')

    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).tap()
    const menu = page.getByRole('dialog').getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('link', { name: 'Dashboard', exact: true })).toHaveAttribute(
      'aria-current',
      'page'
    )
    await expectAccessible(page, 'open menu')
    await menu.getByRole('link', { name: 'Products', exact: true }).tap()
    await page.waitForURL(`**${paths.adminProducts}`)
  })

  test('a user can be found, and a helper invited who logs in with the link', async ({
    admin,
    page,
    shopper
  }) => {
    await admin.open(`${paths.adminUsers}?q=${shopper.email}`)
    await page.getByRole('link', { name: shopper.name }).click()
    await expect(page.getByRole('heading', { name: shopper.name })).toBeFocused()
    await page.goto(paths.adminUsers)
    await page.getByRole('button', { name: 'Invite a helper' }).click()
    await expectAccessible(page, 'invitation')
    const email = newEmail()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    const message = await page.getByRole('link', { name: 'Send by WhatsApp' }).getAttribute('href')
    expect(message).toMatch(/^https:\/\/wa\.me\/\?text=.*invited%20you.*\(Kitchen\)/)
    expect(message).toContain(encodeURIComponent(link))
    await page.goto(paths.login + new URL(link).hash)
    await page.getByRole('button', { name: 'Log in' }).click()
    // Not `waitForURL`: the other account reloads the page, until its first page is opened.
    await expect(page).toHaveURL(paths.admin)
    await expect(page.getByRole('link', { name: /to pack/ })).toBeVisible()
  })

  test('the progress of publishing is shown on every page', async ({ admin, page }) => {
    await admin.open(paths.adminProducts)
    const statusLink = page.getByRole('main').getByRole('link', { name: /^Website: / })
    await expect(statusLink).toHaveText('Website: up to date', { timeout: 60_000 })
    await admin.price('Adhirasam').fill('245.50')
    await admin.price('Adhirasam').press('Enter')
    await expect(statusLink).toHaveText('Website: updating…')
    await expect(statusLink).toHaveText('Website: up to date', { timeout: 60_000 })
    await expect(page.getByRole('status').filter({ hasText: 'Website: up to date' })).toHaveCount(1)
    await statusLink.click()
    await expect(page.getByText('All your changes are live.')).toBeVisible()
  })
})

test.describe('Admin: orders on a phone', () => {
  test.use(phone)

  test('can be opened, printed as packing list, label and invoice, and cancelled with a reason and the password', async ({
    admin,
    page,
    accounts,
    shopper
  }) => {
    const [number = ''] = await openOrders(admin, accounts, shopper)
    await page.getByLabel(`Select order ${number}`).check()
    await expect(page.getByText('1 order selected')).toBeVisible()
    await expectAccessible(page, 'list')
    await page.getByRole('link', { name: number }).click()
    await expect(page.getByRole('heading', { name: `Order ${number}` })).toBeFocused()
    await page.getByText('History').click()
    await expectAccessible(page, 'order')
    for (const [link, content] of [
      ['Packing list', page.getByRole('heading', { name: 'Totals for all orders' })],
      ['Label', page.getByText('From Palagaram')],
      ['Invoice', page.getByRole('article', { name: 'Tax invoice' })]
    ] as const) {
      await page.getByRole('link', { name: link }).click()
      await expect(content).toBeVisible()
      await expectAccessible(page, link)
      await page.goBack()
    }
    const send = page.getByRole('button', { name: 'Send by WhatsApp' })
    await send.click()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect(send).toBeFocused()
    const cancel = /^Cancel and refund ₹/
    await page.getByRole('button', { name: cancel }).click()
    const dialog = page.getByRole('dialog', { name: `Cancel order ${number}?` })
    await dialog.getByRole('button', { name: cancel }).click()
    await expect(dialog.getByText('Please enter a reason for the customer')).toBeVisible()
    await expectAccessible(page, 'dialog')
    await dialog.getByLabel('Reason (the customer gets it by email)').fill('The ghee did not come.')
    await dialog.getByLabel('Current password', { exact: true }).fill(shopper.password)
    await dialog.getByRole('button', { name: cancel }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  })
})

test.describe('Admin: orders', () => {
  test.use(desktop)

  test('by keyboard, can be searched, opened and updated, also several at once', async ({
    admin,
    page,
    accounts,
    shopper
  }) => {
    const numbers = await openOrders(admin, accounts, shopper)
    const [first = ''] = numbers
    await typeInto(page.getByRole('searchbox', { name: 'Search orders' }), first)
    await expect(page.getByText('1 order', { exact: true })).toBeVisible()
    await press(page.getByRole('link', { name: first }))
    await expect(page.getByRole('heading', { name: `Order ${first}` })).toBeFocused()
    await press(page.getByRole('button', { name: `Mark as packed: order ${first}` }))
    await expect(
      page.getByRole('button', { name: `Mark as delivered: order ${first}` })
    ).toBeVisible()
    await press(page.getByRole('button', { name: /^Undo/ }))
    await expect(page.getByRole('button', { name: `Mark as packed: order ${first}` })).toBeVisible()
    await press(page.getByRole('link', { name: '← All orders' }))
    await expect(page.getByRole('link', { name: first })).toBeFocused()
    await typeInto(page.getByRole('searchbox', { name: 'Search orders' }), 'laddu')
    await expect(page.getByText('2 orders', { exact: true })).toBeVisible()
    for (const number of numbers) {
      await tabTo(page.getByLabel(`Select order ${number}`))
      await page.keyboard.press('Space')
    }
    await press(page.getByRole('button', { name: 'Mark 2 as packed' }))
    for (const number of numbers)
      await expect(page.getByRole('row').filter({ hasText: number })).toContainText('Packed')
  })
})

const ORDERS = 10
/** Sizes of pages in points: 210 × 297 mm, and at least 100 × 70 mm. */
const A4 = /MediaBox\s*\[0 0 59[45]\S* 84[12]\S*\]/g
const LABEL = /MediaBox\s*\[0 0 283\.[5-9]\S* 198\.[5-9]\S*\]/g

test('The kitchen keeps the ticks of a day, and prints its lists and labels', async ({
  page,
  accounts
}) => {
  // A day of its own, also when the test is repeated.
  const day = addDays('2031-01-01', randomInt(3000))
  const shopper = await accounts.add()
  for (let count = 0; count < ORDERS; count++) await addOrder(accounts, shopper, day)
  const facts = { allergens: 'Contains milk', nutrition: 'energy 480 kcal', shelfLifeDays: 15 }
  await accounts.changeProduct('boondi-laddu', facts)
  await accounts.logIn(page, await accounts.add({ name: 'Kumar', staff: 'kitchen' }))
  await page.goto(`${paths.adminKitchen}?date=${day}`)
  await expect(page.getByText(`0 of ${ORDERS} orders packed`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'To cook' })).toContainText('5 kg')
  await expectAccessible(page, 'day')

  await page.getByRole('checkbox').first().check()
  await expect(page.getByRole('button', { name: /^Mark as packed/ })).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('checkbox').first()).toBeChecked()

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('link', { name: 'Next day' })).toBeHidden()
  const lists = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(lists.match(A4)?.length).toBeGreaterThanOrEqual(3)
  await page.emulateMedia({ media: null })

  await page.goto(`${paths.adminKitchen}?date=${day}&view=labels`)
  await expect(page.getByText(`${ORDERS * 2} labels of 100 × 70 mm`)).toBeVisible()
  await expectAccessible(page, 'labels')
  const labels = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(labels.match(LABEL)).toHaveLength(ORDERS * 2)
})

const sectionPath = (section: string) => `${paths.adminSettings}?section=${section}`

test.describe('Admin: settings', () => {
  test('each kind of form is accessible', async ({ admin, page }) => {
    for (const section of ['shop', 'tax', 'delivery', 'calendar', 'mail', 'search', 'privacy']) {
      await admin.open(sectionPath(section))
      await expect(admin.button('Save settings')).toBeVisible()
      await expectAccessible(page, section)
    }
    await admin.open(sectionPath('home'))
    await page.getByText('Preview').click()
    await admin.button('Change picture').first().click()
    await expect(
      page.getByRole('dialog', { name: 'Choose a picture' }).getByRole('button')
    ).not.toHaveCount(1)
    await expectAccessible(page, 'pictures')
  })
})

test('All emails are shown in each language, light, dark and as text', async ({ admin, page }) => {
  await admin.open(paths.adminSettings)
  await page.getByRole('link', { name: 'See all emails' }).tap()
  await page.getByLabel('Email').selectOption({ index: 2 })
  const card = page.frameLocator('iframe').locator('.card')
  await expect(card).toContainText(/^\s*Vanakkam[^]*Your order is packed/)
  await expect(card).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expectAccessible(page, 'email')
  await page.getByLabel('Look').selectOption('Dark')
  await expect(card).toHaveCSS('background-color', 'rgb(42, 24, 16)')
  await page.getByLabel('Language').selectOption('தமிழ்')
  await expect(card).toContainText(/^\s*வணக்கம்[^]*பேக் ஆனது/)
  await expectAccessible(page, 'dark email')
  await page.getByLabel('Look').selectOption('Plain text')
  await expect(page.getByText(/^வணக்கம்[^]*http:/)).toBeVisible()
})

/** Opens the list of two new orders of this shopper, and returns their numbers. */
async function openOrders(admin: AdminPages, accounts: Accounts, shopper: Shopper) {
  const first = await addOrder(accounts, shopper, '2030-01-07')
  const second = await addOrder(accounts, shopper, '2030-01-08')
  await admin.open(`${paths.adminOrders}?user=${shopper.row.id}`)
  await expect(admin.page.getByText('2 orders', { exact: true })).toBeVisible()
  return [first.number, second.number]
}
