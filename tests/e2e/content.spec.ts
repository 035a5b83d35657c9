import type { Page } from 'playwright/test'
import type { BlogPost } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'
import { formatDate, toYearInIndia } from '#lib/time.ts'
import {
  CONTENT_PAGES,
  MYSORE_PAK,
  NO_PAGE,
  NOT_FOUND_STATUS,
  POLICIES
} from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const INDEXED_PAGES = [...CONTENT_PAGES, paths.products]
const POST = 'caring-for-a-pickle-jar'

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
    for (const path of INDEXED_PAGES) {
      await page.goto(`${path}?from=somewhere`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect((await page.getByRole('main').innerText()).length, path).toBeGreaterThan(300)
      const description = await readMeta(page, 'name', 'description')
      expect(description, path).toMatch(/.{40,}/)
      titles.add(await page.title())
      descriptions.add(description)
      const link = page.locator('link[rel="canonical"]')
      const canonical = new URL((await link.getAttribute('href')) ?? '')
      expect([canonical.pathname, canonical.search]).toEqual([path, ''])
      expect(await readMeta(page, 'property', 'og:url')).toBe(canonical.href)
      expect(await readMeta(page, 'property', 'og:title')).not.toBe('')
      const picture = new URL(await readMeta(page, 'property', 'og:image'))
      const { 'content-type': type } = (await request.get(picture.pathname)).headers()
      expect(type, `${path}: ${picture.href}`).toMatch(/^image\/(jpeg|png)/)
    }
    expect([titles.size, descriptions.size]).toEqual(Array(2).fill(INDEXED_PAGES.length))
    await page.goto(NO_PAGE)
    expect(await readMeta(page, 'name', 'robots')).toContain('noindex')
  })

  test('home shows banner, categories, deals, reasons, features and customers', async ({
    page
  }) => {
    await page.goto(paths.home)
    await expect(
      page.getByRole('heading', { level: 1, name: 'Celebrate Every Bite' })
    ).toBeVisible()
    for (const category of ['powders', 'savouries', 'pickles', 'sweets', 'seer_items']) {
      const links = page.getByRole('main').locator(`a[href="${paths.category(category)}"]`)
      await expect(links.filter({ has: page.locator('img') }).first()).toBeVisible()
    }
    const featured = sectionOf(page, 'Our Featured Categories').getByRole('link')
    await expect(featured).toHaveCount(3)
    const dealSection = sectionOf(page, 'Special Discounts Available')
    await expect(dealSection.getByRole('link', { name: 'Buy Now' })).toHaveAttribute(
      'href',
      paths.deals
    )
    const slide = dealSection.getByRole('listitem').filter({ hasText: 'Mysore Pak' })
    await expect(slide.locator('img')).toBeAttached()
    await expect(slide.locator('s, del')).toContainText('₹180.00')
    await expect(slide).toContainText(/Win 1–20% off.*₹144\.00–₹178\.20/)
    await expect(dealSection.getByRole('button')).toHaveCount(0)
    await expect(sectionOf(page, 'Who cooks here')).toContainText(/“In 2014 .*Revathi Sundaram/s)
    const customers = sectionOf(page, 'What Our Customers Say')
    await expect(customers.getByRole('img', { name: /5 (out )?of 5/i })).toHaveCount(3)
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
    const product = products.find(({ _id }) => _id === 'mysore-pak')
    if (!product) throw new Error('The product does not exist')
    await page.goto(MYSORE_PAK)
    const main = page.getByRole('main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(product.name)
    const { description, shelfLife, ingredients, quantity, nameTamil = '?' } = product
    for (const text of [
      nameTamil ?? '?',
      `₹${product.price.toFixed(2)}`,
      `${quantity.value} ${quantity.unit}`,
      'Vegetarian',
      description,
      shelfLife,
      ...ingredients
    ])
      await expect(main).toContainText(text)
    // getByText is not used, because it ignores text in <noscript>.
    const instructions = main.locator('p').filter({ hasText: 'To order without JavaScript' })
    for (const scheme of ['tel:', 'mailto:'])
      await expect(instructions.locator(`a[href^="${scheme}"]`)).toBeVisible()
    await expect(main.getByRole('button', { name: /^Add to Cart|quantity/ })).toHaveCount(0)
    for (const picture of await page.locator('product-gallery [data-strip] img').all()) {
      await picture.scrollIntoViewIfNeeded()
      await expect(picture).toBeInViewport()
    }
  })

  test('the product list contains every product and links to the categories', async ({
    page,
    list,
    products
  }) => {
    await page.goto(`${paths.products}#pickles`)
    const pickles = page.locator('#pickles')
    await expect(pickles).toBeInViewport()
    const names = products.filter(({ category }) => category === 'pickles').map(({ name }) => name)
    expect((await pickles.getByRole('link').allTextContents()).toSorted()).toEqual(names.toSorted())
    expect((await list.shownIds()).length).toBeGreaterThanOrEqual(products.length - 1)
    await expect(list.card('Mysore Pak')).toContainText('₹180.00')
    await expect(list.search).toBeHidden()
    await expect(page.getByRole('button', { name: /^Add to Cart/ })).toHaveCount(0)
  })

  test('the blog lists the posts and links to their full text', async ({ page, request }) => {
    const posts = (await (await request.get('/api/blog')).json()) as BlogPost[]
    const shown = posts.find(({ id }) => id === POST)
    if (!shown) throw new Error('The post does not exist')
    const { title, author, content, createdAt } = shown
    await page.goto(paths.blogs)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our Blog')
    expect(await page.getByRole('article').count()).toBeGreaterThanOrEqual(6)
    const post = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: title }) })
    for (const text of [author, formatDate(createdAt)]) await expect(post).toContainText(text)
    await expect(post.locator('img')).toBeVisible()
    await expect(post.locator('time')).toHaveAttribute('datetime', createdAt)
    await post.getByRole('link', { name: title }).first().click()
    await expect(page).toHaveURL(paths.blog(POST))
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(author)
    const shownWords = (await page.getByRole('main').innerText()).split(/\s+/).length
    expect(shownWords).toBeGreaterThan(content.split(/\s+/).length * 0.9)
  })

  test('about, contact and the policies state their facts and how to reach the shop', async ({
    page
  }) => {
    const facts: Record<string, readonly RegExp[]> = {
      [paths.about]: [/Revathi Sundaram, cook/, /Quality/, /Tradition/, /Innovation/],
      [paths.contact]: [],
      [paths.shipping]: [/0\s?(-|–|to)\s?7 days/],
      [paths.refund]: [
        /day (of ordering|you order|the order)|same day/i,
        /perishable/i,
        /damaged/i,
        /5\s?(-|–|to)\s?8 (working |business )?days/
      ],
      [paths.privacy]: [/privacy/i],
      [paths.terms]: [/terms/i]
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
    for (const path of [paths.home, paths.products, paths.about, paths.contact, ...POLICIES])
      await expect(footer.locator(`a[href="${path}"]`).first()).toBeVisible()
    await expect(footer).toContainText(/Tiruchirappalli.*620 ?\d{3}/s)
    for (const scheme of ['tel:+', 'mailto:'])
      await expect(footer.locator(`a[href^="${scheme}"]`)).toBeVisible()
    await expect(footer.locator('a[href^="https://"]')).toHaveCount(2)
    await expect(footer).toContainText(String(toYearInIndia(Date.now())))
  })

  test('the menu button on a phone leads to the links of the footer', async ({ page }) => {
    await page.setViewportSize(phone.viewport)
    await page.goto(paths.home)
    const menu = page.getByRole('banner').locator('a[aria-haspopup], a[href^="#"]')
    await menu.filter({ visible: true }).first().click()
    await expect(
      page.getByRole('contentinfo').locator(`a[href="${paths.products}"]`).first()
    ).toBeInViewport()
  })
})

