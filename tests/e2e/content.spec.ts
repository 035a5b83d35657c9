import type { Page } from 'playwright/test'
import type { BlogPost } from '#lib/contract/content.ts'
import type { DiscountedProduct } from '#lib/contract/promotions.ts'
import { paths } from '#lib/paths.ts'
import { formatDate, toYearInIndia } from '#lib/time.ts'
import { fetchJson, shopUrl } from '../support/browser-data.ts'
import {
  CONTENT_PAGES,
  MYSORE_PAK,
  NO_PAGE,
  NOT_FOUND_STATUS,
  POLICIES
} from '../support/browser-pages.ts'
import { desktop, expect, test } from '../support/browser.ts'

const INDEXED_PAGES = { ...CONTENT_PAGES, 'product list': paths.products }
const PICKLES = 'pickles'

test.use({ ...desktop, javaScriptEnabled: false })

test.describe('Pages without JavaScript', () => {
  test('are complete, with their own title, description, canonical URL and picture for social networks', async ({
    page,
    request,
    allowedErrors
  }) => {
    allowedErrors.push(NOT_FOUND_STATUS)
    const titles = new Set<string>()
    const descriptions = new Set<string>()
    for (const path of Object.values(INDEXED_PAGES)) {
      await page.goto(`${path}?from=somewhere`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect((await page.getByRole('main').innerText()).length, path).toBeGreaterThan(300)
      await expect(page.getByText(/(enable|turn on) JavaScript/i)).toBeHidden()
      const description = await readMeta(page, 'name', 'description')
      expect(description, path).toMatch(/.{40,}/)
      titles.add(await page.title())
      descriptions.add(description)
      const canonical = new URL(
        (await page.locator('link[rel="canonical"]').getAttribute('href')) ?? ''
      )
      expect([canonical.pathname, canonical.search]).toEqual([path, ''])
      expect(await readMeta(page, 'property', 'og:url')).toBe(canonical.href)
      expect(await readMeta(page, 'property', 'og:title')).not.toBe('')
      const picture = new URL(await readMeta(page, 'property', 'og:image'))
      const response = await request.get(`${shopUrl()}${picture.pathname}`)
      expect(response.headers()['content-type'], `${path}: ${picture.href}`).toMatch(
        /^image\/(jpeg|png)/
      )
    }
    expect([titles.size, descriptions.size]).toEqual(
      Array(2).fill(Object.keys(INDEXED_PAGES).length)
    )
    await page.goto(NO_PAGE)
    expect(await readMeta(page, 'name', 'robots')).toContain('noindex')
  })

  test('home shows banner, categories, deals, reasons, features and customers', async ({
    page
  }) => {
    const deals = await fetchJson<DiscountedProduct[]>('/api/discounted-products')
    await page.goto(paths.home)
    await expect(
      page.getByRole('heading', { level: 1, name: 'Celebrate Every Bite' })
    ).toBeVisible()
    await expect(page.locator('hero-rotator img').first()).toBeVisible()
    for (const category of ['powders', 'savouries', PICKLES, 'sweets', 'seer_items']) {
      const links = page.getByRole('main').locator(`a[href="${paths.category(category)}"]`)
      await expect(links.filter({ has: page.locator('img') }).first()).toBeVisible()
    }
    const dealSection = sectionOf(page, 'Special Discounts Available')
    await expect(dealSection.getByRole('link', { name: 'Buy Now' })).toHaveAttribute(
      'href',
      paths.deals
    )
    for (const { name, originalPrice, discountedPrice, discountPercentage } of deals) {
      const slide = dealSection.getByRole('listitem').filter({ hasText: name })
      await expect(slide.locator('img')).toBeAttached()
      await expect(slide.locator('s, del')).toContainText(`₹${originalPrice.toFixed(2)}`)
      await expect(slide).toContainText(`Up to ${Math.round(discountPercentage)}% off`)
      await expect(slide).toContainText(`₹${discountedPrice.toFixed(2)}`)
    }
    await expect(dealSection.getByRole('button')).toHaveCount(0)
    await page.setViewportSize({ width: 360, height: 740 })
    const frame = dealSection.locator('deal-swiper')
    expect(
      await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    ).toBeGreaterThan(0)
    const customers = sectionOf(page, 'What Our Customers Say')
    await expect(
      customers.getByRole('img', { name: /5 (out )?of 5|five stars|5 stars/i })
    ).toHaveCount(3)
    await expect(
      customers.getByText(/Tamil Nadu|Karnataka|Kerala|Andhra Pradesh|Telangana/)
    ).toHaveCount(3)
    await expectTexts(page, 'Why Choose Us', {
      'Premium Quality': /finest ingredients/i,
      'Traditional Recipes': /passed down through generations/i,
      'Customer Satisfaction': /100% satisfaction guaranteed with every purchase/i
    })
    await expectTexts(page, 'Our Features', {
      'Fast Delivery': /same day delivery for local orders/i,
      'Quality Assured': /100% authentic ingredients/i,
      '24/7 Support': /always here to help you/i,
      'Fresh Products': /baked fresh every day/i
    })
  })

  test('a product page shows its facts and pictures and explains how to order', async ({
    page,
    products
  }) => {
    for (const product of products.filter(({ _id }) =>
      ['mysore-pak', 'mango-avakkai'].includes(_id)
    )) {
      await page.goto(paths.product(product._id))
      const main = page.getByRole('main')
      await expect(page.getByRole('heading', { level: 1 })).toContainText(product.name)
      await expect(main.getByText(product.nameTamil ?? '?').first()).toBeVisible()
      const texts = [
        `₹${product.price.toFixed(2)}`,
        product.description,
        product.shelfLife,
        ...product.ingredients
      ]
      for (const text of texts) await expect(main).toContainText(text)
      await expect(main).toContainText(`${product.quantity.value} ${product.quantity.unit}`)
      await expect(main).toContainText(product.dietary === 'vegan' ? 'Vegan' : 'Vegetarian')
      // getByText is not used, because it ignores text in <noscript>.
      const instructions = main.locator('p').filter({ hasText: 'To order without JavaScript' })
      for (const scheme of ['tel:', 'mailto:'])
        await expect(instructions.locator(`a[href^="${scheme}"]`)).toBeVisible()
      await expect(main.getByRole('button', { name: /^Add to Cart|quantity/ })).toHaveCount(0)
      for (const picture of await page.locator('product-gallery [data-strip] img').all()) {
        await picture.scrollIntoViewIfNeeded()
        await expect(picture).toBeInViewport()
      }
    }
  })

  test('the product list contains every product and links to the categories', async ({
    page,
    list,
    products
  }) => {
    await page.goto(`${paths.products}#${PICKLES}`)
    expect(await list.shownIds()).toHaveLength(products.length)
    await expect(list.card('Mysore Pak')).toContainText('₹180.00')
    for (const control of [list.search, list.sort]) await expect(control).toBeHidden()
    await expect(page.getByRole('radio')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Add to Cart/ })).toHaveCount(0)
    const pickles = page.locator(`#${PICKLES}`)
    await expect(pickles).toBeInViewport()
    const names = products.filter(({ category }) => category === PICKLES).map(({ name }) => name)
    expect((await pickles.getByRole('link').allTextContents()).toSorted()).toEqual(names.toSorted())
    await expect(page.getByRole('link', { name: 'Mysore Pak, 1 kg' })).toHaveAttribute(
      'href',
      paths.product('mysore-pak-1-kg')
    )
  })

  test('the flash deals page lists every deal with a link and without buttons', async ({
    page,
    flash
  }) => {
    await page.goto(paths.deals)
    await expect(flash.cards).toHaveCount(flash.deals.length)
    for (const { productId } of flash.deals)
      await expect(page.getByRole('link', { name: productId.name })).toHaveAttribute(
        'href',
        paths.product(productId._id)
      )
    await expect(page.getByRole('button', { name: /discount/ })).toHaveCount(0)
    await expect(page.locator('noscript p')).toBeVisible()
  })

  test('the blog lists every post and links to its full text', async ({ page }) => {
    const posts = await fetchJson<BlogPost[]>('/api/blog')
    expect(posts.length).toBeGreaterThanOrEqual(6)
    await page.goto(paths.blogs)
    for (const { title, author, createdAt } of posts) {
      const post = page
        .getByRole('article')
        .filter({ has: page.getByRole('heading', { name: title }) })
      await expect(post).toContainText(author)
      await expect(post).toContainText(formatDate(createdAt))
      await expect(post.locator('img')).toBeVisible()
      await expect(post.locator('time')).toHaveAttribute('datetime', createdAt)
    }
    for (const { id, title, author, content } of posts.slice(0, 2)) {
      await page.goto(paths.blogs)
      await page.getByRole('main').getByRole('link', { name: title }).first().click()
      await expect(page).toHaveURL(paths.blog(id))
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(page.getByRole('main')).toContainText(author)
      const shownWords = (await page.getByRole('main').innerText()).split(/\s+/).length
      expect(shownWords).toBeGreaterThan(content.split(/\s+/).length * 0.9)
    }
  })

  test('about, contact and the policies state their facts and how to reach the shop', async ({
    page
  }) => {
    const facts: Record<string, readonly RegExp[]> = {
      [paths.about]: [/Quality/, /Tradition/, /Innovation/],
      [paths.contact]: [],
      [POLICIES.shipping]: [/0\s?(-|–|to)\s?7 days/],
      [POLICIES.refunds]: [
        /day (of ordering|you order|the order)|same day/i,
        /perishable/i,
        /damaged/i,
        /5\s?(-|–|to)\s?8 (working |business )?days/
      ],
      [POLICIES.privacy]: [/privacy/i],
      [POLICIES.terms]: [/terms/i]
    }
    for (const [path, patterns] of Object.entries(facts)) {
      await page.goto(path)
      const text = (await page.getByRole('main').innerText()).replace(/\s+/g, ' ')
      for (const fact of patterns) expect(text, path).toMatch(fact)
      expect(text, path).not.toMatch(/\{\w+\}|undefined|\[object/)
      if (path === paths.about) continue
      for (const contact of [/Tiruchirappalli/, /\+91 ?\d{5} ?\d{5}/, /\S+@\S+\.\w+/])
        expect(text, path).toMatch(contact)
    }
    const footer = page.getByRole('contentinfo')
    for (const path of [
      paths.home,
      paths.products,
      paths.about,
      paths.contact,
      ...Object.values(POLICIES)
    ])
      await expect(footer.locator(`a[href="${path}"]`).first()).toBeVisible()
    await expect(footer).toContainText(/Tiruchirappalli.*620 ?\d{3}/s)
    for (const scheme of ['tel:+', 'mailto:'])
      await expect(footer.locator(`a[href^="${scheme}"]`)).toBeVisible()
    await expect(footer.locator('a[href^="https://"]')).toHaveCount(2)
    await expect(footer).toContainText(String(toYearInIndia(Date.now())))
  })

  test('the menu button on a phone leads to the links of the footer', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(paths.home)
    await page
      .getByRole('banner')
      .locator('a[aria-haspopup], a[href^="#"]')
      .filter({ visible: true })
      .first()
      .click()
    await expect(
      page.getByRole('contentinfo').locator(`a[href="${paths.products}"]`).first()
    ).toBeInViewport()
  })
})

