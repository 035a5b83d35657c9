import { paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { NOT_FOUND_STATUS } from '../support/browser-pages.ts'
import { expect, makePhoto, test, type AdminPages } from '../support/browser-admin.ts'

const WIDTHS = { phone, desktop }

async function fillProduct(admin: AdminPages, name: string): Promise<void> {
  await admin.field('Name').fill(name)
  await admin.field('Tamil name (optional)').fill('ரவா கேசரி')
  await admin.field('Price').fill('150.50')
  await admin.field('Stock (packs)').fill('12')
  await admin.field('Description').fill('Semolina roasted in ghee, with saffron.')
  await admin.field('Ingredients').fill('Semolina (wheat)\nGhee (milk)')
  await admin.field('Shelf life').fill('Best within 5 days')
}

for (const [width, device] of Object.entries(WIDTHS)) {
  test.describe(`Admin: products (${width})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('a new product with a photo gets a public page', async ({ admin, page, allowedErrors }) => {
      test.setTimeout(240_000)
      allowedErrors.push(NOT_FOUND_STATUS)
      const [name, id] = [`Rava Kesari ${width}`, `rava-kesari-${width}`]
      await admin.open(paths.adminProducts)
      await page.getByRole('link', { name: 'Add product' }).click()
      await expect(page.getByRole('heading', { name: 'New product' })).toBeFocused()
      await fillProduct(admin, name)
      await page.getByLabel('Choose pictures').setInputFiles(await makePhoto(width === 'phone' ? '#e0a030' : '#d08020'))
      const alt = page.getByRole('textbox', { name: /^Describe the picture/ })
      await expect(alt).toHaveValue(name, { timeout: 30_000 })
      await alt.fill('A bowl of kesari')
      await admin.button('Save product').click()
      await expect(page.getByText(`${name} was added`)).toBeVisible()
      await expect(admin.row(name)).toBeVisible()
      expect(await admin.fetchProduct(id)).toMatchObject({
        price: 150.5,
        stock: 12,
        pictures: [{ alt: 'A bowl of kesari' }]
      })

      await admin.expectPublished(id, 'Semolina roasted in ghee')
      await page.goto(paths.product(id))
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(page.getByText('₹150.50').first()).toBeVisible()
      const picture = page.getByRole('img', { name: 'A bowl of kesari' }).first()
      await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    })

    test('changes of price and stock in the list appear on the product page', async ({ admin, page }) => {
      test.setTimeout(240_000)
      const [name, id] = width === 'phone' ? ['Badusha', 'badusha'] : ['Kara Sev', 'kara-sev']
      await admin.open(paths.adminProducts)
      await admin.price(name).fill('199.50')
      await admin.price(name).press('Enter')
      await expect(admin.undo).toContainText(`${name}: ₹199.50`)
      await admin.stock(name).fill('3')
      await admin.stock(name).blur()
      await expect(admin.undo).toContainText(`${name}: 3 in stock`)
      await page.goto(paths.product(id))
      await expect(page.getByText('₹199.50').first()).toBeVisible()
      await expect(page.getByText('Only 3 left').or(page.getByText('Few left')).first()).toBeVisible()
      await admin.expectPublished(id, '199.50')
    })

    test('changes can be undone', async ({ admin, page }) => {
      const [name, id] = width === 'phone' ? ['Thattai', 'thattai'] : ['Mysore Pak', 'mysore-pak']
      await admin.open(paths.adminProducts)
      const original = await admin.fetchProduct(id)
      await admin.stock(name).fill('77')
      await admin.stock(name).press('Enter')
      await admin.undo.getByRole('button', { name: /^Undo/ }).click()
      await expect(admin.stock(name)).toHaveValue(String(original?.stock))
      expect(await admin.fetchProduct(id)).toEqual(original)
      await admin.button(`Hide ${name}`).click()
      await expect(admin.row(name)).toContainText('Hidden')
      expect(await admin.fetchProduct(id)).toBeUndefined()
      await admin.undo.getByRole('button', { name: /^Undo/ }).click()
      await expect(admin.row(name)).not.toContainText('Hidden')
      expect(await admin.fetchProduct(id)).toEqual(original)
      await expect(page.getByRole('status').filter({ hasText: 'Undone' }).last()).toBeVisible()
    })

    test('the form keeps the input on an edit conflict', async ({
      admin,
      page,
      browser,
      adminShop,
      adminAccounts,
      allowedErrors
    }) => {
      allowedErrors.push(/status of 409/)
      const [name, id] = width === 'phone' ? ['Palkova', 'palkova'] : ['Jangiri', 'jangiri']
      await admin.open(`${paths.adminProducts}?product=${id}`)
      await admin.field('Price').fill('321')
      const other = await browser.newContext({ baseURL: adminShop.url })
      const { token } = await adminAccounts.logIn(
        await other.newPage(),
        await adminAccounts.add({ name: 'Ravi', role: 'admin' })
      )
      const change = { version: 1, price: 300, shelfLife: 'Best within 3 days' }
      const headers = { authorization: `Bearer ${token}` }
      expect((await other.request.patch(`/api/admin/products/${id}`, { data: change, headers })).status()).toBe(200)
      await other.close()

      await admin.button('Save product').click()
      const notice = page.getByRole('alert').filter({ hasText: 'Someone else changed this while you were editing' })
      await expect(notice).toContainText('Yours: ₹321.00')
      await expect(notice).toContainText('Theirs: ₹300.00')
      await expect(admin.field('Price')).toHaveValue('321')
      await notice.getByRole('button', { name: 'Keep mine' }).click()
      await expect(admin.row(name)).toBeVisible()
      expect(await admin.fetchProduct(id)).toMatchObject({ price: 321, shelfLife: 'Best within 3 days' })
    })

    test('the form restores an unsaved draft after a reload', async ({ admin, page }) => {
      await admin.open(`${paths.adminProducts}?product=%2B`)
      await admin.field('Name').fill('Half a product')
      await page.reload()
      await expect(admin.field('Name')).toHaveValue('Half a product')
      await admin.button('Discard draft').click()
      await expect(admin.field('Name')).toHaveValue('')
    })

    test('a CSV import shows a preview before saving', async ({ admin, page }) => {
      const [name, id] = width === 'phone' ? ['Ribbon Pakoda', 'ribbon-pakoda'] : ['Uppu Seedai', 'uppu-seedai']
      await admin.open(paths.adminProducts)
      const [download] = await Promise.all([page.waitForEvent('download'), admin.button('Export').click()])
      expect(download.suggestedFilename()).toBe('products.csv')
      await page.getByRole('link', { name: 'Import' }).click()
      await expect(page.getByRole('heading', { name: 'Import products' })).toBeFocused()
      const table = `Id,Price,Colour\n${id},222.50,red\nunicorn,1,\n`
      const file = { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
      await page.getByLabel('Choose a file').setInputFiles(file)
      await expect(admin.row(name)).toContainText('222.50')
      await expect(admin.row('unicorn')).toContainText('No product has this id')
      expect((await admin.fetchProduct(id))?.price).not.toBe(222.5)
      await admin.button('Import 1 product').click()
      await expect(page.getByText('Imported: 1 updated')).toBeVisible()
      expect((await admin.fetchProduct(id))?.price).toBe(222.5)
    })
  })
}
