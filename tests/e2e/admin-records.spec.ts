import type { Page } from 'playwright/test'
import { DEAL_MESSAGES } from '#lib/admin/discount-forms.ts'
import { paths } from '#lib/paths.ts'
import { makePhoto } from '../support/browser-admin.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { focusedElement, press, tabTo, typeInto } from '../support/browser-input.ts'
import { NOT_FOUND_STATUS } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

test.describe('Admin: products on a phone', () => {
  test.use(phone)

  test('a new product with a photo is shown at its URL at once, gets a published page, and can be deleted', async ({
    admin,
    page,
    allowedErrors
  }) => {
    allowedErrors.push(NOT_FOUND_STATUS, /status of 415/)
    await admin.open(paths.adminProducts)
    await page.getByRole('link', { name: 'Add product' }).click()
    await expect(page.getByRole('heading', { name: 'New product' })).toBeFocused()
    await admin.field('Name').fill('Rava Kesari')
    await admin.button('Save product').click()
    await expect(page.getByText('Add a picture, or keep the product hidden.')).toBeVisible()
    await expect(admin.pictures).toBeFocused()
    const svg = {
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    }
    await admin.pictures.setInputFiles(svg)
    await expect(page.getByText('Please choose a JPEG, PNG, WebP or AVIF picture')).toBeVisible()
    await admin.fillProduct()
    await admin.button('Edit description').click({ timeout: 30_000 })
    const alt = page.getByRole('textbox', { name: /^Description of picture 1/ })
    await expect(alt).toHaveAttribute('placeholder', 'Rava Kesari')
    await alt.fill('A bowl of kesari')
    await expect(admin.field('Allergens')).toHaveValue('milk, wheat')
    await page.getByRole('checkbox', { name: 'Wheat' }).uncheck()
    await expectAccessible(page, 'form')
    await admin.button('Save product').click()
    await expect(page.getByText('Rava Kesari was added')).toBeInViewport()

    const path = paths.product('rava-kesari')
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Rava Kesari' })).toBeVisible()
    await admin.expectPublished(path, 'Semolina roasted in ghee')
    expect((await page.reload())?.status()).toBe(200)
    await expect(page.getByText('₹150.50').first()).toBeVisible()
    const picture = page.getByRole('img', { name: 'A bowl of kesari' }).first()
    await expect
      .poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)

    await admin.open(`${paths.adminProducts}?product=rava-kesari`)
    await press(admin.button('Delete product'))
    const dialog = page.getByRole('dialog', { name: 'Delete this product?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(admin.button('Delete product')).toBeFocused()
    await page.keyboard.press('Enter')
    await press(dialog.getByRole('button', { name: 'Delete Rava Kesari' }))
    await expect(page.getByText('Rava Kesari was deleted')).toBeVisible()
    expect(await admin.fetchProduct('rava-kesari')).toBeUndefined()
  })
})

test.describe('Admin: products', () => {
  test.use(desktop)

  test('can be exported, and an import shows a preview before saving', async ({ admin, page }) => {
    await admin.open(paths.adminProducts)
    const downloading = page.waitForEvent('download')
    await admin.button('Export').click()
    expect((await downloading).suggestedFilename()).toBe('products.csv')
    await page.getByRole('link', { name: 'Import' }).click()
    await expect(page.getByRole('heading', { name: 'Import products' })).toBeFocused()
    const table = 'Id;Price;Colour\nribbon-pakoda;1,222;red\nunicorn;1;\n'
    const file = { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByLabel('How much is “1,222”?').selectOption('1222')
    await expectAccessible(page, 'question of an import')
    await admin.button('Show the changes').click()
    await expect(admin.row('Ribbon Pakoda')).toContainText('1222.00')
    await expect(admin.row('unicorn')).toContainText('No product has this id')
    await expectAccessible(page, 'import preview')
    expect((await admin.fetchProduct('ribbon-pakoda'))?.price).not.toBe(1222)
    await admin.button('Import 1 product').click()
    await expect(page.getByText('Imported: 1 updated')).toBeVisible()
    expect((await admin.fetchProduct('ribbon-pakoda'))?.price).toBe(1222)
  })

  test('by keyboard, Enter moves to the next stock field and Ctrl+Z undoes the last change', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminProducts)
    await typeInto(page.getByRole('searchbox', { name: 'Search products' }).last(), 'pickle')
    await expect(page.getByText(/^\d products$/)).toBeVisible()
    const fields = page.getByLabel(/^Stock of/)
    await typeInto(fields.nth(0), '61')
    await page.keyboard.press('Enter')
    await expect(fields.nth(1)).toBeFocused()
    await page.keyboard.type('62')
    await page.keyboard.press('Enter')
    await expect(fields.nth(2)).toBeFocused()
    await expect(admin.undo).toContainText('62 in stock')
    await expectAccessible(page, 'undo')
    await page.keyboard.press('Control+z')
    await expect(fields.nth(1)).not.toHaveValue('62')
    await expect(fields.nth(0)).toHaveValue('61')
    await page.keyboard.type('9')
    await page.keyboard.press('Escape')
    await expect(fields.nth(2)).not.toHaveValue('9')
  })
})