test.describe('Search engines', () => {
  test('find all public pages and products in the sitemap but no private page', async ({
    request,
    products
  }) => {
    const robots = await (await request.get('/robots.txt')).text()
    const index = /^Sitemap:\s*(\S+)$/im.exec(robots)?.[1] ?? ''
    const files = parseLocations(await (await request.get(new URL(index).pathname)).text())
    const listedUrls: string[] = []
    for (const file of files)
      listedUrls.push(...parseLocations(await (await request.get(new URL(file).pathname)).text()))
    const listedPaths = listedUrls.map(address => new URL(address).pathname)
    const expected = [
      ...Object.values(INDEXED_PAGES),
      ...products.map(({ _id }) => paths.product(_id))
    ]
    for (const path of expected) expect(listedPaths).toContain(path)
    expect(
      listedPaths.filter(path => /^\/(cart|login|orders|my-profile|admin|404)/.test(path))
    ).toEqual([])
    const icon = await request.get('/favicon.ico')
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/x-icon'])
  })

  test('find the shop, offers, breadcrumbs and posts as JSON-LD', async ({ page, products }) => {
    await page.goto(paths.home)
    expect((await readJsonLd(page))['Organization']).toMatchObject({
      name: expect.stringMatching(/\S/)
    })
    await page.goto(MYSORE_PAK)
    const { Product: product, BreadcrumbList: breadcrumbs } = await readJsonLd(page)
    const { name, price } = products.find(({ _id }) => paths.product(_id) === MYSORE_PAK) ?? {}
    expect(product).toMatchObject({
      name: expect.stringContaining(name ?? '?'),
      offers: { '@type': 'Offer', priceCurrency: 'INR', availability: 'https://schema.org/InStock' }
    })
    expect(Number((product?.['offers'] as { price: unknown }).price)).toBe(price)
    const trail = breadcrumbs?.['itemListElement'] as { position: number }[]
    expect(trail.map(({ position }) => position)).toEqual(trail.map((_, index) => index + 1))
    await page.goto(paths.product(products.find(({ stock }) => stock === 0)?._id ?? ''))
    expect((await readJsonLd(page))['Product']).toMatchObject({
      offers: { availability: 'https://schema.org/OutOfStock' }
    })
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

function sectionOf(page: Page, heading: string) {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name: heading }) })
}

async function expectTexts(
  page: Page,
  heading: string,
  texts: Record<string, RegExp>
): Promise<void> {
  const section = sectionOf(page, heading)
  await expect(section.getByRole('heading', { level: 3 })).toHaveText(Object.keys(texts))
  for (const text of Object.values(texts)) await expect(section).toContainText(text)
}

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
    const list = [JSON.parse(text) as Thing | Thing[]].flat()
    return list.flatMap(thing => (thing['@graph'] as Thing[] | undefined) ?? [thing])
  })
  return Object.fromEntries(
    things.flatMap(thing => [thing['@type']].flat().map(type => [String(type), thing]))
  )
}
