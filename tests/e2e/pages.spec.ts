import type { Page, Response } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible, scrollThrough } from '../support/browser-checks.ts'
import { NO_PAGE, NOT_FOUND_STATUS, PUBLIC_PAGES } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const EVERY_PAGE = {
  ...PUBLIC_PAGES,
  'blog post': paths.blog('caring-for-a-pickle-jar'),
  cart: paths.cart,
  login: paths.login
}

/** Links that a test of this worker has already followed. */
const followedLinks = new Set<string>([paths.deals])

test.describe('Every page', () => {
  test.use(phone)

  for (const [name, path] of Object.entries(EVERY_PAGE)) {
    // A CSP violation, an error in a script or a request to another host fails the test, too.
    test(`${name}: headers, landmarks, skip link, links, accessibility and layout`, async ({
      page,
      request,
      allowedErrors
    }) => {
      allowedErrors.push(NOT_FOUND_STATUS)
      expectSecureHeaders(await page.goto(path))
      await scrollThrough(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page.getByRole('main')).toHaveCount(1)
      await expectSkipLink(page)
      await expectAccessible(page, name)
      const unsized = page.locator('img:not([width][height])')
      expect(await unsized.evaluateAll(images => images.map(image => image.outerHTML))).toEqual([])
      for (const link of await internalLinks(page)) {
        if (followedLinks.has(link)) continue
        followedLinks.add(link)
        expect((await request.get(link)).ok(), link).toBe(true)
      }
      await page.setViewportSize(desktop.viewport)
      await expectAccessible(page, `${name} on a desktop`)
      // A desktop at 200 % zoom.
      await page.setViewportSize({ width: 640, height: 400 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        640
      )
    })
  }
})

test.describe('Content Security Policy', () => {
  test('blocks an injected script', async ({ page, allowedErrors }) => {
    allowedErrors.push(/Content Security Policy/, NOT_FOUND_STATUS)
    await page.goto(NO_PAGE)
    const imageFailed = page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
      const image = document.createElement('img')
      const failed = new Promise(resolve => image.addEventListener('error', resolve))
      image.setAttribute('onerror', 'document.title = "taken over"')
      image.src = '/no-such-picture.png'
      document.body.append(image)
      return failed.then(() => true)
    })
    expect(await imageFailed).toBe(true)
    await expect(page).not.toHaveTitle('taken over')
  })
})

function expectSecureHeaders(response: Response | null): void {
  const headers = response?.headers() ?? {}
  const directives = (headers['content-security-policy'] ?? '')
    .split(';')
    .map(text => text.trim().split(/\s+/))
  const policy = Object.fromEntries(directives.map(([name = '', ...sources]) => [name, sources]))
  expect(policy['script-src']).toBeDefined()
  expect(policy['script-src']?.join(' ')).not.toMatch(/unsafe|\*|https?:|data:|blob:/)
  for (const name of ['default-src', 'base-uri', 'frame-ancestors'])
    expect(policy[name], name).toEqual(["'none'"])
  expect(policy['object-src'] ?? policy['default-src']).toEqual(["'none'"])
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBeTruthy()
}

async function expectSkipLink(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('href', /^#/)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('header') === null)).toBe(true)
}

async function internalLinks(page: Page): Promise<string[]> {
  const hrefs = await page
    .locator('a[href^="/"]')
    .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  return [...new Set(hrefs.map(href => href.replace(/[?#].*/, '')))]
}
