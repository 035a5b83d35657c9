import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, narrowest, phone } from '../support/browser.ts'
import { HANDS } from '../support/browser-hands.ts'
import { expect, photo, test, type OwnersPages } from '../support/browser-owner.ts'

const NEW = `${paths.adminBlog}?post=%2B`
const ATTACK =
  '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> [press](javascript:hacked=1)'
const SAFE = '<img src=x onerror="globalThis.hacked = 1"> <script>globalThis.hacked = 1</script> press'

async function looksRight(page: Page, state: string): Promise<void> {
  expect(await axeFindings(page), state).toEqual([])
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  expect(sideways, `${state}: sideways`).toBe(0)
}

async function write(owner: OwnersPages, title: string, text: string): Promise<void> {
  await owner.field('Title', 'Post').fill(title)
  await owner.field('In short', 'Post').fill('Two pots boil over on one morning.')
  await owner.field('Text', 'Post').fill(text)
}

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`the owner’s blog at ${width} width`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('a post with a photo gets a page as it was previewed, and nothing in it is alive', async ({ owner, page }) => {
      test.setTimeout(180_000)
      const [title, id] = [`Pongal at ${width} width`, `pongal-at-${width}-width`]
      await owner.open(paths.adminBlog)
      await expect(owner.row('Caring for a Pickle Jar')).toBeVisible()
      await looksRight(page, 'list')
      await page.getByRole('link', { name: 'Write a post' }).click()
      await expect(page.getByRole('heading', { name: 'New post' })).toBeFocused()
      await write(owner, title, `## The pots\n\nUse *new* [pots](/products) of ${'long'.repeat(60)}.\n\n${ATTACK}`)
      await page.getByLabel('Choose a picture').setInputFiles(await photo(width === 'phone' ? '#907020' : '#a08030'))
      await owner.field('What the picture shows', 'Post').fill('Two clay pots', { timeout: 30_000 })
      await owner.button('Preview').click()
      const preview = page.getByRole('region', { name: 'Preview' })
      await expect(preview).toContainText(SAFE)
      await expect(preview.getByRole('heading', { name: 'The pots' })).toBeVisible()
      await expect(preview.getByRole('link')).toHaveText(['pots'])
      await looksRight(page, 'form')
      const previewed = await preview.locator('.prose').innerHTML()
      await owner.button('Publish post').click()
      await expect(page.getByText(`“${title}” is published`)).toBeVisible()
      await expect(owner.row(title)).toContainText('Published')

      await owner.publishedAt(paths.blog(id), 'The pots')
      await page.goto(paths.blog(id))
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      expect(await page.locator('main .prose').innerHTML()).toBe(previewed)
      await expect(page.getByRole('img', { name: 'Two clay pots' })).toBeVisible()
      expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    })

    test('nothing typed is lost by a reload, by a complaint or by who was faster', async ({
      owner,
      page,
      browser,
      ownShop,
      desk,
      forgiven
    }) => {
      test.setTimeout(90_000)
      forgiven.push(/status of 409/)
      const id = width === 'phone' ? 'reading-jaggery-syrup' : 'what-goes-into-a-seer-varisai'
      await owner.open(`${paths.adminBlog}?post=${id}`)
      await owner.field('Title', 'Post').fill('')
      await owner.field('Author', 'Post').fill('Meena')
      await owner.button('Save post').click()
      await expect(owner.field('Title', 'Post')).toBeFocused()
      await looksRight(page, 'complaint')
      await owner.field('Title', 'Post').fill('My title')
      await page.reload()
      await expect(owner.field('Title', 'Post')).toHaveValue('My title')

      const other = await browser.newContext({ baseURL: ownShop.url })
      const { token } = await desk.enter(await other.newPage(), await desk.add({ name: 'Ravi', role: 'admin' }))
      const headers = { authorization: `Bearer ${token}` }
      const data = { version: 1, title: 'Their title', excerpt: 'Their words.' }
      expect((await other.request.patch(`/api/admin/posts/${id}`, { data, headers })).status()).toBe(200)
      await other.close()
      await owner.button('Save post').click()
      const notice = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile' })
      await expect(notice).toContainText('Yours: My title')
      await expect(notice).toContainText('In the shop now: Their title')
      await looksRight(page, 'conflict')
      await notice.getByRole('button', { name: 'Save mine over it' }).click()
      await expect(owner.row('My title')).toContainText('Their words.')
      await owner.row('My title').getByRole('link', { name: 'Edit' }).click()
      await page.getByText('History').click()
      await expect(page.getByText('Title: Their title → My title')).toBeVisible()
      await looksRight(page, 'history')
    })
  })
}

test.describe('the owner’s blog by keyboard alone', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  test('a draft is marked up, saved, published, taken back and deleted', async ({ owner, page, ownShop }) => {
    test.setTimeout(90_000)
    const { press, type } = HANDS.keyboard
    const isRead = async (): Promise<boolean> =>
      (await (await fetch(`${ownShop.url}/api/blog`)).text()).includes('keys-only')
    await owner.open(paths.adminBlog)
    await press(page.getByRole('link', { name: 'Write a post' }))
    await type(owner.field('Title', 'Post'), 'Keys only')
    await type(owner.field('In short', 'Post'), 'Without a mouse.')
    await type(owner.field('Text', 'Post'), 'bold')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+b')
    await expect(owner.field('Text', 'Post')).toHaveValue('**bold**')
    await expect(page.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('bold')
    await owner.field('Visitors', 'Post').selectOption('no')
    await press(owner.button('Save draft'))
    await expect(owner.row('Keys only')).toContainText('Draft')
    expect(await isRead()).toBe(false)
    await press(owner.button('Publish Keys only'))
    await expect(owner.undo).toContainText('“Keys only” is published')
    expect(await isRead()).toBe(true)
    await page.keyboard.press('Control+z')
    await expect(owner.row('Keys only')).toContainText('Draft')
    expect(await isRead()).toBe(false)
    await press(page.getByRole('link', { name: 'Edit Keys only' }))
    await press(owner.button('Delete post'))
    const dialog = page.getByRole('dialog', { name: 'Delete this post?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await looksRight(page, 'dialog')
    await press(dialog.getByRole('button', { name: /^Delete/ }))
    await expect(page.getByText('“Keys only” was deleted')).toBeVisible()
    await expect(owner.row('Keys only')).toHaveCount(0)
  })
})

test.describe('the owner’s blog on the narrowest phone', () => {
  test.use({ ...narrowest, contextOptions: { reducedMotion: 'reduce' } })

  test('fits, says when the shop can’t be reached, and tries again', async ({ owner, page, forgiven }) => {
    test.setTimeout(60_000)
    forgiven.push(/net::ERR/)
    await page.route('**/api/admin/posts', route => route.abort())
    await owner.open(paths.adminBlog)
    await expect(page.getByText('We cannot reach the shop.')).toBeVisible()
    await looksRight(page, 'offline')
    await page.unroute('**/api/admin/posts')
    await owner.button('Try again').click()
    await expect(owner.row('Caring for a Pickle Jar')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('zzz')
    await expect(page.getByText('No posts found.')).toBeVisible()
    await looksRight(page, 'nothing found')
    await owner.open(NEW)
    await page.route('**/api/admin/posts/preview', route => route.abort())
    await owner.field('Text', 'Post').fill('Without a net')
    await owner.button('Preview').click()
    await expect(page.getByText('The preview is not up to date.')).toBeVisible()
    await looksRight(page, 'no preview')
  })
})
