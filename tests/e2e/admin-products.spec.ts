import { paths } from '#lib/paths.ts'
import { makePhoto } from '../support/browser-admin.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { NOT_FOUND_STATUS } from '../support/browser-pages.ts'
import { adminTest as test, desktop, expect, phone } from '../support/browser.ts'

const { click, fill } = INPUT_METHODS.keyboard

test.describe('Admin: products on a phone', () => {
  test.use(phone)

  test('a new product with a photo is shown at its URL at once and gets a published page', async ({
    admin,
    page,
    allowedErrors
  }) => {
    allowedErrors.push(NOT_FOUND_STATUS, /status of 415/)
    await admin.open(paths.adminProducts)
    await page.getByRole('link', { name: 'Add product' }).click()
    await expect(page.getByRole('heading', { name: 'New product' })).toBeFocused()
    await admin.field('Name').fill('Rava Kesari')
    await page.reload()
    await expect(admin.field('Name'), 'the draft survives a reload').toHaveValue('Rava Kesari')
    await admin.button('Save product').click()
    await expect(admin.field('Category')).toBeFocused()
    await admin.field('Category').selectOption('sweets')
    await admin.field('Tamil name (optional)').fill('ரவா கேசரி')
    await admin.field('Price').fill('150.50')
    await admin.field('Stock (packs)').fill('12')
    await admin.field('Description').fill('Semolina roasted in ghee, with saffron.')
    await admin.field('Ingredients').fill('Semolina (wheat)\nGhee (milk)')
    await admin.field('Shelf life').fill('Best within 5 days')
    const svg = {
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    }
    await page.getByLabel('Choose pictures').setInputFiles([svg, await makePhoto('#e0a030')])
    await expect(page.getByText('Please choose a JPEG, PNG, WebP or AVIF picture')).toBeVisible({
      timeout: 30_000
    })
    const alt = page.getByRole('textbox', { name: /^Describe the picture/ })
    await expect(alt).toHaveValue('Rava Kesari', { timeout: 30_000 })
    await alt.fill('A bowl of kesari')
    await expectAccessible(page, 'pictures')
    await admin.button('Save product').click()
    const notice = page.getByRole('status').filter({ hasText: 'Rava Kesari was added' })
    await expect(notice).toBeFocused()
    await expect(notice).toBeInViewport()
    await expect(notice.getByRole('link', { name: 'View it' })).toHaveAttribute(
      'href',
      '?product=rava-kesari'
    )
    await expect(admin.row('Rava Kesari')).toBeVisible()
    const pictures = [{ alt: 'A bowl of kesari' }]
    expect(await admin.fetchProduct('rava-kesari')).toMatchObject({
      price: 150.5,
      stock: 12,
      pictures
    })

    await page.goto(paths.product('rava-kesari'))
    await expect(page.getByRole('heading', { level: 1, name: 'Rava Kesari' })).toBeVisible()
    await admin.expectPublished('rava-kesari', 'Semolina roasted in ghee')
    const response = await page.reload()
    expect(response?.status()).toBe(200)
    await expect(page.getByText('₹150.50').first()).toBeVisible()
    const picture = page.getByRole('img', { name: 'A bowl of kesari' }).first()
    await expect
      .poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
  })

  test('price, stock and visibility can be changed in the list and undone, and appear on the product page', async ({
    admin,
    page,
    allowedErrors
  }) => {
    // The product's page may still be the one without it, which is completed from the API.
    allowedErrors.push(/net::ERR/, /404 \(Not Found\) .*\/products\/kara-sev/)
    await page.route('**/api/admin/products', route => route.abort())
    await admin.open(paths.adminProducts)
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await page.unroute('**/api/admin/products')
    await admin.button('Try again').click()
    await expect(admin.row('Kara Sev')).toBeVisible()
    await expectAccessible(page, 'list')
    const original = await admin.fetchProduct('kara-sev')
    await admin.button('Hide Kara Sev').click()
    await expect(admin.row('Kara Sev')).toContainText('Hidden')
    expect(await admin.fetchProduct('kara-sev')).toBeUndefined()
    await admin.undo.getByRole('button', { name: /^Undo/ }).click()
    await expect(admin.row('Kara Sev')).not.toContainText('Hidden')
    expect(await admin.fetchProduct('kara-sev')).toEqual(original)

    await admin.price('Kara Sev').fill('cheap')
    await admin.price('Kara Sev').press('Enter')
    await expect(page.getByText('Please enter a price from ₹1')).toBeVisible()
    await page.route('**/api/admin/products/*', route => route.abort())
    await admin.price('Kara Sev').fill('199.50')
    await admin.price('Kara Sev').press('Enter')
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await expect(admin.price('Kara Sev'), 'a price that could not be saved').toHaveValue('199.50')
    await page.unroute('**/api/admin/products/*')
    await admin.price('Kara Sev').press('Enter')
    await expect(admin.undo).toContainText('Kara Sev: ₹199.50')
    await admin.stock('Kara Sev').fill('3')
    await admin.stock('Kara Sev').blur()
    await expect(admin.undo).toContainText('Kara Sev: 3 in stock')
    await expectAccessible(page, 'undo')
    await page.goto(paths.product('kara-sev'))
    await expect(page.getByText('₹199.50').first()).toBeVisible()
    await expect(page.getByText('Only 3 left').or(page.getByText('Few left')).first()).toBeVisible()
  })
})

