import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ShopSettings, Settings } from '#lib/contract/settings.ts'
import type { SiteAddress } from '#lib/renderer.ts'
import { localPath, toEnglishPath } from '#lib/paths.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { MINUTE } from '#lib/time.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import type { Trx } from '#server/platform/db/tables.ts'
import { countUnknownScripts, parseElements } from '#server/publishing/release/page.ts'
import { pageFile } from '#server/publishing/release/store.ts'
import { createSitemaps } from '#server/publishing/release/finish-release.ts'
import { readSection, readStoredSection } from '#server/settings/settings.ts'
import { insertSection } from '#server/settings/save-section.ts'
import { seededInt } from '../support/random.ts'
import { applyRandomChanges } from '../support/random-changes.ts'
import { openSite } from '../support/rendered-shop.ts'
import { SITE_URL } from '../support/built-site.ts'
import { CATEGORIES } from '../support/catalog.ts'

const ROUNDS = 2
const PAGES_WITH_ALL_SHOP_DETAILS = [
  '/',
  '/admin/orders',
  '/cart',
  '/contact',
  '/orders',
  '/orders/invoice',
  '/orders/link'
]
const CATALOG_PAGES = /^\/(?:$|404$|products|collections|blogs|discounted-products)/

const XSS = '</script></title><script>steal()</script><img src=x onerror=alert(1)>'
const pak = { name: 'Mysore Pak', family_id: 'pak' }
const catalog = {
  products: {
    ...Object.fromEntries(
      ['laddu', 'jangiri', 'halwa', 'murukku', 'thattai', 'mixture', 'pickle', 'sambar-podi'].map(
        (id, index) => [id, { category: CATEGORIES[index % 3] ?? 'sweets', rating: 40 + index }]
      )
    ),
    'pak-100': { ...pak, price: 75, pack_value: 100, stock: 0 },
    'pak-250': { ...pak, price: 180, family_position: 1 },
    'pak-500': { ...pak, price: 340, pack_value: 500, family_position: 2 },
    cake: { category: 'not-offered' },
    attack: { category: 'seer_items', name: XSS, description: XSS }
  },
  collections: { diwali: ['pak-500', 'pak-100', 'murukku'], wedding: ['murukku'] },
  deals: {
    today: { product: 'laddu' },
    later: { product: 'murukku', percent: 15 },
    attack: { product: 'attack' }
  },
  posts: {
    story: {},
    recipe: { content: 'Best with [mixture](/products/mixture) and [this](/blogs/story).' },
    attack: { title: XSS, author: XSS, excerpt: XSS, content: XSS }
  }
}

// One shop for all tests, because it takes seconds to open. The tests that change it come last.
let site: Awaited<ReturnType<typeof openSite>>
beforeAll(async () => void (site = await openSite(catalog)), 4 * MINUTE)
afterAll(() => site.shop.close())

/** Renders a page with other settings than the stored ones. */
async function renderPage(
  address: string,
  change: (settings: ShopSettings) => Partial<ShopSettings> = () => ({})
) {
  const { content, readAt } = await site.shop.readSource()
  const shop = { ...content.shop, ...change(content.shop) }
  site.renderer.open({ content: { ...content, shop }, readAt })
  return String((await site.renderer.render(address)).body)
}

function readCards(page: string) {
  return Array.from(page.matchAll(/<article[^>]*data-live-id="([^"]*)"/g), ([, id]) => id)
}

function changeCatalog(change: (trx: Trx) => Promise<unknown>) {
  return site.shop.write(async trx => {
    await raiseCounter(trx, 'catalog')
    await change(trx)
  })
}

function changeProduct(id: string, values: Record<string, unknown>) {
  return changeCatalog(trx =>
    trx.updateTable('products').set(values).where('id', '=', id).execute()
  )
}

function changeSettings<Name extends SectionName>(section: Name, changes: Partial<Settings[Name]>) {
  return changeCatalog(async trx => {
    const { value, version } = await readStoredSection(trx, section)
    const saved = { at: new Date().toISOString(), actor: { _id: null, name: 'Owner' } }
    const changed = { value: { ...value, ...changes }, version: version + 1, ...saved }
    await insertSection(trx, section, changed)
  })
}

