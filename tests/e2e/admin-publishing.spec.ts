import type { Page } from 'playwright/test'
import type { Publishing } from '#lib/contract/admin.ts'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { adminTest as test, expect, phone } from '../support/browser.ts'

const STATUS_URL = '**/api/admin/publishing'
const TIME = '2026-11-21T04:00:00.000Z'
const LIVE: Publishing = {
  live: { release: 'one', since: TIME },
  failedPages: []
}
const request = { id: 'p', requestedAt: TIME } as const

test.use(phone)

test.describe('Admin: publishing', () => {
  test('shows the progress on every admin page', async ({ admin, page }) => {
    await admin.open(paths.adminProducts)
    const statusLink = page.getByRole('main').getByRole('link', { name: /^Website: / })
    await expect(statusLink).toHaveText('Website: up to date', { timeout: 60_000 })
    await admin.price('Adhirasam').fill('151.50')
    await admin.price('Adhirasam').press('Enter')
    await expect(statusLink).toHaveText('Website: updating…')
    await expect(statusLink).toHaveText('Website: up to date', { timeout: 60_000 })
    await expect(page.getByRole('status').filter({ hasText: 'Website: up to date' })).toHaveCount(1)
    await statusLink.click()

    await expect(page.getByText('All your changes are live.')).toBeVisible()
    await expectAccessible(page, 'live')
  })

  test('shows if publishing is running, has failed as a whole or for a page, or is disabled, or if its status cannot be loaded', async ({
    admin,
    page,
    allowedErrors
  }) => {
    allowedErrors.push(/status of (404|500)/)
    await admin.open(paths.adminPublishing)
    const rendering = { ...request, state: 'rendering', cause: 'change', startedAt: TIME } as const
    await mockStatus(page, { ...LIVE, rendering, progress: { rendered: 12, of: 40 } })
    await expect(page.getByRole('progressbar', { name: 'Updating pages: 12 of 40' })).toBeVisible()
    await expectAccessible(page, 'rendering')

    await mockStatus(page, { ...LIVE, failedPages: ['/blogs/story'] })
    await expect(page.getByRole('main').getByRole('link', { name: '/blogs/story' })).toBeVisible()
    await expectAccessible(page, 'failed pages')
    await page.goto(paths.admin)
    await expect(page.getByRole('link', { name: 'Website: 1 page failed' })).toBeVisible()
    await page.goto(paths.adminPublishing)

    const failed = {
      ...request,
      state: 'failed',
      cause: 'change',
      problem: 'No space left on the disk'
    } as const
    await mockStatus(page, { ...LIVE, failed })
    await page.getByRole('alert').getByText('Details').click()
    await expect(page.getByRole('alert')).toContainText('No space left on the disk')
    await expectAccessible(page, 'failed')
    const retryRequest = page.waitForRequest(request => request.url().endsWith('/publishing/retry'))
    await page.getByRole('button', { name: 'Try again now' }).click()
    await retryRequest
    await page.goto(paths.admin)
    await expect(page.getByRole('link', { name: 'Website: not up to date' })).toBeVisible()

    await page.goto(paths.adminPublishing)
    await page.unroute(STATUS_URL)
    await page.route(STATUS_URL, route =>
      route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'Sorry.' } })
    )
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('This could not be loaded. Sorry.')
    await page.unroute(STATUS_URL)
    await page.route(STATUS_URL, route =>
      route.fulfill({ status: 404, json: { code: 'NOT_FOUND', message: 'No.' } })
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('This server doesn’t update the website.')).toBeVisible()
  })
})

async function mockStatus(page: Page, publishing: Publishing): Promise<void> {
  await page.unroute(STATUS_URL)
  await page.route(STATUS_URL, route => route.fulfill({ json: publishing }))
  await page.reload()
}
