import type { Page } from 'playwright/test'
import { t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import { inLanguage } from '#server/platform/language.ts'
import type { Accounts, Shopper } from '../support/browser-accounts.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import type { CheckoutPage } from '../support/browser-checkout.ts'
import { addButton, type ProductList, toast, waitForHydration } from '../support/browser-pages.ts'
import { desktop, expect, phone, test, waitForScriptsAndFonts } from '../support/browser.ts'

interface Visit {
  page: Page
  accounts: Accounts
  shopper: Shopper
  checkout: CheckoutPage
  list: ProductList
}

const MYSORE_PAK = 'மைசூர் பாக்'
const SAMBAR = 'சாம்பார் பொடி'

const JOURNEYS: Record<string, (visit: Visit) => Promise<void>> = {
  'a product is found in both scripts, and the language switch keeps the search': async ({
    page,
    list
  }) => {
    const fonts: string[] = []
    page.on('response', reply => void (/tamil.*woff2/.test(reply.url()) && fonts.push(reply.url())))
    await list.open()
    for (const words of ['mysore', 'மைசூர்']) {
      await list.search.fill(words)
      await expect(list.card(MYSORE_PAK)).toBeVisible()
    }
    await expect(page.locator('html')).toHaveAttribute('lang', 'ta-IN')
    await waitForScriptsAndFonts(page)
    expect(await page.evaluate(() => document.fonts.check('16px Anek', 'த'))).toBe(true)
    expect(fonts.length).toBeGreaterThan(0)
    await expectAccessible(page, 'found')
    await page.getByRole('banner').getByRole('link', { name: 'English' }).first().click()
    await expect(page).toHaveURL(/^[^/]*\/\/[^/]*\/products\?/)
    await expect(list.card('Mysore Pak')).toBeVisible()
  },

  'a deal draws a discount that is used in the cart': async ({ page, accounts, shopper }) => {
    await accounts.logIn(page, shopper)
    await page.goto(paths.deals)
    await waitForHydration(page)
    const draw = `${t('Click to get your discount')}: ${MYSORE_PAK}`
    await page.getByRole('button', { name: draw }).click()
    const card = page.getByRole('article').filter({ hasText: MYSORE_PAK })
    const discount = card.locator('dt', { hasText: t('Your Discount') }).locator('+ dd')
    await card.getByRole('button', { name: t('Add to Cart') }).click()
    await expect(toast(page, t('Added to cart!'))).toBeVisible()
    await expectAccessible(page, 'drawn')
    const percent = parseInt(await discount.innerText())
    await page.goto(paths.cart)
    const line = page.getByRole('main').getByRole('article')
    await expect(line).toContainText(t('Your discount: {percent}%', { percent }))
  },

  'a gift is ordered, paid, found with its invoice and cancelled': async visit => {
    const { page, accounts, shopper, checkout } = visit
    await accounts.saveAddress(shopper)
    await accounts.logIn(page, shopper)
    await page.goto(paths.product('sambar-powder'))
    await addButton(page).click()
    await expect(toast(page, t('Item added to cart'))).toBeVisible()
    await page.goto(paths.cart)
    await checkout.waitUntilReady()
    await expect(page.getByRole('button', { name: t('Edit') })).toBeVisible()
    await page.getByLabel(t('This is a gift')).check()
    const form = page.getByRole('form', { name: t('Checkout') })
    await form.getByLabel(t('Recipient’s name')).fill('லட்சுமி')
    await form.getByLabel(t('Your message')).fill('பொங்கல் வாழ்த்துகள்!\nஅனிதா')
    await expectAccessible(page, 'cart')
    await checkout.pay()
    const mark = t('Gift for {name}: no prices in the parcel', { name: 'லட்சுமி' })
    await expect(page.getByRole('main')).toContainText(`${mark}பொங்கல் வாழ்த்துகள்!அனிதா`)
    await expectAccessible(page, 'placed')
    await page.getByRole('link', { name: t('View My Orders') }).click()
    const order = page.getByRole('article')
    await expect(order).toContainText(`1 × ${SAMBAR}`)
    await expectAccessible(page, 'orders')
    await order.getByRole('link', { name: t('Invoice') }).click()
    await expect(checkout.heading).toHaveText(t('Invoice||title'))
    await expect(page.getByRole('main')).toContainText('ரூபாய் நூற்று அறுபது மட்டும்')
    await expectAccessible(page, 'invoice')
    await page.goto(paths.orders)
    await order.getByRole('button', { name: t('Cancel order') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('Cancel order') })
      .click()
    await expect(order).toContainText(t('This order was cancelled.'))
    await expectAccessible(page, 'cancelled')
  },

  'a profile is changed': async ({ page, accounts, shopper }) => {
    await accounts.logIn(page, shopper)
    await page.goto(paths.profile)
    await page
      .getByRole('main')
      .getByRole('button', { name: t('Edit') })
      .click()
    const form = page.getByRole('form', { name: t('Your details') })
    await form.getByLabel(t('Name'), { exact: true }).fill('அனிதா')
    await expectAccessible(page, 'form')
    await form.getByRole('button', { name: t('Save') }).click()
    await expect(toast(page, t('Profile saved'))).toBeVisible()
    await expect(page.getByRole('main')).toContainText('அனிதா')
    await expectAccessible(page, 'saved')
  }
}

const SCREENS = [{ ...phone, viewport: { width: 320, height: 640 } }, phone, desktop]

for (const screen of SCREENS)
  test.describe(`In Tamil at ${screen.viewport.width} px`, () => {
    test.use({ ...screen, locale: 'ta-IN' })
    for (const [title, follow] of Object.entries(JOURNEYS))
      test(title, ({ page, accounts, shopper, checkout, list }) =>
        inLanguage('ta', () => follow({ page, accounts, shopper, checkout, list }))
      )
  })
