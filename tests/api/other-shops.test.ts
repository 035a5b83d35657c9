import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AdminProduct, ImportReport } from '#lib/contract/catalog.ts'
import { openTableShop } from '../support/product-table.ts'

// The columns and the quoting are those of woocommerce/woocommerce (sample_products.csv and
// WC_Product_CSV_Exporter) and of Shopify's product_template.csv. The products are ours.
const readFixture = (name: string) =>
  readFileSync(new URL(`fixtures/${name}-products.csv`, import.meta.url), 'utf8')
const WOOCOMMERCE = readFixture('woocommerce')
const SHOPIFY = readFixture('shopify')

async function openImport() {
  const shop = await openTableShop()
  /** Questions without an answer get the category. */
  const answer = async (csv: string, category = 'savouries') => {
    const { questions } = await shop.preview(csv)
    const answers = Object.fromEntries(questions.map(({ id, answer: own = category }) => [id, own]))
    return { answers, report: await shop.preview(csv, answers) }
  }
  return {
    ...shop,
    reportOf: async (csv: string, category?: string) => (await answer(csv, category)).report,
    importFile: async (csv: string) => {
      const { answers, report } = await answer(csv)
      return (await shop.send(csv, report.basis, answers)).body as ImportReport
    },
    listNew: async () => {
      const { body } = await shop.callAsAdmin('GET /admin/products')
      return (body as AdminProduct[]).filter(({ id }) => !['laddu', 'murukku'].includes(id))
    }
  }
}

const SHOWN = ['Category', 'Price', 'Stock', 'Sale price', 'Sale until', 'Pack size', 'Pack unit']
const summaryOf = ({ rows }: ImportReport) =>
  rows.map(({ line, name, outcome, changes, problems, notes = [], pictures = [] }) => {
    const cells = SHOWN.flatMap(name => changes.find(({ label }) => label === name)?.after || [])
    const texts = [...problems.map(({ text }) => text), ...notes]
    const count = pictures.length > 0 ? [`${pictures.length} pictures`] : []
    return [line, name, cells.join(' ') || outcome, ...count, ...texts].join(' | ')
  })

const NOT_PUBLIC = 'It was not public in the old shop.'
const NO_SIZE = 'The file has no pack size. Please check it.'
const NO_SALE = 'The sale is over or not below the price, so there is no sale.'
const SAME_NAME = 'Another product has the same name. Change one of the names.'
const WOOCOMMERCE_ROWS = [
  '3 | Kara Sev 200g | savouries 120.00 7 200 g | 1 pictures',
  `4 | Old Halwa | savouries 300.00 0 500 g | ${NOT_PUBLIC}`,
  '5 | Free Sample | wrong | Please enter a price from ₹1, with at most two decimals',
  '6 | Festival Set | skipped | We can’t import this kind of product: grouped.',
  '7 | Steel Box | skipped | We can’t import this kind of product: external.',
  `8 | Murukku | savouries 90.00 0 200 g | ${NO_SALE} | ${SAME_NAME}`,
  `9 | Adhirasam | sweets 150.00 unlimited 120.00 2026-12-31 23:59 1 piece | ${NO_SIZE}`,
  `10 | Ghee Mysore Pak & Nuts | savouries 180.00 12 250 g | 3 pictures | ${NO_SALE}`,
  '11 | Ghee Mysore Pak & Nuts | savouries 340.00 20 500 g | All its sizes shared this stock in the old shop.'
]
const SHOPIFY_ROWS = [
  '2 | Rava Ladoo & Cashew | sweets 249.00 5 199.00 2026-12-21 23:59 250 g | 4 pictures | The sale had no end. Now it ends in 30 days.',
  '3 | Rava Ladoo & Cashew | sweets 720.00 0 1 kg',
  '5 | Madras Mixture, Mild | savouries 150.00 unlimited 500 g',
  '6 | Madras Mixture, Hot | savouries 150.00 unlimited 500 g',
  '7 | Madras Mixture, Hot, Half kilo box | savouries 155.00 unlimited 12 piece | The file has no stock for it, so it has no limit.',
  '8 | Gift Card, ₹500 | skipped | We can’t import this kind of product: gift card.',
  `9 | Banana Chips | savouries 80.00 0 200 g | ${NOT_PUBLIC}`,
  `10 | Banana Chips | savouries 85.00 9 1 piece | ${NOT_PUBLIC} | ${SAME_NAME} | ${NO_SIZE}`
]