test.describe('Admin: products', () => {
  test.use(desktop)

  test('the form keeps the input when somebody else has changed the product', async ({
    admin,
    page,
    adminAccounts,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 409/)
    await admin.open(`${paths.adminProducts}?product=jangiri`)
    await admin.field('Price').fill('321')
    const headers = await adminAccounts.adminHeaders()
    const change = { version: 1, price: 300, shelfLife: 'Best within 3 days' }
    const url = `${admin.shop.url}/api/admin/products/jangiri`
    expect((await page.request.patch(url, { data: change, headers })).status()).toBe(200)
    await admin.button('Save product').click()
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'Someone else changed this while you were editing' })
    await expect(notice).toContainText('Yours: ₹321.00')
    await expect(notice).toContainText('Theirs: ₹300.00')
    await expect(admin.field('Price')).toHaveValue('321')
    await notice.getByRole('button', { name: 'Keep mine' }).click()
    await expect(admin.row('Jangiri')).toBeVisible()
    expect(await admin.fetchProduct('jangiri')).toMatchObject({
      price: 321,
      shelfLife: 'Best within 3 days'
    })
  })

  test('a CSV import shows a preview before saving', async ({ admin, page }) => {
    await admin.open(paths.adminProducts)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      admin.button('Export').click()
    ])
    expect(download.suggestedFilename()).toBe('products.csv')
    await page.getByRole('link', { name: 'Import' }).click()
    await expect(page.getByRole('heading', { name: 'Import products' })).toBeFocused()
    const table = 'Id,Price,Colour\nribbon-pakoda,222.50,red\nunicorn,1,\n'
    const file = { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await expect(admin.row('Ribbon Pakoda')).toContainText('222.50')
    await expect(admin.row('unicorn')).toContainText('No product has this id')
    await expectAccessible(page, 'import preview')
    expect((await admin.fetchProduct('ribbon-pakoda'))?.price).not.toBe(222.5)
    await admin.button('Import 1 product').click()
    await expect(page.getByText('Imported: 1 updated')).toBeVisible()
    expect((await admin.fetchProduct('ribbon-pakoda'))?.price).toBe(222.5)
  })

  test('by keyboard, Enter moves to the next stock field and Ctrl+Z undoes the last change', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminProducts)
    await fill(page.getByRole('searchbox', { name: 'Search products' }).last(), 'pickle')
    await expect(page.getByText(/^\d products$/)).toBeVisible()
    const fields = page.getByLabel(/^Stock of/)
    await fill(fields.nth(0), '61')
    await page.keyboard.press('Enter')
    await expect(fields.nth(1)).toBeFocused()
    await page.keyboard.type('62')
    await page.keyboard.press('Enter')
    await expect(fields.nth(2)).toBeFocused()
    await expect(admin.undo).toContainText('62 in stock')
    await page.keyboard.press('Control+z')
    await expect(fields.nth(1)).not.toHaveValue('62')
    await expect(fields.nth(0)).toHaveValue('61')
    await page.keyboard.type('9')
    await page.keyboard.press('Escape')
    await expect(fields.nth(2)).not.toHaveValue('9')
  })

  test('by keyboard, pictures can be pasted and moved, and a product is deleted after confirmation', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminProducts)
    await fill(page.getByRole('searchbox', { name: 'Search products' }).last(), 'manoharam')
    await expect(page.getByText('1 product', { exact: true })).toBeVisible()
    await click(page.getByRole('link', { name: 'Edit Manoharam' }))
    await expect(page.getByRole('heading', { name: 'Manoharam', level: 2 })).toBeFocused()
    const original = await admin.fetchProduct('manoharam')
    await click(admin.button('Move picture 2 of 2 up'))
    await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 40 })
      canvas.getContext('2d')?.fillRect(0, 0, 30, 40)
      const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve))
      const clipboardData = new DataTransfer()
      if (blob) clipboardData.items.add(new File([blob], 'image.png', { type: 'image/png' }))
      dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
    })
    await expect(page.getByRole('textbox', { name: /^Describe the picture/ })).toHaveCount(3, {
      timeout: 30_000
    })
    await click(admin.button('Save product'))
    await expect(page.getByRole('link', { name: /^Manoharam/ })).toBeFocused()
    const saved = await admin.fetchProduct('manoharam')
    const keys = saved?.pictures.map(({ key }) => key)
    expect(keys?.slice(0, 2)).toEqual(original?.pictures.map(({ key }) => key).toReversed())

    await click(page.getByRole('link', { name: /^Manoharam/ }))
    const deleteButton = admin.button('Delete product')
    await click(deleteButton)
    const dialog = page.getByRole('dialog', { name: 'Delete this product?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(deleteButton).toBeFocused()
    await page.keyboard.press('Enter')
    await click(dialog.getByRole('button', { name: 'Delete Manoharam' }))
    await expect(page.getByText('Manoharam was deleted')).toBeVisible()
    expect(await admin.fetchProduct('manoharam')).toBeUndefined()
  })
})
