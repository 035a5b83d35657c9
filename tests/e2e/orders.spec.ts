import { INVOICE_PATH, paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { addOrder, shopData } from '../support/browser-data.ts'
import { toast } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

test.describe('My Orders on a phone', () => {
  test.use(phone)

  test('shows a failure, then the order with its status, details and invoice, and offers to buy again', async ({
    page,
    accounts,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 500/)
    const { id, number, invoiceNumber } = await addOrder(shopData(), shopper)
    await accounts.logIn(page, shopper)
    await page.route('**/api/orders/my-orders', route => route.fulfill({ status: 500, json: {} }), {
      times: 1
    })
    await page.goto(paths.orders)
    await expect(toast(page, 'Error Fetching Orders')).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to fetch orders.')
    await page.getByRole('button', { name: 'Try again' }).click()
    const card = page.getByRole('article')
    await expect(card).toContainText(number)
    await expect(card).toContainText('Pending')
    await expect(card.getByRole('list', { name: 'Progress' }).getByRole('listitem')).toHaveCount(3)
    await expect(
      page.getByRole('button', { name: /^Cancel order/ }),
      'sweets are made to order'
    ).toHaveCount(0)
    await card.getByText('Details').click()
    await expect(card).toContainText('4 Rockfort Road')
    await expect(card).toContainText('Paid')
    await expectAccessible(page, 'details')
    await card.getByRole('link', { name: /^Invoice/ }).click()
    await expect(page).toHaveURL(`${INVOICE_PATH}?order=${id}`)
    const invoice = page.getByRole('article', { name: 'Tax invoice' })
    for (const text of [
      'Rupees Three Hundred Sixty Only',
      'FSSAI',
      'HSN 1704',
      'CGST 2.5%',
      String(invoiceNumber)
    ])
      await expect(invoice).toContainText(text)
    await expectAccessible(page, 'invoice')
    await page.goto(paths.orders)
    await page.getByRole('button', { name: /^Buy again/ }).click()
    await page.waitForURL(`**${paths.cart}`)
    await expect(page.getByRole('article')).toContainText('Boondi Laddu')
    await expect(toast(page, 'Item added to cart')).toBeVisible()
  })
})

test.describe('My Orders', () => {
  test.use(desktop)

  test('prints an invoice on one page, without header and footer, and only for the buyer', async ({
    page,
    accounts,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 404/)
    const { id } = await addOrder(shopData(), shopper)
    await accounts.logIn(page, shopper)
    await page.goto(`${INVOICE_PATH}?order=${id}`)
    await expect(page.getByRole('article', { name: 'Tax invoice' })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await page.emulateMedia({ media: 'screen' })
    await accounts.logIn(page, await accounts.add())
    for (const url of [`${INVOICE_PATH}?order=${id}`, `${paths.cart}?order=${id}`]) {
      await page.goto(url)
      await expect(page.getByText('Order not found')).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText('Boondi')
    }
  })
})
