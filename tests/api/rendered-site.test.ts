import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Settings } from '#lib/contract/settings.ts'
import type { SiteAddress } from '#lib/renderer.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { MINUTE } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { parseElements } from '#server/publishing/release/page.ts'
import { loadManifest, pageFile } from '#server/publishing/release/store.ts'
import { createRenderProcess } from '#server/publishing/render-process.ts'
import { createSitemaps } from '#server/publishing/release/finish-release.ts'
import { readSection, readStoredSection } from '#server/settings/settings.ts'
import { insertSection } from '#server/settings/save-section.ts'
import { applyRandomChanges, seededRandom } from '../support/random-changes.ts'
import { openSite, type RenderedShop, type Site } from '../support/rendered-shop.ts'
import { CATEGORIES } from '../support/catalog.ts'

const ROUNDS = Number(process.env['RANDOM_CHANGES'] ?? 8)
/**
 * Every 10th round compares all pages. The other rounds compare only pages with products or posts.
 */
const ALL_PAGES_INTERVAL = 10
const PAGES_WITH_ALL_SHOP_DETAILS = [
  '/',
  '/admin/orders',
  '/cart',
  '/contact',
  '/orders',
  '/orders/invoice'
]
const CATALOG_PAGES = /^\/(?:$|404$|products|collections|blogs|discounted-products)/

const products = Object.fromEntries(
  ['laddu', 'jangiri', 'halwa', 'murukku', 'thattai', 'mixture', 'mango-pickle', 'sambar-podi'].map(
    (id, index) => [id, { category: CATEGORIES[index % 3] ?? 'sweets', rating: 40 + index }]
  )
)
const XSS = '</script></title><img src=x onerror=alert(1)>'
const catalog = {
  products,
  deals: { today: { product: 'laddu' }, later: { product: 'murukku', percent: 15 } },
  posts: {
    story: {},
    recipe: { content: 'Best with [mixture](/products/mixture) and [this](/blogs/story).' },
    attack: { title: XSS, author: XSS, excerpt: XSS, content: XSS }
  }
}

function fileOf({ address, kind }: SiteAddress): string {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}

async function changeProduct(
  { shop }: Site,
  id: string,
  values: Record<string, unknown>
): Promise<void> {
  await shop.write(async trx => {
    await trx.updateTable('products').set(values).where('id', '=', id).execute()
    await raiseCounter(trx, 'catalog')
  })
}