test.describe('Search engines', () => {
  test('find all public pages and products in the sitemap but no private page', async ({
    request
  }) => {
    const readLocations = async (path: string) =>
      [...(await (await request.get(path)).text()).matchAll(/<loc>([^<]+)</g)].map(
        ([, url = '']) => new URL(url).pathname
      )
    const robots = await (await request.get('/robots.txt')).text()
    const index = new URL(/^Sitemap:\s*(\S+)$/im.exec(robots)?.[1] ?? '').pathname
    const listed = (await Promise.all((await readLocations(index)).map(readLocations))).flat()
    expect(listed).toEqual(expect.arrayContaining([...INDEXED_PAGES, paths.blog(POST)]))
    expect(listed).not.toContainEqual(
      expect.stringMatching(/^\/(cart|login|orders|my-profile|admin|404)/)
    )
    const icon = await request.get('/favicon.ico')
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/x-icon'])
  })

  test('find the shop, offers, breadcrumbs and posts as JSON-LD', async ({ page, products }) => {
    const readJsonLd = async (path: string): Promise<unknown[]> => {
      await page.goto(path)
      const texts = await page.locator('script[type="application/ld+json"]').allTextContents()
      return texts.map(text => JSON.parse(text) as unknown)
    }
    expect(await readJsonLd(paths.home)).toMatchObject([
      { '@graph': expect.arrayContaining([expect.objectContaining({ name: 'Palagaram' })]) }
    ])
    const offers = {
      '@type': 'Offer',
      price: '180.00',
      priceCurrency: 'INR',
      availability: 'https://schema.org/InStock'
    }
    expect(await readJsonLd(MYSORE_PAK)).toMatchObject([
      { '@type': 'Product', name: 'Mysore Pak, 250 g', offers },
      { '@type': 'BreadcrumbList', itemListElement: [{ position: 1 }, {}, {}, { position: 4 }] }
    ])
    const soldOut = products.find(({ stock }) => stock === 0)?.id ?? ''
    expect(await readJsonLd(paths.product(soldOut))).toMatchObject([
      { offers: { availability: 'https://schema.org/OutOfStock' } },
      {}
    ])
    expect(await readJsonLd(paths.blog(POST))).toMatchObject([
      {
        '@type': 'BlogPosting',
        headline: 'Caring for a Pickle Jar',
        author: expect.anything(),
        datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
      },
      {}
    ])
  })
})

function sectionOf(page: Page, heading: string) {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name: heading }) })
}

async function expectTexts(page: Page, heading: string, texts: Record<string, RegExp>) {
  const section = sectionOf(page, heading)
  await expect(section.getByRole('heading', { level: 3 })).toHaveText(Object.keys(texts))
  for (const text of Object.values(texts)) await expect(section).toContainText(text)
}

async function readMeta(page: Page, by: 'name' | 'property', key: string) {
  return (await page.locator(`meta[${by}="${key}"]`).getAttribute('content')) ?? ''
}