test.describe('Admin: deals', () => {
  test.use(desktop)

  test('by keyboard, a deal can be created, changed and deleted, and a change can be undone', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminDeals)
    await tabTo(newDealForm(page).getByLabel('Product'))
    await page.keyboard.type('Palko')
    await typeInto(newDealForm(page).getByLabel('Discount (%)'), '10')
    await press(newDealForm(page).getByRole('button', { name: 'Now' }))
    await press(newDealForm(page).getByRole('button', { name: '3 hours' }))
    await press(newDealForm(page).getByRole('button', { name: 'Add flash deal' }))
    await expect(admin.row('Palkova')).toContainText('Running')

    await press(page.getByRole('link', { name: 'Edit flash deal for Palkova' }))
    await expect(page.getByRole('heading', { name: 'Palkova', level: 2 })).toBeFocused()
    const editForm = page.getByRole('form', { name: 'Edit flash deal' })
    await typeInto(editForm.getByLabel('Discount (%)'), '12')
    await page.keyboard.press('Enter')
    await expect(admin.row('Palkova')).toContainText('12%')
    await expect(admin.row('Palkova').getByRole('link', { name: /^Palkova/ })).toBeFocused()
    await page.keyboard.press('Control+z')
    await expect(admin.row('Palkova')).toContainText('10%')

    await page.keyboard.press('Enter')
    await press(page.locator('summary', { hasText: 'History' }))
    await expect(page.getByText('Discount: 12% → 10%')).toBeVisible()
    await press(page.getByRole('button', { name: 'Delete flash deal for Palkova' }))
    const dialog = page.getByRole('dialog', { name: 'Delete this flash deal?' })
    await press(dialog.getByRole('button', { name: 'Delete flash deal' }))
    await expect(page.getByText(DEAL_MESSAGES.dealDeleted)).toBeVisible()
    await expect(admin.row('Palkova')).toHaveCount(0)
    await expect(focusedElement(page)).toHaveText('Current flash deals')
  })
})

function newDealForm(page: Page) {
  return page.getByRole('form', { name: 'Add flash deal' })
}

const ATTACK =
  '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> [press](javascript:hacked=1)'
const SAFE =
  '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> press'

test.describe('Admin: blog on a phone', () => {
  test.use(phone)

  test('a post is published as the preview shows it, and no script in its text runs', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminBlog)
    await page.getByRole('link', { name: 'Write post' }).click()
    await expect(page.getByRole('heading', { name: 'New post' })).toBeFocused()
    await admin.field('Title', 'Post').fill('Pongal at home')
    await admin.field('Summary', 'Post').fill('Two pots boil over on one morning.')
    await admin.field('Text', 'Post').fill('bold')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+b')
    await expect(admin.field('Text', 'Post')).toHaveValue('**bold**')
    const text = `## The pots\n\nUse *new* [pots](/products) of ${'long'.repeat(60)}.\n\n${ATTACK}`
    await admin.field('Text', 'Post').fill(text)
    await admin.pictures.setInputFiles(await makePhoto('#907020'))
    await admin.field('Describe the picture', 'Post').fill('Two clay pots', { timeout: 30_000 })
    await admin.button('Preview').first().click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview).toContainText(SAFE)
    await expect(preview.getByRole('heading', { name: 'The pots' })).toBeVisible()
    await expect(preview.getByRole('link')).toHaveText(['pots'])
    await expectAccessible(page, 'form')
    const previewed = await preview.locator('.prose').innerHTML()
    await admin.button('Publish post').click()
    await expect(page.getByText('“Pongal at home” is published')).toBeVisible()
    await expect(admin.row('Pongal at home')).toContainText('Published')

    const path = paths.blog('pongal-at-home')
    await admin.expectPublished(path, 'The pots')
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Pongal at home' })).toBeVisible()
    expect(await page.locator('main .prose').innerHTML()).toBe(previewed)
    await expect(page.getByRole('img', { name: 'Two clay pots' })).toBeVisible()
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)

    await admin.open(paths.adminBlog)
    await admin.button('Unpublish Pongal at home').click()
    await expect(admin.row('Pongal at home')).toContainText('Draft')
    expect(await (await page.request.get('/api/blog')).text()).not.toContain('pongal-at-home')
  })
})
