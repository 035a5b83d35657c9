import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { openSite } from '../support/rendered-shop.ts'

describe('Published site', () => {
  test(
    'has a page for each pack size with links to the others, one card, and pages for collections',
    async () => {
      const site = await openSite({
        products: {
          'pak-100': { name: 'Mysore Pak', price: 75, pack_value: 100, stock: 0, family_id: 'pak' },
          'pak-250': { name: 'Mysore Pak', price: 180, family_id: 'pak', family_position: 1 },
          'pak-500': {
            name: 'Mysore Pak',
            price: 340,
            pack_value: 500,
            family_id: 'pak',
            family_position: 2
          },
          murukku: { category: 'savouries' },
          cake: { category: 'not-offered' }
        },
        collections: { diwali: ['pak-500', 'pak-100', 'murukku'], wedding: ['murukku'] }
      })
      const { folder } = await site.buildRelease()
      const readPage = async (name: string): Promise<string> =>
        readFile(join(folder, `${name}.html`), 'utf8')

      const page = await readPage('products/pak-250')
      const picker = /<nav aria-label="Pack sizes"[^]*?<\/nav>/.exec(page)?.[0] ?? ''
      const links = [...picker.matchAll(/<a href="([^"]*)"([^>]*)>([^]*?)<\/a>/g)]
      expect(
        links.map(([, href, attributes = '', text = '']) => [
          href,
          attributes.includes('aria-current="page"'),
          ...text
            .split(/<[^>]*>/)
            .map(part => part.trim())
            .filter(Boolean),
          /data-live="out"(?! hidden)/.test(text)
        ])
      ).toEqual([
        ['/products/pak-100', false, '100 g', '₹75.00', 'Out of Stock', true],
        ['/products/pak-250', true, '250 g', '₹180.00', 'Out of Stock', false],
        ['/products/pak-500', false, '500 g', '₹340.00', 'Out of Stock', false]
      ])
      expect(page).toContain('"@type":"ProductGroup","name":"Mysore Pak","productGroupID":"pak"')
      expect(await readPage('products/murukku')).not.toContain('Pack sizes')

      const cards = [...(await readPage('products')).matchAll(/<article[^]*?<\/article>/g)].map(
        ([card]) => card
      )
      expect(cards).toHaveLength(3)
      expect(cards.join()).toMatch(/from<[^]*₹180.00[^]*250 g[^]*3 sizes/)
      const [list = ''] = /<noscript>[^]*?<\/noscript>/.exec(await readPage('products')) ?? []
      expect(
        [...list.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => [href, text])
      ).toEqual([
        ['/products/murukku', 'murukku'],
        ['/products/pak-250', 'Mysore Pak, 250 g'],
        ['/products/pak-500', 'Mysore Pak, 500 g'],
        ['/products/pak-100', 'Mysore Pak, 100 g'],
        ['/products/cake', 'cake']
      ])
      expect([
        ...(await readPage('collections/diwali')).matchAll(/<article[^>]*data-live-id="([^"]*)"/g)
      ]).toMatchObject([{ 1: 'pak-250' }, { 1: 'murukku' }])
      expect(await readPage('index')).toContain('href="/collections/diwali"')
      expect(await readPage('products')).toContain('href="/collections/wedding"')
      expect(await readFile(join(folder, 'sitemap-0.xml'), 'utf8')).toContain(
        '/collections/diwali<'
      )

      await site.shop.write(async trx => {
        await trx
          .updateTable('collections')
          .set({ description: 'Boxes.' })
          .where('id', '=', 'wedding')
          .execute()
        await raiseCounter(trx, 'catalog')
      })
      const { result } = await site.buildRelease()
      expect(result).toMatchObject({ state: 'made', rendered: 2 })
    },
    4 * MINUTE
  )
})
