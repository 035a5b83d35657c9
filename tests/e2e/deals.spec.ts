import { formatDiscountedPrice } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE, SECOND } from '#lib/time.ts'
import { expectAccessible, recordLayoutShifts } from '../support/browser-checks.ts'
import { press } from '../support/browser-input.ts'
import { toast, waitForHydration } from '../support/browser-pages.ts'
import { desktop, expect, test } from '../support/browser.ts'

test.use({ ...desktop, contextOptions: { reducedMotion: 'no-preference' } })

test('By keyboard, a flash deal draws a discount for 2 s, which can be used in the cart', async ({
  page,
  accounts,
  shopper
}) => {
  const layoutShift = await recordLayoutShifts(page)
  await page.clock.install()
  await accounts.logIn(page, shopper)
  await page.goto(paths.deals)
  await waitForHydration(page)
  const draw = page.getByRole('button', { name: 'Click to get your discount: Mysore Pak' })
  await expect(draw).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(await layoutShift()).toBeLessThan(0.01)
  await page.clock.pauseAt(Date.now() + MINUTE)
  await press(draw)
  const card = page.getByRole('article').filter({ hasText: 'Mysore Pak' })
  const discount = card.locator('dt', { hasText: 'Your Discount' }).locator('+ dd')
  await expect(discount).toHaveCSS('animation-name', 'beat')
  const add = card.getByRole('button', { name: 'Add to Cart: Mysore Pak' })
  await expect(add).toBeDisabled()
  await page.clock.runFor(2 * SECOND)
  await expect(discount).toHaveCSS('animation-name', 'none')
  const percent = Number((await discount.innerText()).replace('%', ''))
  await expect(toast(page, `Congratulations! You got a ${percent}% discount!`)).toBeVisible()
  const price = formatDiscountedPrice(180, percent)
  await expect(card.locator('dt', { hasText: 'Your Price' }).locator('+ dd')).toHaveText(price)
  await expect(add).toBeFocused()
  await press(add)
  await expect(toast(page, 'Added to cart!')).toBeVisible()
  await expect(card).toContainText('In Cart: 1')
  await page.clock.resume()
  await expectAccessible(page, 'drawn and in the cart')

  await page.goto(paths.cart)
  const line = page.getByRole('main').getByRole('article')
  await expect(line).toContainText(price)
  await expect(line).toContainText(`${percent}%`)
})
