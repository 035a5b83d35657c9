import type { BlogPost } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'
import { formatDate } from '#lib/time.ts'
import { desktop, expect, test as base } from '../support/browser.ts'

const test = base.extend<{ posts: BlogPost[] }>({
  posts: async ({ request }, use) => use((await (await request.get('/api/blog')).json()) as BlogPost[])
})
test.use(desktop)

test.describe('Blog', () => {
  test('lists title, author, date and picture of every post', async ({ page, posts }) => {
    await page.goto(paths.blogs)
    await expect(page.getByRole('heading', { level: 1, name: 'Our Blog' })).toBeVisible()
    expect(posts.length).toBeGreaterThanOrEqual(6)
    for (const { title, author, createdAt } of posts) {
      const post = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) })
      await expect(post).toContainText(author)
      await expect(post).toContainText(formatDate(createdAt))
      await expect(post.locator('img')).toBeVisible()
      await expect(post.locator('time')).toHaveAttribute('datetime', createdAt)
    }
  })

  test('links to the full text of each post', async ({ page, posts }) => {
    for (const { id, title, author, content } of posts) {
      await page.goto(paths.blogs)
      await page.getByRole('main').getByRole('link', { name: title }).first().click()
      await expect(page).toHaveURL(paths.blog(id))
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(page.getByRole('main')).toContainText(author)
      const words = content.split(/\s+/).length
      const shownWords = (await page.getByRole('main').innerText()).split(/\s+/).length
      expect(shownWords).toBeGreaterThan(words * 0.9)
    }
  })
})
