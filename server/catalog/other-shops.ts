import { PRODUCT_LIMITS } from '#lib/constants.ts'
import type { AdminProduct, ImportQuestion } from '#lib/contract/catalog.ts'
import { toSearchText } from '#lib/contract/formats.ts'
import { plural, t } from '#lib/contract/texts.ts'
import { groupBy } from '#lib/group-by.ts'
import { findFreeSlug, toSlug } from '#lib/paths.ts'
import { formatPack, shorten } from '#lib/product.ts'
import { addDays } from '#lib/time.ts'
import { asEnumValue, readCell } from './cells.ts'
import type { CsvFile } from './csv-file.ts'
import { readSize, toPlainText } from './foreign-texts.ts'
import type { Answers } from './notation.ts'
import { COLUMNS } from './product-table.ts'
import { type ExportedItem, type ExportRow, readShopify, readWooCommerce } from './shop-exports.ts'

const LEAVE_OUT = '-'
const SHOPS = [
  {
    name: 'WooCommerce',
    columns: [['name'], ['regular price', 'is featured?', 'tax status', 'attribute 1 name']],
    read: readWooCommerce
  },
  {
    name: 'Shopify',
    columns: [['title'], ['handle', 'url handle'], ['variant price', 'price']],
    read: readShopify
  }
]

/** What our table has no columns for. */
export interface RowExtras {
  skipped: string | false
  notes: string[]
  pictures: string[]
}

interface OtherShop {
  name: string
  /** The products in the columns of our table. */
  file: CsvFile
  extras: ReadonlyMap<number, RowExtras>
  questions: ImportQuestion[]
}

interface Context {
  products: readonly AdminProduct[]
  categories: readonly { name: string; label: string }[]
  answers: Answers
  /** In India, such as 2026-11-27. */
  today: string
}