describe('Incremental release', () => {
  test(
    'contains the same pages as a full release after random changes',
    async () => {
      const site = await openSite(catalog)
      const { shop, renderer, buildRelease } = site
      const random = seededRandom(20261121)
      await buildRelease()
      for (let round = 1; round <= ROUNDS; round++) {
        const changes = await applyRandomChanges(shop.write, random)
        const { folder } = await buildRelease()
        const listed = await renderer.list()
        for (const item of listed.filter(
          ({ address }) => CATALOG_PAGES.test(address) || round % ALL_PAGES_INTERVAL === 0
        )) {
          const { body } = await renderer.render(item.address)
          const stored = await readFile(join(folder, fileOf(item)), 'utf8').catch(() => 'missing')
          if (stored !== String(body))
            throw new Error(
              `Round ${round}, ${changes}: ${item.address} differs from a full render`
            )
        }
        const manifest = JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')) as {
          files: object
        }
        const rendered = Object.keys(manifest.files).filter(name => name.endsWith('.html'))
        expect(rendered.sort()).toEqual(
          listed
            .filter(({ kind }) => kind === 'page')
            .map(fileOf)
            .sort()
        )
        const pages = listed.filter(({ kind }) => kind === 'page').map(({ address }) => address)
        for (const [name, text] of await createSitemaps(pages, shop.config.siteUrl)) {
          expect(await readFile(join(folder, name), 'utf8'), changes).toBe(text.toString())
        }
      }
    },
    15 * MINUTE
  )

  test(
    'renders only the pages affected by a change',
    async () => {
      const site = await openSite(catalog)
      const buildAndListPaths = async (): Promise<string[]> => {
        const paths: string[] = []
        const render = vi.spyOn(site.renderer, 'render')
        await site.buildRelease()
        for (const [address] of render.mock.calls) paths.push(address)
        render.mockRestore()
        return paths.sort()
      }
      expect((await buildAndListPaths()).length).toBeGreaterThan(20)
      expect(await buildAndListPaths()).toEqual([])

      await changeProduct(site, 'murukku', { shelf_life: '3 months' })
      expect(await buildAndListPaths()).toEqual(['/products/murukku'])

      await changeProduct(site, 'laddu', { stock: 19 })
      expect(await buildAndListPaths()).toEqual([])

      await changeProduct(site, 'sambar-podi', { name: 'Sambar Podi' })
      const paths = await buildAndListPaths()
      expect(paths).toContain('/products/sambar-podi')
      expect(paths).toContain('/products')
      expect(paths).not.toContain('/products/laddu')
      expect(paths).not.toContain('/about')
      expect(paths).not.toContain('/blogs')

      // The first save removes the demo's note from all pages, and the first GSTIN changes what
      // they say about taxes.
      await changeSettings(site.shop, 'shop', { phone: '98400 98400' })
      await changeSettings(site.shop, 'legal', { gstin: '33ABCDE1234F1Z7' })
      expect(await buildAndListPaths()).toContain('/products/laddu')
      await changeSettings(site.shop, 'legal', { gstin: '33AABCP1234F1Z1' })
      await changeSettings(site.shop, 'shop', { hours: 'Mon to Sat, 9 to 6' })
      await changeSettings(site.shop, 'orders', { minimumOrder: 200 })
      expect(await buildAndListPaths()).toEqual(PAGES_WITH_ALL_SHOP_DETAILS)
    },
    4 * MINUTE
  )

  test(
    'has no link to hidden products, deleted posts or other missing pages in posts, policies and banners',
    async () => {
      const site = await openSite(catalog)
      const link = '/products/mixture'
      const [banner] = (await readSection(site.shop.database.kysely, 'home')).banners
      if (!banner) throw new Error('The demo has no banner')
      await changeSettings(site.shop, 'home', {
        banners: [{ ...banner, button: 'Taste it', link }]
      })
      await changeSettings(site.shop, 'terms', {
        text: `See [mixture](${link}), [privacy](/privacy-policy) and [x](/x).`
      })
      const buildPage = async (name: string): Promise<string> =>
        readFile(join((await site.buildRelease()).folder, name), 'utf8')
      const buildRecipePage = (): Promise<string> => buildPage('blogs/recipe.html')
      const buttonLink = async (): Promise<string | undefined> =>
        /<a href="([^"]*)"[^>]*>\s*Taste it/.exec(await buildPage('index.html'))?.[1]
      expect(await buildRecipePage()).toContain(`<a href="${link}"`)
      expect(await buttonLink()).toBe(link)
      await changeProduct(site, 'mixture', { hidden_at: new Date().toISOString() })
      await site.shop.write(async trx => {
        await trx.deleteFrom('posts').where('id', '=', 'story').execute()
        await raiseCounter(trx, 'catalog')
      })
      expect(await buildRecipePage()).toContain('<p>Best with mixture and this.</p>')
      expect(await buildPage('terms-and-conditions.html')).toMatch(
        /See mixture, <a href="\/privacy-policy"[^>]*>privacy<\/a> and x\./
      )
      expect(await buttonLink()).toBe('/products')
    },
    4 * MINUTE
  )

  test(
    'has the last version of a post that can no longer be rendered',
    async () => {
      const site = await openSite(catalog)
      await site.buildRelease()
      await site.shop.write(async trx => {
        await trx
          .updateTable('posts')
          .set({ title: 'Endless quotes', content: `${'>'.repeat(2000)} Rice` })
          .where('id', '=', 'recipe')
          .execute()
        await raiseCounter(trx, 'catalog')
      })
      const { result, folder } = await site.buildRelease()
      expect(result).toMatchObject({
        state: 'made',
        warnings: ['/blogs/recipe could not be rendered']
      })
      const readPage = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
      expect(await readPage('blogs/recipe.html')).toContain('Best with')
      expect(await readPage('blogs/recipe.html')).not.toContain('Endless quotes')
      expect(await readPage('blogs.html')).toContain('Endless quotes')
    },
    4 * MINUTE
  )

  test(
    'preloads exactly the files that its first large picture offers',
    async () => {
      const { renderer } = await openSite(catalog)
      const srcsetsOf = (body: string, name: string, attribute: string): (string | undefined)[] =>
        parseElements(body).flatMap(element =>
          element.name === name ? (element.attributes.get(attribute) ?? []) : []
        )
      for (const address of ['/', '/products', '/products/halwa']) {
        const body = String((await renderer.render(address)).body)
        const preloaded = srcsetsOf(body, 'link', 'imagesrcset')
        expect(preloaded, address).toHaveLength(1)
        expect(srcsetsOf(body, 'source', 'srcset'), address).toContain(preloaded[0])
      }
    },
    4 * MINUTE
  )

  test(
    'escapes HTML in all texts of a post',
    async () => {
      const { folder } = await (await openSite(catalog)).buildRelease()
      for (const file of ['blogs.html', 'blogs/attack.html', 'blogs/story.html']) {
        const page = await readFile(join(folder, file), 'utf8')
        expect(page, file).toContain('&lt;img src=x')
        expect(
          parseElements(page).filter(({ attributes }) => attributes.has('onerror')),
          file
        ).toEqual([])
      }
    },
    4 * MINUTE
  )

  test(
    'has the same files from two processes, which render more than a hundred pages, as from one',
    async () => {
      const many = Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`laddu-${index}`, {}])
      )
      const { shop, buildRelease, beginRelease } = await openSite({
        ...catalog,
        products: { ...products, ...many }
      })
      const { folder } = await buildRelease()
      const process = createRenderProcess({ PATH: '/bin' })
      onTestFinished(() => process.close())
      const { lastFolder: _, ...job } = await beginRelease()
      const options = { signal: new AbortController().signal, onProgress: () => undefined }
      expect(await process.render(shop.code, job, options)).toMatchObject({
        state: 'made',
        warnings: []
      })
      const [one, two] = [await loadManifest(folder), await loadManifest(job.folder)]
      expect(Object.keys(two?.files ?? {}).length).toBeGreaterThan(100)
      expect(two).toEqual({ ...one, id: two?.id, counter: two?.counter, createdAt: two?.createdAt })
    },
    4 * MINUTE
  )

  test(
    'shows on every page that the shop is closed, only on the closed days in India',
    async () => {
      const { shop, renderer } = await openSite(catalog)
      const closed = {
        from: '2026-11-22',
        until: '2026-11-23',
        message: 'Our daughter gets married.'
      }
      await changeSettings(shop, 'orders', { closed })
      renderer.open(await shop.readSource())
      for (const address of ['/', '/products/halwa', '/blogs/story', '/cart']) {
        const body = String((await renderer.render(address)).body)
        const [, text] = /<aside id="closed-notice"[^>]*>([^<]*)</.exec(body) ?? []
        expect(text?.trim()).toBe(
          'Our daughter gets married. We take orders again from Tue 24 Nov.'
        )
        const shown = [
          '2026-11-21T18:29:59Z',
          '2026-11-21T18:30:00Z',
          '2026-11-23T18:29:59Z',
          '2026-11-23T18:30:00Z'
        ]
        expect(shown.map(time => isNoticeShown(body, Date.parse(time)))).toEqual([
          false,
          true,
          true,
          false
        ])
      }
    },
    4 * MINUTE
  )

  test(
    'shows the owner’s logo instead of the kolam, once the owner has chosen one',
    async () => {
      const { shop, renderer } = await openSite(catalog)
      const countLogos = async (address: string): Promise<number> =>
        String((await renderer.render(address)).body).split(
          'src="/assets/about-kitchen-00000000.jpg"'
        ).length - 1
      const before = await countLogos('/contact')
      await changeSettings(shop, 'shop', { logo: 'about-kitchen' })
      renderer.open(await shop.readSource())
      expect([before, await countLogos('/contact'), await countLogos('/products/halwa')]).toEqual([
        0, 2, 2
      ])
    },
    4 * MINUTE
  )
})

