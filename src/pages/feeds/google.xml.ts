import type { APIRoute } from 'astro'
import { getListing, getProduct, getShipping } from '#content/catalog.ts'
import { getCategoryLabel, getShop } from '#content/shop.ts'
import { toOfferId, toSharedUrl } from '#content/structured-data.ts'
import { CURRENCY, DEFAULT_UNIT } from '#lib/constants.ts'
import { PATHS, toCanonicalUrl } from '#lib/paths.ts'
import { formatPack, MEASURES, toStockLevel } from '#lib/product.ts'

/** Of Google's product taxonomy. */
const FOOD = 422
const CATEGORIES: Readonly<Record<string, number>> = {
  ...{ powders: 4608, savouries: 423, pickles: 500076, sweets: 4748, seer_items: 136 }
}
/** In pixels. Google refuses smaller pictures, and products without one. */
const MIN_PICTURE = 100

/** Without a value, a field is left out. */
type Field = [name: string, value: string | number | undefined | Field[]]

export const GET: APIRoute = async ({ site }) => {
  const { name, tagline } = await getShop()
  const home = toCanonicalUrl(PATHS.home, String(site))
  const { links } = await getListing(0)
  const items = await Promise.all(links.map(({ id }) => listFields(id, name, home)))
  const channel: Field[] = [
    ['title', name],
    ['link', home],
    ['description', tagline || name],
    ...items
      .filter(fields => fields.some(([field]) => field === 'image_link'))
      .map((fields): Field => ['item', fields])
  ]
  return new Response(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">' +
      `<channel>${toXml(channel, '')}</channel></rss>`
  )
}

async function listFields(id: string, shop: string, site: string): Promise<Field[]> {
  const product = await getProduct(id)
  const { price, listPrice, saleTime, quantity, category, family } = product
  const { value, unit } = quantity
  const pack = formatPack(quantity)
  const title = `${product.name}, ${pack}`
  const pictures = product.pictures.filter(each => Math.min(each.width, each.height) >= MIN_PICTURE)
  const shipping = await getShipping(id)
  const { small } = MEASURES[unit] ?? {}
  const isPieces = unit === DEFAULT_UNIT
  return [
    ['id', toOfferId(id)],
    ['title', title],
    ['description', product.description.trim() || `${title}, ${shop}`],
    ['link', toCanonicalUrl(PATHS.product(id), site)],
    ...pictures.map((picture, index): Field => [
      index === 0 ? 'image_link' : 'additional_image_link',
      toSharedUrl(picture, site)
    ]),
    ['availability', toStockLevel(product.stock) === 'out' ? 'out_of_stock' : 'in_stock'],
    ['price', toPrice(listPrice ?? price)],
    ['sale_price', listPrice && toPrice(price)],
    [
      'sale_price_effective_date',
      saleTime && `${toMinute(saleTime.from)}/${toMinute(saleTime.until)}`
    ],
    ['brand', shop],
    ['condition', 'new'],
    ['identifier_exists', 'no'],
    ['item_group_id', family && toOfferId(family.id)],
    ['size', family && pack],
    ['unit_pricing_measure', isPieces ? `${value}ct` : small && `${value}${unit}`],
    ['unit_pricing_base_measure', isPieces ? '1ct' : small && `100${small}`],
    ['shipping_weight', small === 'g' ? `${value} ${unit}` : undefined],
    ['product_type', await getCategoryLabel(category)],
    ['google_product_category', CATEGORIES[category] ?? FOOD],
    [
      'shipping',
      shipping && [
        ['country', 'IN'],
        ['price', toPrice(shipping.fee)],
        ['max_handling_time', shipping.handling[1]],
        ['max_transit_time', shipping.transit[1]]
      ]
    ]
  ]
}

const toPrice = (rupees: number) => `${rupees.toFixed(2)} ${CURRENCY}`

const toMinute = (time: string) => `${time.slice(0, 16)}Z`

function toXml(fields: Field[], prefix = 'g:'): string {
  const elements = fields.map(([field, value]) => {
    if (value === undefined) return ''
    const content = Array.isArray(value) ? toXml(value) : escapeXml(String(value))
    return `<${prefix}${field}>${content}</${prefix}${field}>\n`
  })
  return elements.join('')
}

/** Without control characters, which Google refuses. */
function escapeXml(text: string) {
  const printable = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '')
  return printable.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
}
