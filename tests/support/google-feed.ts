const ADDRESS = /^https?:\/\/[^\s<>"]{1,1990}$/
const PICTURE = /^https?:\/\/\S{1,1980}\.(jpe?g|png|webp)$/
const ID = /^[\x21-\x7e]{1,50}$/
const PRICE = /^\d+\.\d\d INR$/
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`

/** Google's product data specification. */
const REQUIRED: Record<string, RegExp> = {
  id: ID,
  title: /^(?=.*\S).{1,150}$/,
  description: /^(?=.*\S).{1,5000}$/,
  link: ADDRESS,
  image_link: PICTURE,
  availability: /^(in_stock|out_of_stock|preorder|backorder)$/,
  price: PRICE,
  brand: /^(?=.*\S).{1,70}$/,
  condition: /^(new|refurbished|used)$/,
  identifier_exists: /^no$/
}
const OPTIONAL: Record<string, RegExp> = {
  additional_image_link: PICTURE,
  sale_price: PRICE,
  sale_price_effective_date: new RegExp(`^${TIME}/${TIME}$`),
  item_group_id: ID,
  size: /^(?=.*\S).{1,100}$/,
  unit_pricing_measure: /^\d+(\.\d+)?(g|kg|ml|l|ct)$/,
  unit_pricing_base_measure: /^(1|2|4|8|10|100)(g|kg|ml|l|ct)$/,
  shipping_weight: /^\d+(\.\d+)? (g|kg)$/,
  product_type: /^(?=.*\S).{1,750}$/,
  google_product_category: /^(422|423|4608|4748|136|500076)$/,
  'shipping.country': /^IN$/,
  'shipping.price': PRICE,
  'shipping.max_handling_time': /^\d+$/,
  'shipping.max_transit_time': /^\d+$/
}
const FORMATS = { ...REQUIRED, ...OPTIONAL }
const MAX_MORE_PICTURES = 10

export type FeedItem = Record<string, string[]>

/** By name, such as `title` and `shipping.price`. Throws if it is not well-formed. */
export function parseFeed(xml: string): FeedItem[] {
  const items = [...xml.matchAll(/<item>([^]*?)<\/item>/g)].map(([, text = '']) => text)
  const frame = xml.replace(/<item>[^]*<\/item>/, '')
  if (
    !/^<\?xml [^>]*>\s*<rss [^>]*><channel>(\s*<\w+>[^<]*<\/\w+>){3}\s*<\/channel><\/rss>$/.test(
      frame
    )
  )
    throw new Error(`Not a feed: ${frame}`)
  return items.map(item => parseFields(item))
}

function parseFields(text: string, prefix = '') {
  const item: FeedItem = {}
  const rest = text.replace(/<g:(\w+)>([^]*?)<\/g:\1>/g, (_, name: string, value: string) => {
    if (name === 'shipping') Object.assign(item, parseFields(value, 'shipping.'))
    else item[prefix + name] = [...(item[prefix + name] ?? []), decode(value)]
    return ''
  })
  if (rest.trim() !== '') throw new Error(`Not well-formed: ${rest}`)
  return item
}

function decode(value: string) {
  if (/[<>]|&(?!#\d+;)/.test(value)) throw new Error(`Not escaped: ${value}`)
  return value.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}

export function listFeedProblems(items: readonly FeedItem[]): string[] {
  const ids = items.map(({ id }) => id?.[0])
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
  return [...repeated.map(id => `${id} is there twice`), ...items.flatMap(listProblems)]
}

function listProblems(item: FeedItem) {
  const missing = Object.keys(REQUIRED).filter(name => !item[name])
  const wrong = Object.entries(item).flatMap(([name, values]) => {
    const times = name === 'additional_image_link' ? MAX_MORE_PICTURES : 1
    const isRight = (value: string) => FORMATS[name]?.test(value) === true && !/\p{C}/u.test(value)
    return values.filter((value, index) => index >= times || !isRight(value))
  })
  const [price = 0, sale = 0] = ['price', 'sale_price'].map(name =>
    parseFloat(item[name]?.[0] ?? '0')
  )
  const isReduced = sale < price && Boolean(item['item_group_id']) === Boolean(item['size'])
  return [...missing, ...wrong, ...(isReduced ? [] : ['sale price or group'])].map(
    problem => `${item['id']?.[0]}: ${problem}`
  )
}