async function changeSettings<Name extends SectionName>(
  shop: RenderedShop,
  section: Name,
  changes: Partial<Settings[Name]>
): Promise<void> {
  await shop.write(async trx => {
    await raiseCounter(trx, 'catalog')
    const { value, version } = await readStoredSection(trx, section)
    const at = new Date().toISOString()
    const actor = { _id: null, name: 'Owner' }
    await insertSection(trx, section, {
      value: { ...value, ...changes },
      version: version + 1,
      at,
      actor
    })
  })
}

/** Runs the script behind the notice at the given time. */
function isNoticeShown(page: string, now: number): boolean {
  const elements = parseElements(page)
  const { attributes } =
    elements.find(found => found.attributes.get('id') === 'closed-notice') ?? {}
  const script =
    elements.find(({ name, text }) => name === 'script' && text.includes('closed-notice'))?.text ??
    ''
  const notice = {
    hidden: attributes?.has('hidden'),
    dataset: { from: attributes?.get('data-from'), until: attributes?.get('data-until') }
  }
  vi.setSystemTime(now)
  const document = {
    body: { style: { setProperty: () => undefined } },
    getElementById: () => notice
  }
  runInNewContext(`class ResizeObserver { observe() {} } ${script}`, { Date, document })
  vi.useRealTimers()
  return notice.hidden === false
}
