import { randomInt } from 'node:crypto'
import { paths } from '#lib/paths.ts'
import { addDays } from '#lib/time.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { addLabelFacts, addOrder, shopData } from '../support/browser-data.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const ORDERS = 40
/** Sizes of pages in points: 210 × 297 mm, and at least 100 × 70 mm. */
const A4 = /MediaBox\s*\[0 0 59[45]\S* 84[12]\S*\]/g
const LABEL = /MediaBox\s*\[0 0 283\.[5-9]\S* 198\.[5-9]\S*\]/g

for (const [name, device] of Object.entries({ 'a phone': phone, 'a wide screen': desktop })) {
  test.describe(`Admin: the kitchen’s day on ${name}`, () => {
    test.use(device)

    test(`shows, keeps the ticks of and prints ${ORDERS} orders, and the labels of their packs`, async ({
      page,
      accounts
    }) => {
      // A day of its own, also when the test is repeated.
      const day = addDays('2031-01-01', randomInt(3000))
      const shopper = await accounts.add({ name: 'Anita Kumar' })
      for (let count = 0; count < ORDERS; count++) await addOrder(shopData(), shopper, day)
      await addLabelFacts(shopData(), 'boondi-laddu')
      await accounts.logIn(page, await accounts.add({ name: 'Kumar', staff: 'kitchen' }))
      await page.goto(`${paths.adminKitchen}?date=${day}`)
      await expect(page.getByText(`0 of ${ORDERS} orders packed`)).toBeVisible()
      await expect(page.getByRole('region', { name: 'To cook' })).toContainText('20 kg')
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
  })
}
