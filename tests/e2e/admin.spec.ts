import { randomUUID } from 'node:crypto'
import { list } from 'tar'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import type { Shopper } from '../support/browser-accounts.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { addOrder, shopData } from '../support/browser-data.ts'
import { expect, phone, test as base } from '../support/browser.ts'

const test = base.extend<{ anita: Shopper; number: string }>({
  anita: async ({ page, accounts }, use) => {
    await accounts.logIn(page, await accounts.add({ name: 'Meena', staff: 'owner' }))
    await use(await accounts.add({ name: 'Anita Kumar' }))
  },
  number: async ({ anita }, use) => use((await addOrder(shopData(), anita)).number)
})
test.use(phone)

test.describe('Admin', () => {
  test('the dashboard shows orders to pack and sales, and offers a backup', async ({
    page,
    number
  }) => {
    expect(number).toMatch(/^PG-/)
    await page.goto(paths.admin)
    await expect(
      page.getByRole('link', { name: /orders? to pack, for delivery until/ })
    ).toBeVisible()
    await expect(page.locator('canvas')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Warnings' })).toContainText(MESSAGES.testMode)
    await expect(page.getByRole('table', { name: 'Sales by day' }).getByRole('row')).toHaveCount(31)
    for (const tile of ['Products', 'Orders', 'Users', 'Flash deals'])
      await expect(
        page.getByRole('main').getByRole('link', { name: new RegExp(`^${tile} ?\\d`) })
      ).toBeVisible()

    const backup = page.getByRole('region', { name: 'Backup' })
    await expect(backup).toContainText(
      'One file with your orders, accounts and pictures. It holds customers’ personal data, so store it safely.'
    )
    const downloadEvent = page.waitForEvent('download')
    await backup.getByRole('button', { name: 'Download backup' }).focus()
    await page.keyboard.press('Enter')
    const download = await downloadEvent
    expect(download.suggestedFilename()).toMatch(/^palagaram-.*\.tar\.gz$/)
    await expect(backup.getByRole('status')).toContainText(/^Backup downloaded \(/)
    await expect(backup).toContainText(/Last backup: .* (am|pm)/)
    const names: string[] = []
    await list({ file: await download.path(), onReadEntry: ({ path }) => void names.push(path) })
    expect(names).toContain('database/products.jsonl')
    expect(names.filter(name => name.endsWith('.avif')).length).toBeGreaterThan(50)
    await expectAccessible(page, 'dashboard')

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

  test('a user can be found and made a manager, and the change can be undone', async ({
    page,
    anita,
    number
  }) => {
    await page.goto(`${paths.adminUsers}?q=${anita.email}`)
    await expect(page.getByText('1 user', { exact: true })).toBeVisible()
    await expectAccessible(page, 'list')
    await page.getByRole('link', { name: 'Anita Kumar' }).click()
    await expect(page.getByRole('heading', { name: 'Anita Kumar' })).toBeFocused()
    await page.getByRole('button', { name: 'Change role' }).click()
    await expectAccessible(page, 'dialog')
    await page.getByRole('radio', { name: /^Manager/ }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save role' }).click()
    await expect(page.getByRole('status').filter({ hasText: /^Manager$/ })).toBeVisible()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect(page.getByRole('status').filter({ hasText: /^Customer$/ })).toBeVisible()
    await page.getByRole('link', { name: '1 order' }).click()
    await expect(page.getByRole('link', { name: number })).toBeVisible()
  })

  test('a contact message can be marked as read and answered', async ({
    page,
    anita,
    accounts
  }) => {
    const name = `Ravi ${randomUUID().slice(0, 8)}`
    await accounts.addMessage({
      name,
      email: anita.email,
      phone: '',
      message: 'Do you deliver to Madurai?'
    })
    await page.goto(`${paths.adminMessages}?q=${encodeURIComponent(name)}`)
    const card = page.getByRole('article', { name })
    await expect(card).toContainText('Unread')
    await expectAccessible(page, 'message')
    await card.getByRole('button', { name: `Mark as read: message from ${name}` }).click()
    await expect(card).toContainText('Read, unanswered')
    await card.getByRole('button', { name: `Mark as answered: message from ${name}` }).click()
    await expect(card).toContainText(/Answered .* (am|pm)/)
    await card.getByRole('button', { name: `Answer ${name}` }).click()
    await expectAccessible(page, 'answer')
  })
})
