import { stat } from 'node:fs/promises'
import { list } from 'tar'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, phone } from '../support/browser.ts'
import { expect, test } from '../support/browser-accounts.ts'

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`Admin: backup (${width})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('downloads an archive and shows the date of the last backup', async ({ page, accounts }) => {
      await accounts.logIn(page, await accounts.add({ name: 'Meena', role: 'admin' }))
      await page.goto(paths.admin)
      const backup = page.getByRole('region', { name: 'Backup' })
      await expect(backup).toContainText(ADMIN_MESSAGES.backupContents)
      const downloadEvent = page.waitForEvent('download', { timeout: 20_000 })
      const button = backup.getByRole('button', { name: 'Download backup' })
      await button.focus()
      await page.keyboard.press('Enter')
      const download = await downloadEvent
      expect(download.suggestedFilename()).toMatch(/^palagaram-.*\.tar\.gz$/)
      await expect(backup.getByRole('status')).toContainText(/^Backup downloaded \(/)
      await expect(backup).toContainText(/Last backup: .* (am|pm)/)
      const file = await download.path()
      const names: string[] = []
      await list({ file, onReadEntry: ({ path }) => void names.push(path) })
      expect(names).toContain('database/products.jsonl')
      expect(names.filter(name => name.endsWith('.avif')).length).toBeGreaterThan(50)
      expect((await stat(file)).size).toBeGreaterThan(100_000)
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      expect(await axeFindings(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    })
  })
}
