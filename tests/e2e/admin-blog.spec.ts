import { paths } from '#lib/paths.ts'
import { makePhoto } from '../support/browser-admin.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { adminTest as test, desktop, expect, phone } from '../support/browser.ts'

const NEW_POST = `${paths.adminBlog}?post=%2B`
const ATTACK =
  '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> [press](javascript:hacked=1)'
const SAFE =
  '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> press'

test.describe('Admin: blog on a phone', () => {
  test.use(phone)

  test('a post is published as the preview shows it, and no script in its text runs', async ({
    admin,
    page,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR/)
    await page.route('**/api/admin/posts', route => route.abort())
    await admin.open(paths.adminBlog)
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await page.unroute('**/api/admin/posts')
    await admin.button('Try again').click()
    await expect(admin.row('Caring for a Pickle Jar')).toBeVisible()
    await expectAccessible(page, 'list')
    await page.getByRole('link', { name: 'Write post' }).click()
    await expect(page.getByRole('heading', { name: 'New post' })).toBeFocused()
    await admin.field('Title', 'Post').fill('Pongal at home')
    await admin.field('Summary', 'Post').fill('Two pots boil over on one morning.')
    const text = `## The pots\n\nUse *new* [pots](/products) of ${'long'.repeat(60)}.\n\n${ATTACK}`
    await admin.field('Text', 'Post').fill(text)
    await page.getByLabel('Choose a picture').setInputFiles(await makePhoto('#907020'))
    await admin.field('Describe the picture', 'Post').fill('Two clay pots', { timeout: 30_000 })
    await admin.button('Preview').click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview).toContainText(SAFE)
    await expect(preview.getByRole('heading', { name: 'The pots' })).toBeVisible()
    await expect(preview.getByRole('link')).toHaveText(['pots'])
    await expectAccessible(page, 'form')
    const previewed = await preview.locator('.prose').innerHTML()
    await admin.button('Publish post').click()
    await expect(page.getByText('“Pongal at home” is published')).toBeVisible()
    await expect(admin.row('Pongal at home')).toContainText('Published')

    const path = paths.blog('pongal-at-home')
    await admin.expectPublishedAt(path, 'The pots')
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Pongal at home' })).toBeVisible()
    expect(await page.locator('main .prose').innerHTML()).toBe(previewed)
    await expect(page.getByRole('img', { name: 'Two clay pots' })).toBeVisible()
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  })

  test('keeps the input after a validation error, a reload, a network failure and an edit conflict', async ({
    admin,
    page,
    adminAccounts,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 409|net::ERR/)
    const id = 'reading-jaggery-syrup'
    await admin.open(`${paths.adminBlog}?post=${id}`)
    await admin.field('Title', 'Post').fill('')
    await admin.field('Author', 'Post').fill('Meena')
    await admin.button('Save post').click()
    await expect(admin.field('Title', 'Post')).toBeFocused()
    await admin.field('Title', 'Post').fill('My title')
    await page.reload()
    await expect(admin.field('Title', 'Post')).toHaveValue('My title')
    await page.route('**/api/admin/posts/preview', route => route.abort())
    await admin.button('Preview').click()
    await expect(page.getByText('The preview could not be updated.')).toBeVisible()

    const headers = await adminAccounts.adminHeaders()
    const data = { version: 1, title: 'Their title', excerpt: 'Their words.' }
    const url = `${admin.shop.url}/api/admin/posts/${id}`
    expect((await page.request.patch(url, { data, headers })).status()).toBe(200)
    await admin.button('Save post').click()
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'Someone else changed this while you were editing' })
    await expect(notice).toContainText('Yours: My title')
    await expect(notice).toContainText('Theirs: Their title')
    await expectAccessible(page, 'conflict')
    await notice.getByRole('button', { name: 'Keep mine' }).click()
    await expect(admin.row('My title')).toContainText('Their words.')
    await admin.row('My title').getByRole('link', { name: 'Edit' }).click()
    await page.getByText('History').click()
    await expect(page.getByText('Title: Their title → My title')).toBeVisible()
  })
})

test.describe('Admin: blog by keyboard', () => {
  test.use(desktop)

  test('a post can be formatted, saved, published, unpublished and deleted', async ({
    admin,
    page
  }) => {
    const { click, fill } = INPUT_METHODS.keyboard
    const isPublished = async (): Promise<boolean> =>
      (await (await fetch(`${admin.shop.url}/api/blog`)).text()).includes('keys-only')
    await admin.open(NEW_POST)
    await fill(admin.field('Title', 'Post'), 'Keys only')
    await fill(admin.field('Summary', 'Post'), 'Without a mouse.')
    await fill(admin.field('Text', 'Post'), 'bold')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+b')
    await expect(admin.field('Text', 'Post')).toHaveValue('**bold**')
    await expect(page.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('bold')
    await admin.field('Status', 'Post').selectOption('Draft')
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
    await click(dialog.getByRole('button', { name: /^Delete/ }))
    await expect(page.getByText('“Keys only” was deleted')).toBeVisible()
    await expect(admin.row('Keys only')).toHaveCount(0)
  })
})
