import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { HANDS } from '../support/browser-hands.ts'
import { expect, test } from '../support/browser-owner.ts'

const { press, type } = HANDS.keyboard

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('the owner’s products by keyboard alone', () => {
  test('stock is counted down a column, and the last count taken back', async ({ owner, page }) => {
    await owner.open(paths.adminProducts)
    await type(page.getByRole('searchbox', { name: 'Search products' }).last(), 'pickle')
    await expect(page.getByText(/^\d products$/)).toBeVisible()
    const fields = page.getByLabel(/^Stock of/)
    await type(fields.nth(0), '61')
    await page.keyboard.press('Enter')
    await expect(fields.nth(1)).toBeFocused()
    await page.keyboard.type('62')
    await page.keyboard.press('Enter')
    await expect(fields.nth(2)).toBeFocused()
    await expect(owner.undo).toContainText('62 in stock')
    await page.keyboard.press('Control+z')
    await expect(fields.nth(1)).not.toHaveValue('62')
    await expect(fields.nth(0)).toHaveValue('61')
    await page.keyboard.type('9')
    await page.keyboard.press('Escape')
    await expect(fields.nth(2)).not.toHaveValue('9')
  })

  test('a product is opened, changed, its pictures reordered, saved, and found again in the list', async ({
    owner,
    page
  }) => {
    await owner.open(paths.adminProducts)
    await type(page.getByRole('searchbox', { name: 'Search products' }).last(), 'manoharam')
    await expect(page.getByText('1 product', { exact: true })).toBeVisible()
    await press(page.getByRole('link', { name: 'Edit Manoharam' }))
    await expect(page.getByRole('heading', { name: 'Manoharam', level: 2 })).toBeFocused()
    await type(owner.field('Shelf life'), 'Best within 9 days')
    const before = await owner.product('manoharam')
    await press(owner.button('Move picture 2 of 2 forward'))
    await press(owner.button('Save product'))
    await expect(page.getByRole('link', { name: /^Manoharam/ })).toBeFocused()
    const after = await owner.product('manoharam')
    expect(after?.shelfLife).toBe('Best within 9 days')
    expect(after?.pictures.map(({ key }) => key)).toEqual(before?.pictures.map(({ key }) => key).toReversed())
  })

  test('a product is deleted, not by mistake', async ({ owner, page }) => {
    await owner.open(`${paths.adminProducts}?product=kadalai-mittai`)
    const open = owner.button('Delete product')
    await press(open)
    const dialog = page.getByRole('dialog', { name: 'Delete this product?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(open).toBeFocused()
    expect(await owner.product('kadalai-mittai')).toBeDefined()
    await page.keyboard.press('Enter')
    await press(dialog.getByRole('button', { name: 'Delete Kadalai Mittai' }))
    await expect(page.getByText('Kadalai Mittai was deleted')).toBeVisible()
    expect(await owner.product('kadalai-mittai')).toBeUndefined()
  })

  test('a picture is pasted', async ({ owner, page }) => {
    await owner.open(`${paths.adminProducts}?product=seer-laddu`)
    const rows = page.getByRole('textbox', { name: /^What it shows/ })
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
