import { paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { NOT_FOUND_STATUS } from '../support/browser-pages.ts'
import { expect, photo, test, type OwnersPages } from '../support/browser-owner.ts'

const WIDTHS = { phone, desktop }

async function describeIt(owner: OwnersPages, name: string): Promise<void> {
  await owner.field('Name').fill(name)
  await owner.field('Tamil name (optional)').fill('ரவா கேசரி')
  await owner.field('Price of a pack').fill('150.50')
  await owner.field('Stock, in packs').fill('12')
  await owner.field('Description').fill('Semolina roasted in ghee, with saffron.')
  await owner.field('Ingredients').fill('Semolina (wheat)\nGhee (milk)')
  await owner.field('Shelf life').fill('Best within 5 days')
}

for (const [width, device] of Object.entries(WIDTHS)) {
  test.describe(`the owner's products at ${width} width`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('a new product with a photo gets a page that visitors find', async ({ owner, page, forgiven }) => {
      test.setTimeout(240_000)
      forgiven.push(NOT_FOUND_STATUS)
      const [name, id] = [`Rava Kesari ${width}`, `rava-kesari-${width}`]
      await owner.open(paths.adminProducts)
      await page.getByRole('link', { name: 'Add product' }).click()
      await expect(page.getByRole('heading', { name: 'New product' })).toBeFocused()
      await describeIt(owner, name)
      await page.getByLabel('Choose pictures').setInputFiles(await photo(width === 'phone' ? '#e0a030' : '#d08020'))
      const alt = page.getByRole('textbox', { name: /^What it shows/ })
      await expect(alt).toHaveValue(name, { timeout: 30_000 })
      await alt.fill('A bowl of kesari')
      await owner.button('Save product').click()
      await expect(page.getByText(`${name} is in the shop`)).toBeVisible()
      await expect(owner.row(name)).toBeVisible()
      expect(await owner.product(id)).toMatchObject({
        price: 150.5,
        stock: 12,
        pictures: [{ alt: 'A bowl of kesari' }]
      })

      await owner.published(id, 'Semolina roasted in ghee')
      await page.goto(paths.product(id))
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(page.getByText('₹150.50').first()).toBeVisible()
      const picture = page.getByRole('img', { name: 'A bowl of kesari' }).first()
      await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    })

    test('price and stock are changed where they stand, and the product page says so', async ({ owner, page }) => {
      test.setTimeout(240_000)
      const [name, id] = width === 'phone' ? ['Badusha', 'badusha'] : ['Kara Sev', 'kara-sev']
      await owner.open(paths.adminProducts)
      await owner.price(name).fill('199.50')
      await owner.price(name).press('Enter')
      await expect(owner.undo).toContainText(`${name}: ₹199.50`)
      await owner.stock(name).fill('3')
      await owner.stock(name).blur()
      await expect(owner.undo).toContainText(`${name}: 3 in stock`)
      await page.goto(paths.product(id))
      await expect(page.getByText('₹199.50').first()).toBeVisible()
      await expect(page.getByText('Only 3 left').or(page.getByText('Few left')).first()).toBeVisible()
      await owner.published(id, '199.50')
    })

    test('a change is taken back within ten seconds', async ({ owner, page }) => {
      const [name, id] = width === 'phone' ? ['Thattai', 'thattai'] : ['Mysore Pak', 'mysore-pak']
      await owner.open(paths.adminProducts)
      const before = await owner.product(id)
      await owner.stock(name).fill('77')
      await owner.stock(name).press('Enter')
      await owner.undo.getByRole('button', { name: /^Undo/ }).click()
      await expect(owner.stock(name)).toHaveValue(String(before?.stock))
      expect(await owner.product(id)).toEqual(before)
      await owner.button(`Hide ${name}`).click()
      await expect(owner.row(name)).toContainText('Hidden')
      expect(await owner.product(id)).toBeUndefined()
      await owner.undo.getByRole('button', { name: /^Undo/ }).click()
      await expect(owner.row(name)).not.toContainText('Hidden')
      expect(await owner.product(id)).toEqual(before)
      await expect(page.getByRole('status').filter({ hasText: 'Undone' }).last()).toBeVisible()
    })

    test('nothing typed is lost when somebody else was faster', async ({
      owner,
      page,
      browser,
      ownShop,
      desk,
      forgiven
    }) => {
      forgiven.push(/status of 409/)
      const [name, id] = width === 'phone' ? ['Palkova', 'palkova'] : ['Jangiri', 'jangiri']
      await owner.open(`${paths.adminProducts}?product=${id}`)
      await owner.field('Price of a pack').fill('321')
      const other = await browser.newContext({ baseURL: ownShop.url })
      const { token } = await desk.enter(await other.newPage(), await desk.add({ name: 'Ravi', role: 'admin' }))
      const change = { version: 1, price: 300, shelfLife: 'Best within 3 days' }
      const headers = { authorization: `Bearer ${token}` }
      expect((await other.request.patch(`/api/admin/products/${id}`, { data: change, headers })).status()).toBe(200)
      await other.close()

      await owner.button('Save product').click()
      const notice = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile' })
      await expect(notice).toContainText('Yours: ₹321.00')
      await expect(notice).toContainText('In the shop now: ₹300.00')
      await expect(owner.field('Price of a pack')).toHaveValue('321')
      await notice.getByRole('button', { name: 'Save mine over it' }).click()
      await expect(owner.row(name)).toBeVisible()
      expect(await owner.product(id)).toMatchObject({ price: 321, shelfLife: 'Best within 3 days' })
    })

    test('what was typed and not saved is there again after a reload', async ({ owner, page }) => {
      await owner.open(`${paths.adminProducts}?product=%2B`)
      await owner.field('Name').fill('Half a product')
      await page.reload()
      await expect(owner.field('Name')).toHaveValue('Half a product')
      await owner.button('Start over').click()
      await expect(owner.field('Name')).toHaveValue('')
    })

    test('a table is looked at before it changes anything', async ({ owner, page }) => {
      const [name, id] = width === 'phone' ? ['Ribbon Pakoda', 'ribbon-pakoda'] : ['Uppu Seedai', 'uppu-seedai']
      await owner.open(paths.adminProducts)
      const [download] = await Promise.all([page.waitForEvent('download'), owner.button('Export').click()])
      expect(download.suggestedFilename()).toBe('products.csv')
      await page.getByRole('link', { name: 'Import' }).click()
      await expect(page.getByRole('heading', { name: 'Import products' })).toBeFocused()
      const table = `Id,Price,Colour\n${id},222.50,red\nunicorn,1,\n`
      const file = { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
      await page.getByLabel('Choose a table').setInputFiles(file)
      await expect(owner.row(name)).toContainText('222.50')
      await expect(owner.row('unicorn')).toContainText('There is no product with this id')
      expect((await owner.product(id))?.price).not.toBe(222.5)
      await owner.button('Import 1 product').click()
      await expect(page.getByText('Imported: 1 changed')).toBeVisible()
      expect((await owner.product(id))?.price).toBe(222.5)
    })
  })
}
