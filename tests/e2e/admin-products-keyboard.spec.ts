import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { expect, test } from '../support/browser-admin.ts'

const { click, fill } = INPUT_METHODS.keyboard

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('Admin: products by keyboard', () => {
  test('Enter moves to the next stock field and Ctrl+Z undoes the last change', async ({ admin, page }) => {
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

  test('a product and the order of its pictures can be edited, and saving returns to the row of the product', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminProducts)
    await fill(page.getByRole('searchbox', { name: 'Search products' }).last(), 'manoharam')
    await expect(page.getByText('1 product', { exact: true })).toBeVisible()
    await click(page.getByRole('link', { name: 'Edit Manoharam' }))
    await expect(page.getByRole('heading', { name: 'Manoharam', level: 2 })).toBeFocused()
    await fill(admin.field('Shelf life'), 'Best within 9 days')
    const original = await admin.fetchProduct('manoharam')
    await click(admin.button('Move picture 2 of 2 up'))
    await click(admin.button('Save product'))
    await expect(page.getByRole('link', { name: /^Manoharam/ })).toBeFocused()
    const saved = await admin.fetchProduct('manoharam')
    expect(saved?.shelfLife).toBe('Best within 9 days')
    expect(saved?.pictures.map(({ key }) => key)).toEqual(original?.pictures.map(({ key }) => key).toReversed())
  })

  test('a product is deleted only after confirmation', async ({ admin, page }) => {
    await admin.open(`${paths.adminProducts}?product=kadalai-mittai`)
    const deleteButton = admin.button('Delete product')
    await click(deleteButton)
    const dialog = page.getByRole('dialog', { name: 'Delete this product?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(deleteButton).toBeFocused()
    expect(await admin.fetchProduct('kadalai-mittai')).toBeDefined()
    await page.keyboard.press('Enter')
    await click(dialog.getByRole('button', { name: 'Delete Kadalai Mittai' }))
    await expect(page.getByText('Kadalai Mittai was deleted')).toBeVisible()
    expect(await admin.fetchProduct('kadalai-mittai')).toBeUndefined()
  })

  test('a pasted image is added to the pictures', async ({ admin, page }) => {
    await admin.open(`${paths.adminProducts}?product=seer-laddu`)
    const rows = page.getByRole('textbox', { name: /^Describe the picture/ })
    await expect(rows.first()).toBeVisible()
    const count = await rows.count()
    await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 40 })
      canvas.getContext('2d')?.fillRect(0, 0, 30, 40)
      const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve))
      const clipboardData = new DataTransfer()
      if (blob) clipboardData.items.add(new File([blob], 'image.png', { type: 'image/png' }))
      dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
    })
    await expect(rows).toHaveCount(count + 1, { timeout: 30_000 })
  })
})
