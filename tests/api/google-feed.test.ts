import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '#lib/contract/catalog.ts'
import type { ShopSettings } from '#lib/contract/settings.ts'
import { toPaise } from '#lib/money.ts'
import { FEED_PATH } from '#lib/paths.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { cacheControl, contentType } from '#server/publishing/release/headers.ts'
import type { ProductDraft } from '../support/catalog.ts'
import { listFeedProblems, parseFeed, type FeedItem } from '../support/google-feed.ts'
import { openSite } from '../support/rendered-shop.ts'

const LONG_ID = 'long-'.repeat(30)
const [from = '', until = ''] = [-DAY, DAY].map(ms => new Date(Date.now() + ms).toISOString())
const pak = { name: 'Mysore Pak', family_id: 'pak' }
const products: Record<string, ProductDraft> = {
  laddu: { sale_price: toPaise(8050), sale_from: from, sale_until: until },
  halwa: { stock: 0 },
  jangiri: { cooked_to_order: 1, stock: 0 },
  'pak-250': { ...pak, price: 180 },
  'pak-1': { ...pak, price: 700, pack_value: 1, pack_unit: 'kg', stock: 0, family_position: 1 },
  seer: { pack_value: 11, pack_unit: 'piece', category: 'seer_items' },
  oil: { pack_value: 500, pack_unit: 'ml', category: 'oils' },
  [`${LONG_ID}1`]: { name: 'Long' },
  [`${LONG_ID}2`]: { name: 'Longer' }
}

let site: Awaited<ReturnType<typeof openSite>>
beforeAll(async () => void (site = await openSite({ products })), 4 * MINUTE)
afterAll(() => site.shop.close())

interface Changes {
  /** Of the laddu. */
  product?: Partial<Product>
  shop?: (shop: ShopSettings) => Partial<ShopSettings>
}

async function render(address: string, { product, shop }: Changes = {}) {
  const { content, readAt } = await site.shop.readSource()
  const changed = content.products.map(each =>
    each.id === 'laddu' ? { ...each, ...product } : each
  )
  const settings = { ...content.shop, ...shop?.(content.shop) }
  site.renderer.open({ content: { ...content, products: changed, shop: settings }, readAt })
  return String((await site.renderer.render(address)).body)
}

async function readFeed(changes?: Changes): Promise<Record<string, FeedItem>> {
  const items = parseFeed(await render(FEED_PATH, changes))
  expect(listFeedProblems(items)).toEqual([])
  return Object.fromEntries(items.map(item => [item['link']?.[0]?.split('/').at(-1), item]))
}

async function readProduct(address: string, changes?: Changes): Promise<unknown> {
  const [, json = ''] =
    /"application\/ld\+json">([^<]*"@type":"Product"[^<]*)</.exec(await render(address, changes)) ??
    []
  return JSON.parse(json)
}

const OWN = { method: 'own', fee: 40, freeAbove: 100, transitMax: 3 } as const
const COURIER = { method: 'courier', fee: 90, freeAbove: 0, transitMax: 5 } as const
const deliverBy = (
  ...countrywide: ShopSettings['delivery']['countrywide']
): Required<Pick<Changes, 'shop'>> => ({
  shop: ({ delivery, calendar }) => ({
    delivery: { ...delivery, countrywide },
    calendar: { ...calendar, leadDays: 1, closedWeekdays: [0], cutOff: '18:00' }
  })
})

test('The feed has what Google requires of each visible product and pack size', async () => {
  const feed = await readFeed()
  expect(Object.keys(feed).sort()).toEqual(Object.keys(products).sort())
  expect(feed).toMatchObject({
    laddu: {
      title: ['laddu, 250 g'],
      availability: ['in_stock'],
      price: ['100.00 INR'],
      sale_price: ['80.50 INR'],
      sale_price_effective_date: [`${from.slice(0, 16)}Z/${until.slice(0, 16)}Z`],
      product_type: ['Sweets'],
      google_product_category: ['4748'],
      shipping_weight: ['250 g'],
      unit_pricing_measure: ['250g'],
      unit_pricing_base_measure: ['100g']
    },
    halwa: { availability: ['out_of_stock'] },
    jangiri: { availability: ['in_stock'] },
    'pak-250': { size: ['250 g'], item_group_id: ['pak'] },
    'pak-1': { title: ['Mysore Pak, 1 kg'], size: ['1 kg'], item_group_id: ['pak'] },
    seer: { unit_pricing_measure: ['11ct'], google_product_category: ['136'] },
    oil: { unit_pricing_measure: ['500ml'], google_product_category: ['422'] }
  })
  expect(Object.keys(feed['oil'] ?? {})).not.toContain('shipping_weight')
})

test('The feed escapes texts, leaves out control characters, and fills in descriptions', async () => {
  const name = 'தட்டை & <b>“Thattai”</b> 👩‍🍳\u0007\u202E'
  const title = 'தட்டை & <b>“Thattai”</b> 👩🍳, 250 g'
  expect(await readFeed({ product: { name, description: ' \n ' } })).toMatchObject({
    laddu: { title: [title], description: [`${title}, Palagaram`] }
  })
  await readFeed({ product: { name: 'n'.repeat(100), description: 'Kai 🥥\n'.repeat(285) } })
})