/** Returns undefined for a table of our own. */
export function readOtherShop(file: CsvFile, context: Context): OtherShop | undefined {
  const columns = file.header.map(name => name.toLowerCase())
  const shop = SHOPS.find(known =>
    known.columns.every(names => names.some(name => columns.includes(name)))
  )
  if (!shop) return undefined
  const rows = file.rows.map(({ line, cells }): ExportRow => {
    // Both shops write an apostrophe before what could be a formula.
    const get = (name: string) => (cells[columns.indexOf(name)] ?? '').replace(/^'(?=[=+\-@])/, '')
    return { line, get: (...names) => names.map(get).find(cell => cell !== '') ?? '' }
  })
  const converted = convert(shop.read(rows, columns), context)
  const questions = askCategories(converted, context)
  const byLine = new Map(file.rows.map(row => [row.line, row]))
  return {
    name: shop.name,
    questions,
    file: {
      ...file,
      header: COLUMNS.map(({ label }) => label),
      rows: converted.map(({ item: { line }, cells }) => ({
        ...byLine.get(line),
        line,
        cells: COLUMNS.map(({ name }) => cells[name] ?? '')
      }))
    },
    extras: new Map(converted.map(({ item, extras }) => [item.line, extras]))
  }
}

interface Converted {
  item: ExportedItem
  cells: Partial<Record<string, string>>
  extras: RowExtras
}

/** Sizes with one name become a family. Other options become products with their own names. */
function convert(items: readonly ExportedItem[], { products, today }: Context): Converted[] {
  const known = groupBy(products, ({ name }) => toSearchText(name))
  const families = new Set(products.flatMap(({ family }) => family?.id ?? []))
  const names = new Set<string>()
  const converted: Converted[] = []
  for (const [product, variants] of groupBy(items, item => item.product)) {
    const { text, pictures } = toPlainText(variants[0]?.description ?? '')
    for (const [name, sizes] of groupBy(variants.map(toSized), ({ name }) => name)) {
      const searchName = toSearchText(name)
      const namesakes = known.get(searchName) ?? []
      const isNamesake = names.has(searchName) || namesakes.length > 0
      const addresses = new Set([...sizes.flatMap(({ item }) => item.pictures), ...pictures])
      const isFamily = sizes.length > 1 && namesakes.length === 0
      const family = findFreeSlug(toSlug(name, toSlug(product, 'sizes')), families)
      families.add(family)
      names.add(searchName)
      for (const [position, { item, size }] of sizes.entries()) {
        const isKnown = namesakes.some(
          ({ quantity }) => !size || formatPack(quantity) === formatPack(size)
        )
        const { note, ...prices } = toPrices(item, today)
        converted.push({
          item,
          cells: {
            ...prices,
            name,
            description: shorten(text, PRODUCT_LIMITS.description),
            stock: item.stock.replace(/^-.*/, '0'),
            'quantity.value': String(size?.value ?? 1),
            'quantity.unit': size?.unit ?? 'piece',
            dietary: 'vegetarian',
            ...(isFamily && { 'family.id': family, 'family.position': String(position) })
          },
          extras: {
            skipped: item.skipped || (isKnown && t('Already in your shop. Nothing changes.')),
            // The sizes share their pictures.
            pictures: position > 0 ? [] : [...addresses].filter(isWebAddress),
            notes: [
              ...item.notes,
              note,
              isNamesake && t('Another product has the same name. Change one of the names.'),
              !size && t('The file has no pack size. Please check it.')
            ].filter(found => typeof found === 'string')
          }
        })
      }
    }
  }
  return converted
}

function toSized(item: ExportedItem) {
  const sized = item.options.findIndex(option => readSize(option) !== undefined)
  const others = item.options.filter((option, index) => option !== '' && index !== sized)
  const name = toPlainText([item.name, ...others].join(', ')).text.replaceAll('\n', ' ')
  const sizes = [item.options[sized] ?? '', ...item.sizes].map(readSize)
  return {
    item,
    name: shorten(name, PRODUCT_LIMITS.name),
    size: sizes.find(size => size !== undefined)
  }
}

const isWebAddress = (address: string) => /^https?:\/\/\S+$/i.test(address)

function toPrices(item: ExportedItem, today: string) {
  const { price, usualPrice, salePrice, saleFrom, saleUntil } = item
  const read = (name: string, text: string): unknown => {
    const specs = COLUMNS.filter(column => column.name === name)
    const readings = ['.', ','].flatMap(decimalSign =>
      specs.map(spec => readCell(spec, text, { decimalSign }).value)
    )
    return readings.find(value => value !== undefined)
  }
  const sale = Number(read('price', salePrice))
  const isLower = sale > 0 && sale < Number(read('price', usualPrice))
  if (!isLower || (saleUntil && String(read('sale.until', saleUntil)) < today))
    return {
      price,
      note:
        salePrice !== '' &&
        salePrice !== price &&
        t('The sale is over or not below the price, so there is no sale.')
    }
  return {
    price: usualPrice,
    'sale.price': salePrice,
    'sale.from': saleFrom || today,
    'sale.until': saleUntil || addDays(today, 30),
    note: !saleUntil && t('The sale had no end. Now it ends in 30 days.')
  }
}

/** Sets the category of each row. */
function askCategories(
  converted: readonly Converted[],
  { categories, answers }: Context
): ImportQuestion[] {
  const findOwn = (name: string) => {
    const last = asEnumValue(name.split('>').at(-1)?.trim() ?? '')
    return categories.find(own => [own.name, own.label].map(asEnumValue).includes(last))?.name
  }
  const open = converted.filter(({ extras }) => extras.skipped === false)
  const groups = groupBy(
    open,
    ({ item }) => item.categories.find(findOwn) ?? item.categories[0] ?? ''
  )
  return [...groups].map(([name, rows], index): ImportQuestion => {
    const id = `category ${index + 1}`
    const choices: [string, string][] = [
      ...categories.map((own): [string, string] => [own.name, own.label]),
      [LEAVE_OUT, t('Leave these products out')]
    ]
    const given = answers[id] ?? findOwn(name)
    const answer = choices.find(([value]) => value === given)?.[0]
    for (const { cells, extras } of rows) {
      cells['category'] = answer
      if (answer === LEAVE_OUT) extras.skipped = t('You leave these products out.')
    }
    const count = new Set(rows.map(({ item }) => item.product)).size
    const products = plural(count, '{count} product', '{count} products')
    const text =
      name === ''
        ? t('Without a category ({products}): which of your categories?', { products })
        : t('“{name}” ({products}): which of your categories?', { name, products })
    return { id, text, choices, answer }
  })
}