describe('Pages', () => {
  test('escape the texts of products and posts, and have only scripts of the site’s code', async () => {
    const known = site.renderer.inlineScripts
    const pages = (await site.renderer.list()).filter(({ kind }) => kind === 'page')
    expect(pages.length).toBeGreaterThan(20)
    for (const { address } of pages) {
      const elements = parseElements(String((await site.renderer.render(address)).body))
      const scripts = elements.filter(({ name }) => name === 'script')
      expect(
        scripts.some(({ text }) => known.has(text)),
        address
      ).toBe(true)
      expect(countUnknownScripts(elements, known), address).toBe(0)
      expect(elements.filter(({ attributes }) => attributes.has('onerror'))).toEqual([])
    }
    for (const address of ['/blogs', '/blogs/attack', '/products/attack'])
      expect(await renderPage(address)).toContain('&lt;img src=x')
  })

  test.for([
    ['', 'Vanakkam! I have a question', 'Mysore Pak (250 g)'],
    ['/ta', 'வணக்கம்!', 'பலகாரம் (250 g)']
  ])(
    'below "%s/" link to WhatsApp if the shop has a number',
    async ([prefix, greeting, product]) => {
      const linksOn = async (path: string, whatsapp: string) => {
        const page = await renderPage(`${prefix}${path}`, ({ shop }) => ({
          shop: { ...shop, whatsapp }
        }))
        const links = parseElements(page).map(({ attributes }) => attributes.get('href') ?? '')
        return links.filter(link => link.includes('wa.me')).map(decodeURIComponent)
      }
      for (const path of ['', '/contact', '/products/pak-250'])
        expect(await linksOn(path, '')).toEqual([])
      const footer = expect.stringContaining(`https://wa.me/919876543210?text=${greeting}`)
      expect(await linksOn('/contact', '098765 43210')).toEqual([footer, footer])
      const [question, ...others] = await linksOn('/products/pak-250', '+91 98765 43210')
      expect(question).toContain(`?text=${greeting}`)
      expect(question).toContain(product)
      expect(question).toContain(`\n${SITE_URL}${prefix}/products/pak-250`)
      expect(others).toEqual([footer])
    }
  )

  test('of a new shop offer only what is there, and its products as bestsellers once sold', async () => {
    const { content, readAt } = await site.shop.readSource()
    const { home, about } = EMPTY_SETTINGS
    const products = content.products.flatMap(product =>
      ['laddu', 'jangiri'].includes(product.id) ? { ...product, rating: 0 } : []
    )
    const empty = { products, posts: [], deals: [], collections: [] }
    const render = async (bestsellers: string[]) => {
      const shop = { ...content.shop, home, about }
      site.renderer.open({ content: { ...content, ...empty, shop, bestsellers }, readAt })
      return String((await site.renderer.render('/')).body)
    }
    const page = await render([])
    expect(page).not.toMatch(/href="\/(blogs|about)"|Special Discounts|Bestsellers/)
    expect(page).toMatch(/hero-composed.*Our Products.*All vegetarian.*2 days after you order/s)
    expect(page).not.toMatch(/Who cooks|Customers Say|Why Choose|Our Features|same day|satisf/i)
    const categories = Array.from(page.matchAll(/category=(\w+)"/g), ([, name]) => name)
    expect(new Set(categories)).toEqual(new Set(products.map(({ category }) => category)))
    expect(await render(['jangiri'])).toMatch(/Our Bestsellers.*jangiri.*laddu/s)
  })

  test('link the pack sizes of a product, and show them as one card, on other pages only', async () => {
    const page = await renderPage('/products/pak-250')
    const picker = /<nav aria-label="Pack sizes"[^]*?<\/nav>/.exec(page)?.[0] ?? ''
    const links = [...picker.matchAll(/<a href="([^"]*)"([^>]*)>([^]*?)<\/a>/g)]
    expect(
      links.map(([, href, attributes = '', text = '']) => [
        href,
        attributes.includes('aria-current="page"'),
        ...text.split(/<[^>]*>/).flatMap(part => part.trim() || []),
        /data-live="out"(?! hidden)/.test(text)
      ])
    ).toEqual([
      ['/products/pak-100', false, '100 g', '₹75.00', 'Out of Stock', true],
      ['/products/pak-250', true, '250 g', '₹180.00', 'Out of Stock', false],
      ['/products/pak-500', false, '500 g', '₹340.00', 'Out of Stock', false]
    ])
    expect(page).toContain('"@type":"ProductGroup","name":"Mysore Pak","productGroupID":"pak"')
    expect(await renderPage('/products/murukku')).not.toContain('Pack sizes')
    const [own, ...related] = readCards(page)
    expect([own, related[0], related.length]).toEqual(['pak-250', 'murukku', 4])
    expect(new Set(related).size, 'no card twice, and no other pack size').toBe(4)
    expect(related.filter(id => id?.startsWith('pak'))).toEqual([])

    const list = await renderPage('/products')
    const cards = [...list.matchAll(/<article[^]*?<\/article>/g)].map(([card]) => card)
    expect(cards.filter(card => card.includes('Mysore Pak'))).toEqual([
      expect.stringMatching(/250 g[^]*from <[^]*₹180.00[^]*3 sizes/)
    ])
    const [plain = ''] = /<noscript>[^]*?<\/noscript>/.exec(list) ?? []
    expect([...plain.matchAll(/"(\/products\/pak[^"]*)"[^>]*>([^<]*)</g)]).toMatchObject([
      { 1: '/products/pak-250', 2: 'Mysore Pak, 250 g' },
      { 1: '/products/pak-500', 2: 'Mysore Pak, 500 g' },
      { 1: '/products/pak-100', 2: 'Mysore Pak, 100 g' }
    ])
  })

  test('exist for collections and are linked', async () => {
    const page = await renderPage('/collections/diwali')
    expect(readCards(page)).toEqual(['pak-250', 'murukku'])
    expect(page).toMatch(/<option selected data-live-id="pak-500"[^>]*>\s*500 g/)
    expect(page).toContain('Add all 2 · ₹')
    expect(await renderPage('/')).toContain('href="/collections/diwali"')
    expect(await renderPage('/products')).toContain('href="/collections/wedding"')
  })

  test.for(['/', '/products', '/products/halwa'])(
    'preload exactly the files that their first large picture offers: %s',
    async address => {
      const elements = parseElements(await renderPage(address))
      const srcsetsOf = (name: string, attribute: string) =>
        elements.flatMap(each => (each.name === name ? (each.attributes.get(attribute) ?? []) : []))
      const preloaded = srcsetsOf('link', 'imagesrcset')
      expect(preloaded).toHaveLength(1)
      expect(srcsetsOf('source', 'srcset')).toContain(preloaded[0])
    }
  )

  test.for(['/', '/products/halwa', '/cart'])(
    'say that the shop is closed, only on the closed days in India: %s',
    async address => {
      const message = 'Our daughter gets married.'
      const closed = { from: '2026-11-22', until: '2026-11-23', message }
      const body = await renderPage(address, ({ orders }) => ({ orders: { ...orders, closed } }))
      const [, text] = /<aside id="closed-notice"[^>]*>([^<]*)</.exec(body) ?? []
      expect(text?.trim()).toBe(`${message} We take orders again from Tue 24 Nov.`)
      for (const [time, isShown] of [
        ['2026-11-21T18:29:59Z', false],
        ['2026-11-21T18:30:00Z', true],
        ['2026-11-23T18:29:59Z', true],
        ['2026-11-23T18:30:00Z', false]
      ] as const)
        expect(isNoticeShown(body, Date.parse(time)), time).toBe(isShown)
    }
  )

  test('show the owner’s logo instead of the kolam, once the owner has chosen one', async () => {
    const countLogos = async (logo: string) => {
      const body = await renderPage('/contact', ({ shop }) => ({ shop: { ...shop, logo } }))
      return body.split('src="/assets/about-kitchen-00000000.jpg"').length - 1
    }
    expect([await countLogos(''), await countLogos('about-kitchen')]).toEqual([0, 2])
  })

  test('give the installed app a square logo as its icon', async () => {
    const { content, readAt } = await site.shop.readSource()
    const shop = { ...content.shop.shop, logo: 'about-kitchen' }
    for (const [height, src, sizes] of [
      [500, '/assets/about-kitchen-00000000-480.webp', '480x480'],
      [499, '/icon-512.png', '512x512']
    ] as const) {
      const pictures = content.pictures.map(picture => ({ ...picture, width: 500, height }))
      const changed = { ...content, pictures, shop: { ...content.shop, shop } }
      site.renderer.open({ content: changed, readAt })
      const { body } = await site.renderer.render('/shop-ta.webmanifest')
      const { icons } = JSON.parse(String(body)) as { icons: object[] }
      expect(icons[1]).toMatchObject({ src, sizes })
    }
  })
})

describe('Incremental release', () => {
  test(
    'renders only the pages affected by a change',
    async () => {
      const buildAndListPaths = async () => {
        const render = vi.spyOn(site.renderer, 'render')
        await site.buildRelease()
        const addresses = render.mock.calls.map(([address]) => address)
        const paths = addresses.filter(address => !/\.\w+$/.test(address)).sort()
        render.mockRestore()
        const english = paths.filter(path => toEnglishPath(path) === path)
        expect(paths.filter(path => !english.includes(path))).toEqual(
          english.map(path => localPath(path, 'ta')).sort()
        )
        return english
      }
      expect((await buildAndListPaths()).length).toBeGreaterThan(20)
      expect(await buildAndListPaths()).toEqual([])

      await changeProduct('murukku', { shelf_life: '3 months' })
      expect(await buildAndListPaths()).toEqual(['/products/murukku'])
      await changeProduct('laddu', { stock: 19 })
      expect(await buildAndListPaths()).toEqual([])
      await changeCatalog(trx =>
        trx
          .updateTable('collections')
          .set({ description: 'Boxes.' })
          .where('id', '=', 'wedding')
          .execute()
      )
      expect(await buildAndListPaths()).toEqual(['/collections/wedding'])

      await changeProduct('sambar-podi', { name: 'Sambar Podi' })
      const paths = await buildAndListPaths()
      expect(paths).toEqual(expect.arrayContaining(['/products', '/products/sambar-podi']))
      for (const other of ['/products/jangiri', '/about', '/blogs'])
        expect(paths).not.toContain(other)

      // The first save removes the demo's note from all pages, and the first GSTIN changes what
      // they say about taxes.
      await changeSettings('shop', { phone: '98400 98400' })
      await changeSettings('legal', { gstin: '33ABCDE1234F1Z7' })
      expect(await buildAndListPaths()).toContain('/products/laddu')
      await changeSettings('legal', { gstin: '33AABCP1234F1Z1' })
      await changeSettings('shop', { hours: 'Mon to Sat, 9 to 6' })
      await changeSettings('orders', { minimumOrder: 200 })
      expect(await buildAndListPaths()).toEqual(PAGES_WITH_ALL_SHOP_DETAILS)
    },
    MINUTE * 4
  )

  test('has no link to hidden products, deleted posts or other missing pages in posts, policies and banners', async () => {
    const link = '/products/mixture'
    const [banner] = (await readSection(site.shop.database.kysely, 'home')).banners
    if (!banner) throw new Error('The demo has no banner')
    await changeSettings('home', { banners: [{ ...banner, button: 'Taste it', link }] })
    await changeSettings('terms', {
      text: `See [mixture](${link}), [privacy](/privacy-policy) and [x](/x).`
    })
    const buildPage = async (name: string) =>
      readFile(join((await site.buildRelease()).folder, name), 'utf8')
    const buttonLink = async () =>
      /<a href="([^"]*)"[^>]*>\s*Taste it/.exec(await buildPage('index.html'))?.[1]
    expect(await buildPage('blogs/recipe.html')).toContain(`<a href="${link}"`)
    expect(await buttonLink()).toBe(link)
    await changeProduct('mixture', { hidden_at: new Date().toISOString() })
    await changeCatalog(trx => trx.deleteFrom('posts').where('id', '=', 'story').execute())
    expect(await buildPage('sitemap-0.xml')).toContain('/about</loc>')
    await changeSettings('about', { text: '', translations: {} })
    expect(await buildPage('sitemap-0.xml')).not.toContain('/about</loc>')
    await changeSettings('about', { text: 'Our story.' })
    expect(await buildPage('blogs/recipe.html')).toContain('<p>Best with mixture and this.</p>')
    expect(await buildPage('terms-and-conditions.html')).toMatch(
      /See mixture, <a href="\/privacy-policy"[^>]*>privacy<\/a> and x\./
    )
    expect(await buttonLink()).toBe('/products')
  })

  test(
    'contains the same pages as a full release after random changes',
    { timeout: (1 + ROUNDS) * MINUTE },
    async () => {
      const { shop, renderer, buildRelease } = site
      const random = seededInt(20261121)
      await buildRelease()
      for (let round = 1; round <= ROUNDS; round++) {
        await applyRandomChanges(shop.write, random)
        const { folder } = await buildRelease()
        const readRelease = (name: string) =>
          readFile(join(folder, name), 'utf8').catch(() => 'missing')
        const listed = await renderer.list()
        for (const item of listed.filter(({ address }) => CATALOG_PAGES.test(address))) {
          const { body } = await renderer.render(item.address)
          if ((await readRelease(fileOf(item))) !== String(body))
            throw new Error(`Round ${round}: ${item.address} differs`)
        }
        const pages = listed.filter(({ kind }) => kind === 'page')
        const { files } = JSON.parse(await readRelease('release.json')) as { files: object }
        const built = Object.keys(files).filter(name => name.endsWith('.html'))
        expect(built.sort()).toEqual(pages.map(fileOf).sort())
        const addresses = pages.map(({ address }) => address)
        for (const [name, text] of await createSitemaps(addresses, shop.config.siteUrl))
          expect(await readRelease(name), name).toBe(text.toString())
      }
    }
  )
})

function fileOf({ address, kind }: SiteAddress) {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}

/** Runs the script behind the notice at the given time. */
function isNoticeShown(page: string, now: number) {
  const elements = parseElements(page)
  const { attributes } = elements.find(each => each.attributes.get('id') === 'closed-notice') ?? {}
  const script = elements.find(
    ({ name, text }) => name === 'script' && text.includes('closed-notice')
  )
  const notice = {
    hidden: attributes?.has('hidden'),
    dataset: { from: attributes?.get('data-from'), until: attributes?.get('data-until') }
  }
  const body = { style: { setProperty: () => undefined } }
  const document = { body, getElementById: () => notice }
  vi.setSystemTime(now)
  runInNewContext(`class ResizeObserver { observe() {} } ${script?.text}`, { Date, document })
  vi.useRealTimers()
  return notice.hidden === false
}