test('the products of another shop become new, hidden products, only once', async () => {
  const { preview, send, reportOf, importFile, listNew } = await openImport()
  const open = await preview(WOOCOMMERCE)
  expect(open).toMatchObject({ rows: [], notes: [expect.stringContaining('WooCommerce')] })
  expect(open.questions.map(({ text, answer }) => [text, answer])).toEqual([
    ['“Savouries” (3 products): which of your categories?', 'savouries'],
    ['“Sweets > Traditional” (2 products): which of your categories?', undefined],
    ['“Festival, big > Sweets” (1 product): which of your categories?', 'sweets']
  ])
  expect((await send(WOOCOMMERCE, open.basis)).status).toBe(400)
  expect(summaryOf(await reportOf(WOOCOMMERCE))).toEqual(WOOCOMMERCE_ROWS)
  expect(summaryOf(await reportOf(SHOPIFY))).toEqual(SHOPIFY_ROWS)
  expect(await listNew()).toEqual([])

  expect(await importFile(WOOCOMMERCE)).toMatchObject({
    isDone: true,
    notes: [expect.stringContaining('Next:')]
  })
  await importFile(SHOPIFY)
  const products = await listNew()
  expect(products).toHaveLength(13)
  expect(products.every(({ hiddenAt, pictures }) => hiddenAt && pictures.length === 0)).toBe(true)
  expect(products.find(({ id }) => id === 'ghee-mysore-pak-nuts-500-g')).toMatchObject({
    description: 'Soft – with ghee.\n\nMade in small batches.\n• Besan\n• Ghee',
    family: { id: 'ghee-mysore-pak-nuts', position: 1 }
  })
  expect(products.find(({ id }) => id === 'rava-ladoo-cashew-250-g')).toMatchObject({
    description: 'Fine semolina.\n\nRoasted in ghee\nevery day.',
    sale: { price: 199, from: '2026-11-20T18:30:00.000Z', until: '2026-12-21T18:29:00.000Z' }
  })
  for (const csv of [WOOCOMMERCE, SHOPIFY]) {
    const outcomes = (await importFile(csv)).rows.map(({ outcome }) => outcome)
    expect(new Set(outcomes)).toEqual(new Set(csv === SHOPIFY ? ['skipped'] : ['skipped', 'wrong']))
  }
  expect(await listNew()).toEqual(products)
})

test('Shopify’s new columns are read like the old ones', async () => {
  const { reportOf } = await openImport()
  expect(summaryOf(await reportOf(renameColumns(SHOPIFY)))).toEqual(SHOPIFY_ROWS)
})

test('products can be left out, and what is too long is shortened', async () => {
  const { reportOf } = await openImport()
  const left = (await reportOf(SHOPIFY, '-')).rows.filter(({ outcome }) => outcome === 'skipped')
  expect(left.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9, 10])
  const long = `Name,Regular price,Description\n${'Laddu '.repeat(30)},100,${'Soft. '.repeat(400)}`
  const [row] = (await reportOf(long)).rows
  expect(row?.name).toMatch(/^(Laddu ){15}Laddu…$/)
  expect(row?.outcome).toBe('new')
})

function renameColumns(csv: string) {
  const names = [
    ['Handle', 'URL handle'],
    ['Body (HTML)', 'Description'],
    ['Published', 'Published on online store'],
    ['Variant Grams', 'Weight value (grams)'],
    ['Variant Inventory Tracker', 'Inventory tracker'],
    ['Variant Inventory Qty', 'Inventory quantity'],
    ['Variant Inventory Policy', 'Continue selling when out of stock'],
    ['Variant Price', 'Price'],
    ['Variant Compare At Price', 'Compare-at price'],
    ['Image Src', 'Product image URL'],
    ['Variant Image', 'Variant image URL']
  ] as const
  const [header = '', ...rows] = csv.split('\n')
  const renamed = header.split(',').map(cell => names.find(([old]) => old === cell)?.[1] ?? cell)
  return [renamed.join(','), ...rows].join('\n')
}
