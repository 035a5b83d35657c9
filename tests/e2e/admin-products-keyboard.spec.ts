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

  test('edits a product, reorders its pictures and returns to its row', async ({ admin, page }) => {
    await admin.open(paths.adminProducts)
    await fill(page.getByRole('searchbox', { name: 'Search products' }).last(), 'manoharam')
    await expect(page.getByText('1 product', { exact: true })).toBeVisible()
    await click(page.getByRole('link', { name: 'Edit Manoharam' }))
    await expect(page.getByRole('heading', { name: 'Manoharam', level: 2 })).toBeFocused()
    await fill(admin.field('Shelf life'), 'Best within 9 days')
    const before = await admin.fetchProduct('manoharam')
    await click(admin.button('Move picture 2 of 2 up'))
    await click(admin.button('Save product'))
    await expect(page.getByRole('link', { name: /^Manoharam/ })).toBeFocused()
    const after = await admin.fetchProduct('manoharam')
    expect(after?.shelfLife).toBe('Best within 9 days')
    expect(after?.pictures.map(({ key }) => key)).toEqual(before?.pictures.map(({ key }) => key).toReversed())
  })

  test('deletes a product only after confirmation', async ({ admin, page }) => {
    await admin.open(`${paths.adminProducts}?product=kadalai-mittai`)
    const open = admin.button('Delete product')
    await click(open)
    const dialog = page.getByRole('dialog', { name: 'Delete this product?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(open).toBeFocused()
    expect(await admin.fetchProduct('kadalai-mittai')).toBeDefined()
    await page.keyboard.press('Enter')
    await click(dialog.getByRole('button', { name: 'Delete Kadalai Mittai' }))
    await expect(page.getByText('Kadalai Mittai was deleted')).toBeVisible()
    expect(await admin.fetchProduct('kadalai-mittai')).toBeUndefined()
  })

  test('adds a picture by pasting', async ({ admin, page }) => {
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