test('The feed leaves out small pictures, and products without another one', async () => {
  const { content } = await site.shop.readSource()
  const [picture] = content.products.flatMap(({ pictures }) => pictures)
  if (!picture) throw new Error('No product has a picture')
  const small = { ...picture, height: 99 }
  expect(await readFeed({ product: { pictures: [small] } })).not.toHaveProperty('laddu')
  const pictures = [small, ...Array.from({ length: 7 }, () => picture)]
  const { laddu } = await readFeed({ product: { pictures } })
  expect(laddu?.['additional_image_link']).toHaveLength(6)
})

test('The feed tells the highest fee and the longest time, if each pincode is served', async () => {
  expect(await readFeed()).toMatchObject({
    laddu: { 'shipping.price': ['0.00 INR'], 'shipping.max_handling_time': ['2'] }
  })
  const both = deliverBy(OWN, COURIER)
  expect(await readFeed(both)).toMatchObject({
    laddu: {
      'shipping.country': ['IN'],
      'shipping.price': ['90.00 INR'],
      'shipping.max_handling_time': ['3'],
      'shipping.max_transit_time': ['5']
    }
  })
  expect(await readFeed(deliverBy(OWN))).toMatchObject({
    laddu: { 'shipping.price': ['40.00 INR'], 'shipping.max_transit_time': ['0'] },
    'pak-250': { 'shipping.price': ['0.00 INR'] }
  })
  for (const changes of [
    { ...both, product: { localOnly: true } },
    { ...both, product: { shelfLifeDays: 5 } },
    deliverBy()
  ])
    expect(Object.keys((await readFeed(changes))['laddu'] ?? {})).not.toContain('shipping.price')
})

test('The feed is in the release, compressed, and follows changes of products', async () => {
  const name = FEED_PATH.slice(1)
  const buildFeed = async () => {
    const { folder } = await site.buildRelease()
    expect(existsSync(join(folder, `${name}.br`))).toBe(true)
    return parseFeed(await readFile(join(folder, name), 'utf8'))
  }
  const before = await buildFeed()
  await site.shop.write(async trx => {
    await raiseCounter(trx, 'catalog')
    await trx.updateTable('products').set({ stock: 0 }).where('id', '=', 'oil').execute()
    await trx.updateTable('products').set({ hidden_at: from }).where('id', '=', 'seer').execute()
  })
  const after = await buildFeed()
  expect(after).toHaveLength(before.length - 1)
  expect(after.find(({ id }) => id?.[0] === 'oil')?.['availability']).toEqual(['out_of_stock'])
  expect(contentType(name)).toBe('application/xml; charset=utf-8')
  expect(cacheControl(name)).toContain('must-revalidate')
})

test.for([
  ['', 'Mysore Pak'],
  ['/ta', 'பலகாரம்']
])(
  'Structured data has what Google requires of offers, delivery and sizes: %s',
  async ([prefix, name]) => {
    const path = `${prefix}/products/pak-250`
    const days = (minValue: number, maxValue: number) => ({
      ...{ '@type': 'QuantitativeValue', minValue, maxValue, unitCode: 'DAY' }
    })
    const variant = (pack: string, id: string, price: string, availability: string) => ({
      ...{ '@type': 'Product', name: `${name}, ${pack}`, sku: id, size: pack },
      image: [expect.stringMatching(/^http.*\.jpg$/)],
      offers: {
        ...{ '@type': 'Offer', price, priceCurrency: 'INR' },
        availability: `https://schema.org/${availability}`,
        url: expect.stringMatching(`^http.*${prefix}/products/${id}$`)
      }
    })
    const { offers, ...product } = variant('250 g', 'pak-250', '180.00', 'InStock')
    expect(await readProduct(path, deliverBy(OWN, COURIER))).toMatchObject({
      ...product,
      offers: {
        ...offers,
        shippingDetails: {
          '@type': 'OfferShippingDetails',
          shippingRate: { '@type': 'MonetaryAmount', maxValue: 90, currency: 'INR' },
          shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'IN' },
          deliveryTime: {
            '@type': 'ShippingDeliveryTime',
            ...{ handlingTime: days(1, 3), transitTime: days(0, 5) }
          }
        }
      },
      isVariantOf: {
        '@type': 'ProductGroup',
        ...{ name, productGroupID: 'pak', variesBy: ['https://schema.org/size'] },
        hasVariant: [variant('1 kg', 'pak-1', '700.00', 'OutOfStock')]
      }
    })
  }
)

test('Structured data says until when a sale price applies', async () => {
  expect(await readProduct('/products/laddu')).toMatchObject({
    offers: { price: '80.50', priceValidUntil: until, priceSpecification: { price: '100.00' } }
  })
})

test('Structured data refuses returns only under our own policy', async () => {
  const readOffer = async (isBuiltIn: boolean): Promise<unknown> => {
    const shop: Changes['shop'] = ({ policies, delivery }) => ({
      policies: policies.map(policy => ({ ...policy, isBuiltIn })),
      delivery: { ...delivery, countrywide: [] }
    })
    return ((await readProduct('/ta/products/halwa', { shop })) as { offers: unknown }).offers
  }
  expect(await readOffer(true)).toMatchObject({
    hasMerchantReturnPolicy: {
      '@type': 'MerchantReturnPolicy',
      applicableCountry: 'IN',
      returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted',
      merchantReturnLink: expect.stringMatching(/\/ta\/cancellation-and-refund$/)
    }
  })
  const offer = await readOffer(false)
  expect(offer).not.toHaveProperty('hasMerchantReturnPolicy')
  expect(offer).not.toHaveProperty('shippingDetails')
})
