import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import type { Shopper } from '../support/browser-accounts.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { addOrder, shopData } from '../support/browser-data.ts'
import { INPUT_METHODS, tabTo } from '../support/browser-input.ts'
import { desktop, expect, phone, test as base } from '../support/browser.ts'

interface OrderFixtures {
  orders: { shopper: Shopper; numbers: [string, string] }
  open(): Promise<void>
}

const test = base.extend<OrderFixtures>({
  orders: async ({ accounts }, use) => {
    const shopper = await accounts.add({ name: 'Anita Kumar' })
    const first = await addOrder(shopData(), shopper, '2030-01-07')
    const second = await addOrder(shopData(), shopper, '2030-01-08')
    await use({ shopper, numbers: [first.number, second.number] })
  },
  open: async ({ page, accounts, orders }, use) => {
    await accounts.logIn(page, await accounts.add({ name: 'Meena', staff: 'owner' }))
    await use(async () => {
      await page.goto(`${paths.adminOrders}?user=${orders.shopper.row.id}`)
      await expect(page.getByText('2 orders', { exact: true })).toBeVisible()
    })
  }
})

const undo = (page: Page) => page.getByRole('button', { name: /^Undo/ })
const row = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })

test.describe('Admin: orders on a phone', () => {
  test.use(phone)

  test('can be opened, printed as packing list, label and invoice, and cancelled with a reason and the password', async ({
    page,
    orders,
    open
  }) => {
    const [number] = orders.numbers
    await open()
    await page.getByLabel(`Select order ${number}`).check()
    await expect(page.getByText('1 order selected')).toBeVisible()
    await expectAccessible(page, 'list')
    await page.getByRole('link', { name: number }).click()
    await expect(page.getByRole('heading', { name: `Order ${number}` })).toBeFocused()
    await page.getByText('History').click()
    await expect(page.getByText('No changes yet.')).toBeVisible()
    await expectAccessible(page, 'order')
    await page.getByRole('link', { name: 'Packing list' }).click()
    await expect(page.getByRole('heading', { name: 'Totals for all orders' })).toBeVisible()
    await expectAccessible(page, 'packing list')
    await page.goBack()
    await page.getByRole('link', { name: 'Label' }).click()
    await expect(page.getByText('From Palagaram')).toBeVisible()
    await expectAccessible(page, 'label')
    await page.goBack()
    await page.getByRole('link', { name: 'Invoice' }).click()
    await expect(page.getByRole('article', { name: 'Tax invoice' })).toBeVisible()
    await page.goBack()
    await page
      .getByRole('button', { name: new RegExp(`^Cancel and refund ₹.*: order ${number}$`) })
      .click()
    const dialog = page.getByRole('dialog', { name: `Cancel order ${number}?` })
    await dialog.getByRole('button', { name: /^Cancel and refund/ }).click()
    await expect(dialog.getByText('Please enter a reason for the customer')).toBeVisible()
    await expectAccessible(page, 'dialog')
    await dialog.getByLabel('Reason (the customer gets it by email)').fill('The ghee did not come.')
    await dialog.getByLabel('Current password', { exact: true }).fill('kesari-47-bowls')
    await dialog.getByRole('button', { name: /^Cancel and refund/ }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  })
})

test.describe('Admin: orders', () => {
  test.use(desktop)

  test('by keyboard, can be searched, opened and updated, also several at once', async ({
    page,
    orders,
    open
  }) => {
    const { click, fill } = INPUT_METHODS.keyboard
    const [first, second] = orders.numbers
    await open()
    await fill(page.getByRole('searchbox', { name: 'Search orders' }), first)
    await expect(page.getByText('1 order', { exact: true })).toBeVisible()
    await click(page.getByRole('link', { name: first }))
    await expect(page.getByRole('heading', { name: `Order ${first}` })).toBeFocused()
    await click(page.getByRole('button', { name: `Mark as packed: order ${first}` }))
    await expect(
      page.getByRole('button', { name: `Mark as delivered: order ${first}` })
    ).toBeVisible()
    await click(undo(page))
    await expect(page.getByRole('button', { name: `Mark as packed: order ${first}` })).toBeVisible()
    await click(page.getByRole('link', { name: '← All orders' }))
    await expect(page.getByRole('link', { name: first })).toBeFocused()
    await fill(page.getByRole('searchbox', { name: 'Search orders' }), 'laddu')
    await expect(page.getByText('2 orders', { exact: true })).toBeVisible()
    for (const number of [first, second]) {
      await tabTo(page.getByLabel(`Select order ${number}`))
      await page.keyboard.press('Space')
    }
    await click(page.getByRole('button', { name: 'Mark 2 as packed' }))
    for (const number of [first, second]) await expect(row(page, number)).toContainText('Packed')
  })

  test('refuse a status change if another tab has changed the status, and show the current one', async ({
    page,
    orders,
    open,
    allowedErrors
  }) => {
    allowedErrors.push(/409/)
    const [number] = orders.numbers
    await open()
    const other = await page.context().newPage()
    await other.goto(`${paths.adminOrders}?q=${number}`)
    for (const status of ['packed', 'delivered'])
      await other.getByRole('button', { name: `Mark as ${status}: order ${number}` }).click()
    await expect(row(other, number)).toContainText('Delivered')
    await page.getByRole('button', { name: `Mark as packed: order ${number}` }).click()
    await expect(page.getByText('changed this order to delivered')).toBeVisible()
    await expect(row(page, number)).toContainText('Delivered')
  })
})
