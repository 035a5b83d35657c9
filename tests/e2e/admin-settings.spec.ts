import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { paths } from '#lib/paths.ts'
import { POLICIES } from '#lib/settings.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { adminTest as test, expect, phone } from '../support/browser.ts'

const sectionPath = (section: string): string => `${paths.adminSettings}?section=${section}`

test.use(phone)

test.describe('Admin: settings', () => {
  test('a new name and phone number are live on the pages, and the earlier version can be restored', async ({
    admin,
    page
  }) => {
    await admin.open(paths.adminSettings)
    await page.getByRole('link', { name: /^Shop details/ }).click()
    const form = page.getByRole('form', { name: 'Shop details' })
    await form.getByLabel('Shop name', { exact: true }).fill('Amma’s Kitchen')
    await form.getByLabel('Phone', { exact: true }).fill('+91 98765 43210')
    await admin.button('Save settings').click()
    await expect(page.getByText('Shop details saved')).toBeVisible()
    await expect(page.getByRole('link', { name: /^Shop details/ })).toContainText('by Meena')
    await admin.expectPublishedAt(paths.contact, 'tel:+919876543210')
    await admin.expectPublishedAt(paths.home, 'Amma’s Kitchen')

    await page.getByRole('link', { name: /^Shop details/ }).click()
    await page.getByText('History').click()
    await page.getByRole('link', { name: 'View version 1' }).click()
    await admin.button('Restore this version').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore version' }).click()
    await expect(form.getByLabel('Shop name', { exact: true })).toHaveValue('Palagaram')
    await admin.expectPublishedAt(paths.home, 'Palagaram')
  })

  test('a policy is published as the preview shows it', async ({ admin, page }) => {
    await admin.open(sectionPath('shipping'))
    await page
      .getByRole('form')
      .getByLabel('Text', { exact: true })
      .fill('## Delivery\n\nCall {name}.')
    await admin.button('Preview').click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview).toContainText('Call Palagaram Home Foods.')
    const previewed = await preview.locator('.prose').innerHTML()
    await admin.button('Save settings').click()
    await expect(page.getByText('Shipping and Delivery saved')).toBeVisible()
    await admin.expectPublishedAt(paths.shipping, 'Call Palagaram Home Foods.')
    await page.goto(paths.shipping)
    expect(await page.locator('main .prose').innerHTML()).toBe(previewed)
  })

  test('the list and each form are accessible', async ({ admin, page }) => {
    await admin.open(paths.adminSettings)
    await expect(page.getByRole('list', { name: 'Settings' })).toBeVisible()
    await expectAccessible(page, 'list')
    // All policies have the same form.
    for (const section of Object.keys(SECTION_FORMS).filter(
      name => name === 'privacy' || !(name in POLICIES)
    )) {
      await admin.open(sectionPath(section))
      await expect(admin.button('Save settings')).toBeVisible()
      await page.getByText('History').click()
      await expect(
        page
          .getByText('No changes yet.')
          .or(page.getByRole('link', { name: /^View version/ }))
          .first()
      ).toBeVisible()
      await expectAccessible(page, section)
    }
    await admin.open(sectionPath('home'))
    await page.getByText('Preview').click()
    await admin.button('Change picture').first().click()
    await expect(
      page.getByRole('dialog', { name: 'Choose a picture' }).getByRole('button')
    ).not.toHaveCount(1)
    await expectAccessible(page, 'pictures')
  })
})
