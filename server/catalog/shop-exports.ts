import { t, texts } from '#lib/contract/texts.ts'
import { groupBy } from '#lib/group-by.ts'

/** `get` takes columns’ names in lower case, and returns the first cell that is filled. */
export interface ExportRow {
  line: number
  get: (...columns: string[]) => string
}

/** A product of another shop, or one of its variants, with the texts of the file. */
export interface ExportedItem {
  line: number
  /** Variants of one product have the same. */
  product: string
  name: string
  description: string
  categories: string[]
  /** If the sale price is not below the usual price. */
  price: string
  usualPrice: string
  salePrice: string
  saleFrom?: string
  saleUntil?: string
  stock: string
  options: string[]
  /** Texts that may contain the pack size, the best one first. */
  sizes: string[]
  pictures: string[]
  notes: (string | false)[]
  /** Why it is left out. */
  skipped: string | false
}

const TEXTS = texts({
  kind: (kind: string) => t('We can’t import this kind of product: {kind}.', { kind }),
  notPublic: 'It was not public in the old shop.'
})
const UNLIMITED = 'unlimited'
const isYes = (cell: string) => /^(1|yes|true|wahr|notify|continue)$/i.test(cell)

const ATTRIBUTES = [1, 2, 3, 4].map(number => `attribute ${number} value(s)`)

/** Columns of WC_Product_CSV_Exporter. */
export function readWooCommerce(rows: ExportRow[], columns: string[]): ExportedItem[] {
  const byId = new Map(
    rows.flatMap(row => [
      [`id:${row.get('id')}`, row] as const,
      [row.get('sku') || '-', row] as const
    ])
  )
  const findParent = ({ get }: ExportRow): ExportRow | undefined => byId.get(get('parent'))
  const parents = new Set(rows.map(findParent))
  const weight = columns.find(column => column.startsWith('weight (')) ?? ''
  return rows.flatMap(row => {
    if (parents.has(row)) return []
    const { line, get } = row
    const parent = findParent(row)
    const base = parent ?? row
    const attributes = ATTRIBUTES.map(name => get(name))
    const descriptions = ['short description', 'description'].map(name => base.get(name))
    const sharesStock = get('stock') === 'parent'
    const stock = (sharesStock ? base : row).get('stock')
    const type = get('type').toLowerCase()
    return {
      line,
      product: base.get('id', 'sku', 'name'),
      name: base.get('name'),
      // The exporter writes \n for a line break.
      description: [...new Set(descriptions)].join('\n\n').replaceAll('\\n', '\n'),
      categories: splitList(base.get('categories')),
      price: get('regular price', 'sale price'),
      usualPrice: get('regular price'),
      salePrice: get('sale price'),
      saleFrom: get('date sale price starts'),
      saleUntil: get('date sale price ends'),
      stock:
        isYes(get('backorders allowed?')) || (stock === '' && get('in stock?') !== '0')
          ? UNLIMITED
          : stock || '0',
      options: parent ? attributes : [],
      sizes: [
        get('name'),
        ...attributes,
        ...[row, base].map(each => `${each.get(weight)} ${weight.slice(8, -1)}`)
      ],
      pictures: [row, base].flatMap(each => splitList(each.get('images'))),
      notes: [
        ![row, base].every(each => isYes(each.get('published') || '1')) && TEXTS.notPublic,
        sharesStock && t('All its sizes shared this stock in the old shop.')
      ],
      skipped:
        type === 'variable'
          ? t('Its sizes are not in the file. Export all types of products.')
          : !/^(simple|variation)?$/.test(type) && TEXTS.kind(type)
    }
  })
}

/** 'Sweets > Halwa, Salt\, spice' are two. */
function splitList(cell: string) {
  return cell.split(/(?<!\\),/).map(part => part.replaceAll('\\,', ',').trim())
}

/** Columns, old and new: https://help.shopify.com/en/manual/products/import-export/using-csv */
export function readShopify(rows: ExportRow[]): ExportedItem[] {
  let handle = ''
  const products = groupBy(rows, ({ get }) => {
    handle = get('handle', 'url handle', 'title') || handle
    return handle
  })
  return [...products].flatMap(([product, own]) => {
    const base = own.find(({ get }) => get('title') !== '') ?? own[0]
    if (!base) return []
    const variants = own.filter(({ get }) => get('variant price', 'price', 'option1 value') !== '')
    const pictures = own.map(({ get }) => get('image src', 'product image url'))
    const isPublic =
      /^(active)?$/i.test(base.get('status')) &&
      isYes(base.get('published', 'published on online store') || 'true')
    return (variants.length > 0 ? variants : [base]).map(({ line, get }) => {
      const price = get('variant price', 'price')
      const hasLimit =
        get('variant inventory tracker', 'inventory tracker') !== '' &&
        !isYes(get('variant inventory policy', 'continue selling when out of stock'))
      const stock = get('variant inventory qty', 'inventory quantity')
      return {
        line,
        product,
        name: base.get('title'),
        description: base.get('body (html)', 'description'),
        categories: [base.get('type', 'product category')],
        price,
        usualPrice: get('variant compare at price', 'compare-at price'),
        salePrice: price,
        stock: hasLimit && stock !== '' ? stock : UNLIMITED,
        options: [1, 2, 3]
          .map(number => get(`option${number} value`))
          .filter(option => option !== 'Default Title'),
        sizes: [
          `${get('unit price total measure')} ${get('unit price total measure unit')}`,
          base.get('title'),
          `${get('variant grams', 'weight value (grams)')} g`
        ],
        pictures: [get('variant image', 'variant image url'), ...pictures],
        notes: [
          !isPublic && TEXTS.notPublic,
          hasLimit && stock === '' && t('The file has no stock for it, so it has no limit.')
        ],
        skipped: isYes(base.get('gift card')) && TEXTS.kind('gift card')
      }
    })
  })
}
