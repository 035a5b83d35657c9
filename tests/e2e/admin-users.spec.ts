import { randomUUID } from 'node:crypto'
import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, phone } from '../support/browser.ts'
import { expect, test as base, type Shopper } from '../support/browser-accounts.ts'
import { addOrder } from '../support/browser-orders.ts'

const test = base.extend<{ anita: Shopper; number: string }>({
  anita: async ({ page, accounts }, use) => {
    await accounts.logIn(page, await accounts.add({ name: 'Meena', role: 'admin' }))
    await use(await accounts.add({ name: 'Anita Kumar' }))
  },
  number: async ({ anita }, use) => {
    await use((await addOrder(process.env['SHOP_DATA'] ?? '', anita)).number)
  }
})

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`Admin: users, messages and dashboard (${width})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('a user can be found and made administrator, and the change can be undone', async ({
      page,
      anita,
      number
    }) => {
      await page.goto(`${paths.adminUsers}?q=${anita.email}`)
      await expect(page.getByText('1 user', { exact: true })).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('link', { name: 'Anita Kumar' }).click()
      await expect(page.getByRole('heading', { name: 'Anita Kumar' })).toBeFocused()
      await page.getByRole('button', { name: 'Make administrator' }).click()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Make administrator' }).click()
      await expect(page.getByRole('button', { name: 'Remove as administrator' })).toBeVisible()
      await page.getByRole('button', { name: /^Undo/ }).click()
      await expect(page.getByRole('button', { name: 'Make administrator' })).toBeVisible()
      await page.getByRole('link', { name: '1 order' }).click()
      await expect(page.getByRole('link', { name: number })).toBeVisible()
    })

    test('a contact message can be marked as read and answered', async ({ page, anita, accounts }) => {
      const name = `Ravi ${randomUUID().slice(0, 8)}`
      await accounts.addMessage({ name, email: anita.email, message: 'Do you deliver to Madurai?' })
      await page.goto(`${paths.adminMessages}?q=${encodeURIComponent(name)}`)
      const card = page.getByRole('article', { name })
      await expect(card).toContainText('Unread')
      expect(await axeFindings(page)).toEqual([])
      await expect(card.getByRole('link', { name: `Reply to ${name} by e-mail` })).toHaveAttribute(
        'href',
        /^mailto:anita/
      )
      await card.getByRole('button', { name: `Mark message from ${name} as read` }).click()
      await expect(card).toContainText('Read, unanswered')
      await card.getByRole('button', { name: `Mark message from ${name} as answered` }).click()
      await expect(card).toContainText(/Answered .* (am|pm)/)
    })

    test('the dashboard shows orders to pack, sales and the website status', async ({ page, number }) => {
      expect(number).toMatch(/^PG-/)
      await page.goto(paths.admin)
      await expect(page.getByRole('link', { name: /orders? to pack today/ })).toBeVisible()
      await expect(page.locator('canvas')).toBeVisible()
      await expect(page.getByRole('table', { name: 'Sales by day' }).getByRole('row')).toHaveCount(31)
      for (const tile of ['Products', 'Orders', 'Users', 'Flash deals']) {
        await expect(page.getByRole('main').getByRole('link', { name: new RegExp(`^${tile} ?\\d`) })).toBeVisible()
      }
      await expect(page.getByRole('region', { name: 'Website' })).toContainText(/Website up to date|Last published/)
      expect(await axeFindings(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    })
  })
}
