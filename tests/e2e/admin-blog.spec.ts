import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, narrowest, phone } from '../support/browser.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { expect, makePhoto, test, type AdminPages } from '../support/browser-admin.ts'

const NEW_POST = `${paths.adminBlog}?post=%2B`
const ATTACK =
  '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> [press](javascript:hacked=1)'
const SAFE = '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> press'

async function expectNoLayoutIssues(page: Page, state: string): Promise<void> {
  expect(await axeFindings(page), state).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  expect(overflow, `${state}: horizontal scroll`).toBe(0)
}

async function fillPost(admin: AdminPages, title: string, text: string): Promise<void> {
  await admin.field('Title', 'Post').fill(title)
  await admin.field('Summary', 'Post').fill('Two pots boil over on one morning.')
  await admin.field('Text', 'Post').fill(text)
}

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`Admin: blog (${width})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('publishes a post exactly as the preview shows it and runs no script from its text', async ({
      admin,
      page
    }) => {
      test.setTimeout(180_000)
      const title = `Pongal at ${width} width`
      const id = `pongal-at-${width}-width`
      await admin.open(paths.adminBlog)
      await expect(admin.row('Caring for a Pickle Jar')).toBeVisible()
      await expectNoLayoutIssues(page, 'list')
      await page.getByRole('link', { name: 'Write post' }).click()
      await expect(page.getByRole('heading', { name: 'New post' })).toBeFocused()
      await fillPost(admin, title, `## The pots\n\nUse *new* [pots](/products) of ${'long'.repeat(60)}.\n\n${ATTACK}`)
      await page
        .getByLabel('Choose a picture')
        .setInputFiles(await makePhoto(width === 'phone' ? '#907020' : '#a08030'))
      await admin.field('Describe the picture', 'Post').fill('Two clay pots', { timeout: 30_000 })
      await admin.button('Preview').click()
      const preview = page.getByRole('region', { name: 'Preview' })
      await expect(preview).toContainText(SAFE)
      await expect(preview.getByRole('heading', { name: 'The pots' })).toBeVisible()
      await expect(preview.getByRole('link')).toHaveText(['pots'])
      await expectNoLayoutIssues(page, 'form')
      const previewed = await preview.locator('.prose').innerHTML()
      await admin.button('Publish post').click()
      await expect(page.getByText(`“${title}” is published`)).toBeVisible()
      await expect(admin.row(title)).toContainText('Published')

      await admin.expectPublishedAt(paths.blog(id), 'The pots')
      await page.goto(paths.blog(id))
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      expect(await page.locator('main .prose').innerHTML()).toBe(previewed)
      await expect(page.getByRole('img', { name: 'Two clay pots' })).toBeVisible()
      expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    })

    test('keeps the input after a validation error, a reload and an edit conflict', async ({
      admin,
      page,
      browser,
      adminShop,
      adminAccounts,
      allowedErrors
    }) => {
      test.setTimeout(90_000)
      allowedErrors.push(/status of 409/)
      const id = width === 'phone' ? 'reading-jaggery-syrup' : 'what-goes-into-a-seer-varisai'
      await admin.open(`${paths.adminBlog}?post=${id}`)
      await admin.field('Title', 'Post').fill('')
      await admin.field('Author', 'Post').fill('Meena')
      await admin.button('Save post').click()
      await expect(admin.field('Title', 'Post')).toBeFocused()
      await expectNoLayoutIssues(page, 'validation error')
      await admin.field('Title', 'Post').fill('My title')
      await page.reload()
      await expect(admin.field('Title', 'Post')).toHaveValue('My title')

      const other = await browser.newContext({ baseURL: adminShop.url })
      const { token } = await adminAccounts.logIn(
        await other.newPage(),
        await adminAccounts.add({ name: 'Ravi', role: 'admin' })
      )
      const headers = { authorization: `Bearer ${token}` }
      const data = { version: 1, title: 'Their title', excerpt: 'Their words.' }
      expect((await other.request.patch(`/api/admin/posts/${id}`, { data, headers })).status()).toBe(200)
      await other.close()
      await admin.button('Save post').click()
      const notice = page.getByRole('alert').filter({ hasText: 'Someone else changed this while you were editing' })
      await expect(notice).toContainText('Yours: My title')
      await expect(notice).toContainText('Theirs: Their title')
      await expectNoLayoutIssues(page, 'conflict')
      await notice.getByRole('button', { name: 'Keep mine' }).click()
      await expect(admin.row('My title')).toContainText('Their words.')
      await admin.row('My title').getByRole('link', { name: 'Edit' }).click()
      await page.getByText('History').click()
      await expect(page.getByText('Title: Their title → My title')).toBeVisible()
      await expectNoLayoutIssues(page, 'history')
    })
  })
}

test.describe('Admin: blog by keyboard', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  test('a post can be formatted, saved, published, unpublished and deleted', async ({ admin, page, adminShop }) => {
    test.setTimeout(90_000)
    const { click, fill } = INPUT_METHODS.keyboard
    const isPublished = async (): Promise<boolean> =>
      (await (await fetch(`${adminShop.url}/api/blog`)).text()).includes('keys-only')
    await admin.open(paths.adminBlog)
    await click(page.getByRole('link', { name: 'Write post' }))
    await fill(admin.field('Title', 'Post'), 'Keys only')
    await fill(admin.field('Summary', 'Post'), 'Without a mouse.')
    await fill(admin.field('Text', 'Post'), 'bold')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+b')
    await expect(admin.field('Text', 'Post')).toHaveValue('**bold**')
    await expect(page.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('bold')
    await admin.field('Status', 'Post').selectOption('no')
    await click(admin.button('Save draft'))
    await expect(admin.row('Keys only')).toContainText('Draft')
    expect(await isPublished()).toBe(false)
    await click(admin.button('Publish Keys only'))
    await expect(admin.undo).toContainText('“Keys only” is published')
    expect(await isPublished()).toBe(true)
    await page.keyboard.press('Control+z')
    await expect(admin.row('Keys only')).toContainText('Draft')
    expect(await isPublished()).toBe(false)
    await click(page.getByRole('link', { name: 'Edit Keys only' }))
    await click(admin.button('Delete post'))
    const dialog = page.getByRole('dialog', { name: 'Delete this post?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectNoLayoutIssues(page, 'dialog')
    await click(dialog.getByRole('button', { name: /^Delete/ }))
    await expect(page.getByText('“Keys only” was deleted')).toBeVisible()
    await expect(admin.row('Keys only')).toHaveCount(0)
  })
})

test.describe('Admin: blog on a narrow phone', () => {
  test.use({ ...narrowest, contextOptions: { reducedMotion: 'reduce' } })

  test('shows network errors and a retry button', async ({ admin, page, allowedErrors }) => {
    test.setTimeout(60_000)
    allowedErrors.push(/net::ERR/)
    await page.route('**/api/admin/posts', route => route.abort())
    await admin.open(paths.adminBlog)
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await expectNoLayoutIssues(page, 'offline')
    await page.unroute('**/api/admin/posts')
    await admin.button('Try again').click()
    await expect(admin.row('Caring for a Pickle Jar')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('zzz')
    await expect(page.getByText('No posts found.')).toBeVisible()
    await expectNoLayoutIssues(page, 'nothing found')
    await admin.open(NEW_POST)
    await page.route('**/api/admin/posts/preview', route => route.abort())
    await admin.field('Text', 'Post').fill('Without a net')
    await admin.button('Preview').click()
    await expect(page.getByText('The preview could not be updated.')).toBeVisible()
    await expectNoLayoutIssues(page, 'no preview')
  })
})
