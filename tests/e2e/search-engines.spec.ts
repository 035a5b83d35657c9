import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expect, shopUrl, test } from '../support/browser.ts'
import { CONTENT_PAGES, MYSORE_PAK, NO_PAGE, NOT_FOUND_STATUS } from '../support/browser-pages.ts'

const INDEXED = { ...CONTENT_PAGES, 'product list': paths.products }

test.describe('Search engine metadata', () => {
  test('every page has its own title and description', async ({ page }) => {
    const titles = new Set<string>()
    const descriptions = new Set<string>()
    for (const path of Object.values(INDEXED)) {
      await page.goto(path)
      const description = await readMeta(page, 'name', 'description')
      expect(description, path).toMatch(/.{40,}/)
      titles.add(await page.title())
      descriptions.add(description)
    }
    expect(titles.size).toBe(Object.keys(INDEXED).length)
    expect(descriptions.size).toBe(Object.keys(INDEXED).length)
  })

  test('every page has a canonical URL and an Open Graph picture that exists', async ({ page, request }) => {
    for (const path of Object.values(INDEXED)) {
      await page.goto(`${path}?from=somewhere`)
      const canonical = (await page.locator('link[rel="canonical"]').getAttribute('href')) ?? ''
      expect(new URL(canonical).pathname, path).toBe(path)
      expect(new URL(canonical).search, path).toBe('')
      expect(await readMeta(page, 'property', 'og:url')).toBe(canonical)
      expect(await readMeta(page, 'property', 'og:title')).not.toBe('')
      const picture = new URL(await readMeta(page, 'property', 'og:image'))
      const response = await request.get(`${shopUrl()}${picture.pathname}`)
      expect(response.headers()['content-type'], `${path}: ${picture.href}`).toMatch(/^image\/(jpeg|png)/)
    }
  })

  test('the not-found page tells search engines not to index it', async ({ page, allowedErrors }) => {
    allowedErrors.push(NOT_FOUND_STATUS)
    await page.goto(NO_PAGE)
    expect(await readMeta(page, 'name', 'robots')).toContain('noindex')
  })

  test('the sitemap lists all public pages and products but no private page', async ({ request, products }) => {
    const robots = await (await request.get('/robots.txt')).text()
    const index = /^Sitemap:\s*(\S+)$/im.exec(robots)?.[1] ?? ''
    const files = parseLocations(await (await request.get(new URL(index).pathname)).text())
    const listedUrls: string[] = []
    for (const file of files)
      listedUrls.push(...parseLocations(await (await request.get(new URL(file).pathname)).text()))
    const listedPaths = listedUrls.map(address => new URL(address).pathname)
    const expected = [...Object.values(INDEXED), ...products.map(({ _id }) => paths.product(_id))]
    for (const path of expected) expect(listedPaths).toContain(path)
    expect(listedPaths.filter(path => /^\/(cart|login|orders|my-profile|admin|404)/.test(path))).toEqual([])
  })

  test('a product page contains its offer and its breadcrumbs as JSON-LD', async ({ page, products }) => {
    const product = products.find(({ _id }) => paths.product(_id) === MYSORE_PAK)
    await page.goto(MYSORE_PAK)
    const data = await readJsonLd(page)
    expect(data['Product']).toMatchObject({
      name: expect.stringContaining(product?.name ?? '?'),
      offers: {
        '@type': 'Offer',
        priceCurrency: 'INR',
        availability: 'https://schema.org/InStock'
      }
    })
    const { price } = data['Product']?.['offers'] as { price: unknown }
    expect(Number(price)).toBe(product?.price)
    const trail = data['BreadcrumbList']?.['itemListElement'] as { position: number }[]
    expect(trail.map(({ position }) => position)).toEqual(trail.map((_, index) => index + 1))
  })

  test('a sold-out product is marked OutOfStock', async ({ page, products }) => {
    const soldOut = products.find(({ stock }) => stock === 0)
    await page.goto(paths.product(soldOut?._id ?? ''))
    expect((await readJsonLd(page))['Product']).toMatchObject({
      offers: { availability: 'https://schema.org/OutOfStock' }
    })
  })

  test('the home page and the blog posts contain JSON-LD', async ({ page }) => {
    await page.goto(paths.home)
    expect((await readJsonLd(page))['Organization']).toMatchObject({ name: expect.stringMatching(/\S/) })
    await page.goto(paths.blogs)
    await page.locator('main a[href^="/blogs/"]').first().click()
    await page.waitForURL('**/blogs/*')
    expect((await readJsonLd(page))['BlogPosting']).toMatchObject({
      headline: expect.stringMatching(/\S/),
      author: expect.anything(),
      datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    })
  })
})

async function readMeta(page: Page, by: 'name' | 'property', key: string): Promise<string> {
  return (await page.locator(`meta[${by}="${key}"]`).getAttribute('content')) ?? ''
}

function parseLocations(xml: string): string[] {
  return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
}

type Thing = Record<string, unknown>

async function readJsonLd(page: Page): Promise<Record<string, Thing>> {
  const texts = await page.locator('script[type="application/ld+json"]').allTextContents()
  const things = texts.flatMap(text => {
    const data = JSON.parse(text) as Thing | Thing[]
    const list = Array.isArray(data) ? data : [data]
    return list.flatMap(thing => (thing['@graph'] as Thing[] | undefined) ?? [thing])
  })
  return Object.fromEntries(things.flatMap(thing => [thing['@type']].flat().map(type => [String(type), thing])))
}
