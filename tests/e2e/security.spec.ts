import { paths } from '#lib/paths.ts'
import { expect, scrollThrough, test } from '../support/browser.ts'
import { NOT_FOUND_STATUS, NO_PAGE, PUBLIC_PAGES } from '../support/browser-pages.ts'

test.describe('Security headers', () => {
  for (const [name, path] of Object.entries(PUBLIC_PAGES)) {
    test(`${name} page has a strict Content-Security-Policy and no violations`, async ({ page, allowedErrors }) => {
      allowedErrors.push(NOT_FOUND_STATUS)
      const response = await page.goto(path)
      const headers = response?.headers() ?? {}
      const policy = parsePolicy(headers['content-security-policy'])
      expect(policy['script-src']).toBeDefined()
      expect(policy['script-src']?.join(' ')).not.toMatch(/unsafe|\*|https?:|data:|blob:/)
      expect(policy['default-src']).toEqual(["'none'"])
      expect(policy['base-uri']).toEqual(["'none'"])
      expect(policy['object-src'] ?? policy['default-src']).toEqual(["'none'"])
      expect(policy['frame-ancestors']).toEqual(["'none'"])
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBeTruthy()
      // A violation logs a console error, which fails the test.
      await scrollThrough(page)
      await page.waitForLoadState('networkidle')
    })
  }

  test('an injected script does not run', async ({ page, allowedErrors }) => {
    allowedErrors.push(/Content Security Policy/)
    await page.goto(paths.home)
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
      const image = document.createElement('img')
      image.setAttribute('onerror', 'document.title = "taken over"')
      image.src = '/no-such-picture.png'
      document.body.append(image)
    })
    allowedErrors.push(NOT_FOUND_STATUS)
    await page.waitForTimeout(300)
    await expect(page).not.toHaveTitle('taken over')
  })

  test('no page loads third-party resources', async ({ page, allowedErrors }) => {
    test.setTimeout(60_000)
    allowedErrors.push(NOT_FOUND_STATUS)
    const foreignUrls: string[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http') && url.hostname !== '127.0.0.1') foreignUrls.push(url.href)
    })
    for (const path of Object.values(PUBLIC_PAGES)) {
      await page.goto(path)
      await scrollThrough(page)
    }
    expect(foreignUrls).toEqual([])
  })
})

test.describe('Caching', () => {
  test('files with a hash in their name are cached for a year, and pages are revalidated', async ({
    page,
    request
  }) => {
    await page.goto(paths.home)
    // Wait for the scripts, which load only after the main picture.
    await page.waitForFunction(() => customElements.get('cart-badge'))
    const hashedFiles = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter(name => name.startsWith('/_astro/'))
    )
    expect(hashedFiles).not.toEqual([])
    for (const file of hashedFiles) {
      const { 'cache-control': cache } = (await request.get(file)).headers()
      expect(cache, file).toMatch(/max-age=31536000.*immutable/)
    }
    const home = await request.get(paths.home)
    expect(home.headers()['cache-control']).toMatch(/no-cache|max-age=0/)
    const secondResponse = await request.get(paths.home, { headers: { 'if-none-match': home.headers()['etag'] ?? '' } })
    expect(secondResponse.status()).toBe(304)
  })

  test('an unknown path returns 404 and is not cached', async ({ request }) => {
    const response = await request.get(NO_PAGE)
    expect(response.status()).toBe(404)
    expect(response.headers()['cache-control'] ?? '').not.toMatch(/max-age=[1-9]/)
  })
})

function parsePolicy(header = ''): Record<string, string[]> {
  return Object.fromEntries(
    header.split(';').map(directive => {
      const [name = '', ...values] = directive.trim().split(/\s+/)
      return [name, values]
    })
  )
}
