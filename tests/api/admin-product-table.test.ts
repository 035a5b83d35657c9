import { describe, expect, test } from 'vitest'
import type { ImportReport, ImportRow } from '#lib/contract/catalog.ts'
import { statusAndCode } from '../support/accounts.ts'
import { openAdminShop, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const HEADER_ROW =
  'Id,Name,Category,Price,Stock,Pack size,Pack unit,Dietary,Ingredients,Shelf life,Description'
const KESARI_ROW =
  ',Rava Kesari,sweets,"₹1,150.50",12,250,g,vegetarian,Semolina (wheat); Ghee (milk),5 days,Saffron.'

const reportOf = ({ body }: Reply): ImportReport => body as ImportReport
const exportCsv = async (shop: AdminShop): Promise<string> =>
  (await shop.callAsAdmin('GET /admin/products/export')).raw.toString()
const preview = async (shop: AdminShop, csv: string): Promise<ImportReport> =>
  reportOf(await shop.callAsAdmin('POST /admin/products/import', { csv }))
const summaryOf = ({ line, outcome, changes, problems }: ImportRow): unknown[] => [
  line,
  outcome,
  ...changes.map(({ label, before, after }) => `${label}: ${before} -> ${after}`),
  ...problems.map(({ label, text }) => `${label}: ${text}`)
]

describe('GET /admin/products/export', () => {
  test('returns CSV with a BOM, a file name and CRLF line ends (RFC 4180)', async () => {
    const shop = await openAdminShop('sqlite', {
      products: { laddu: { name: 'Laddu, "big"', description: 'One\nTwo' } }
    })
    const reply = await shop.callAsAdmin('GET /admin/products/export')
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="products-2026-11-21.csv"',
      'cache-control': 'no-store'
    })
    expect(reply.raw.toString()).toBe(
      '\uFEFF"Id","Name","Tamil name","Category","Price","Stock","Sale price","Sale from",' +
        '"Sale until","Pack size","Pack unit","Dietary","Ingredients","Shelf life","Description","Hidden","Family","Family position",' +
        '"Shelf life in days","Kitchen units","Extra days to prepare","Only local delivery","Allergens","Nutrition per 100 g","Collections"\r\n' +
        '"laddu","Laddu, ""big""","பலகாரம்","sweets","100.00","20","","","","250","g","vegetarian","Rice","10 days",' +
        '"One\nTwo","no","","","","1","0","no","","",""\r\n'
    )
  })

  test.for([
    ...['=HYPERLINK("http://evil","x")', '+1', '-2+3', '@SUM(A1)', "'=1", "''", '＝1'],
    ...['Rice;=1+1', 'Rice, -2', "Rice\t'@A1", 'Rice;"=1+1', "Rice; ''+1,=2", 'Rice\n=1+1']
  ])(
    'quotes every cell and escapes the formula %j for each separator, and importing the file changes nothing',
    async (description, { expect }) => {
      const shop = await openAdminShop('sqlite', {
        products: { laddu: { description, name_tamil: '' } }
      })
      const csv = await exportCsv(shop)
      expect(csv.split('\r\n')[1]).toMatch(/^("([^"]|"")*",){24}""$/)
      const parts = csv.split(/[,;\t\r\n]/).map(part => part.replace(/^[\s"]+/, ''))
      expect(parts.filter(part => /^[=+\-@＝]/.test(part))).toEqual([])
      expect((await preview(shop, csv)).rows.map(({ outcome }) => outcome)).toEqual(['same'])
    }
  )
})

describe.each(ENGINES)('GET /admin/products/export on %s', engine => {
  test('returns a file that changes nothing if it is imported', async () => {
    const shop = await openAdminShop(engine, {
      products: {
        laddu: {
          price: 99.9,
          ingredients: ['Gram flour', 'Ghee (milk), warm'],
          description: 'A\n"B"'
        },
        vada: { pack_value: 0.5, pack_unit: 'kg', dietary: 'vegan', category: 'seer_items' }
      }
    })
    await shop.changeProduct('vada', { version: 1, hidden: true })
    const { rows, ignored, isDone } = await preview(shop, await exportCsv(shop))
    expect([rows.map(summaryOf), ignored, isDone]).toEqual([
      [
        [2, 'same'],
        [3, 'same']
      ],
      [],
      false
    ])
  })
})

describe('POST /admin/products/import', () => {
  test('previews the changes of each row without saving', async () => {
    const shop = await openAdminShop('sqlite')
    const rows = [
      'laddu,Boondi Laddu,sweets,120,20',
      'murukku,murukku,Savouries,100,31',
      'unicorn,U,sweets,1,1',
      'laddu,,,,'
    ]
    const report = await preview(shop, ['Id,Name,Category,Price,Stock,Colour', ...rows].join('\n'))
    expect(report.rows.map(summaryOf)).toEqual([
      [2, 'changed', 'Name: laddu -> Boondi Laddu', 'Price: 100.00 -> 120.00'],
      [3, 'changed', 'Category: sweets -> savouries', 'Stock: 30 -> 31'],
      [4, 'wrong', 'Id: No product has this id. Leave the id empty for a new product.'],
      [5, 'wrong', 'Id: This product is in the file twice.']
    ])
    expect(report.ignored).toEqual(['Colour'])
    expect(await shop.fetchProduct('laddu')).toMatchObject({ name: 'laddu', version: 1 })
  })

  test('reads what kitchen and delivery need; empty cells mean the usual values', async () => {
    const shop = await openAdminShop('sqlite')
    const header =
      'Id,Shelf life in days,Kitchen units,Extra days to prepare,Only local delivery,Allergens'
    const wrong = await preview(shop, `${header}\nladdu,soon,-1,0.5,maybe,Milk`)
    expect(wrong.rows[0]?.problems.map(({ label }) => label).toSorted()).toEqual([
      'Extra days to prepare',
      'Kitchen units',
      'Only local delivery',
      'Shelf life in days'
    ])
    const { rows } = await preview(shop, `${header}\nladdu,10,2,1,yes,Milk\nmurukku,,,,,`)
    expect(
      rows.map(({ outcome, changes }) => [outcome, changes.map(({ after }) => after)])
    ).toEqual([
      ['changed', ['10', '2', '1', 'yes', 'Milk']],
      ['same', []]
    ])
  })

  test('refuses a file with half an emoji', async () => {
    const shop = await openAdminShop('sqlite')
    const reply = await shop.callAsAdmin('POST /admin/products/import', {
      csv: 'Id,Name\nladdu,Laddu \ud83d'
    })
    expect(reply).toMatchObject({ status: 400, body: { fields: { csv: expect.any(String) } } })
  })

  test('names each invalid column of a row', async () => {
    const shop = await openAdminShop('sqlite')
    const csv =
      'Id,Name,Price,Stock,Pack size,Pack unit,Dietary,Ingredients,Hidden\nladdu,,cheap,-1,big,barrel,meat,;,perhaps'
    const [row] = (await preview(shop, csv)).rows
    expect(row?.outcome).toBe('wrong')
    expect(row?.problems.map(({ label }) => label).sort()).toEqual(
      [
        'Dietary',
        'Hidden',
        'Ingredients',
        'Name',
        'Pack size',
        'Pack unit',
        'Price',
        'Stock'
      ].sort()
    )
  })

  test.for([';', '\t'])(
    'accepts %j as the separator, and line breaks inside quotes',
    async (separator, { expect }) => {
      const shop = await openAdminShop('sqlite')
      const csv = `\uFEFFid${separator}DESCRIPTION\r\nladdu${separator}"One, two;\r\nthree ""four"""\r\n\r\n`
      const { rows } = await preview(shop, csv)
      expect(rows.map(summaryOf)).toEqual([
        [2, 'changed', 'Description: Made this morning. -> One, two;\r\nthree "four"']
      ])
    }
  )

  test.for(['', '\n\n', 'Colour,Size\nred,3', 'Id,Name\n"laddu,x', '\u0000PNG\u0001'])(
    'refuses a file with the content %j and says what is wrong with the file',
    async (csv, { expect }) => {
      const shop = await openAdminShop('sqlite')
      const reply = await shop.callAsAdmin('POST /admin/products/import', { csv })
      expect([statusAndCode(reply), (reply.body as { message: string }).message]).toEqual([
        '400 INVALID_INPUT',
        expect.stringMatching(/file|column names/)
      ])
    }
  )

  test('accepts at most 2,000 products', async () => {
    const shop = await openAdminShop('sqlite')
    const csvOf = (count: number): string =>
      `${HEADER_ROW}\n${Array.from({ length: count }, (_, index) => KESARI_ROW.replace('Kesari', `Kesari ${index}`)).join('\n')}`
    expect((await preview(shop, csvOf(2000))).rows).toHaveLength(2000)
    expect(
      statusAndCode(await shop.callAsAdmin('POST /admin/products/import', { csv: csvOf(2001) }))
    ).toBe('400 INVALID_INPUT')
  })
})

describe.each(ENGINES)('POST /admin/products/import on %s', engine => {
  test('saves the previewed changes, records them in the audit log and skips invalid rows', async () => {
    const shop = await openAdminShop(engine)
    const csv = `${HEADER_ROW},Hidden\nladdu,laddu,sweets,120,25,250,g,vegan,Rice,10 days,Made this morning.,no\n${KESARI_ROW},no\nunicorn,U`
    const { basis, rows } = await preview(shop, csv)
    expect(rows.map(({ outcome }) => outcome)).toEqual(['changed', 'new', 'wrong'])
    const saved = reportOf(await shop.callAsAdmin('POST /admin/products/import', { csv, basis }))
    expect(saved).toEqual({ rows, basis, ignored: [], isDone: true })
    expect(await shop.fetchProduct('laddu')).toMatchObject({
      price: 120,
      stock: 25,
      dietary: 'vegan',
      version: 2
    })
    expect(await shop.fetchProduct('rava-kesari')).toMatchObject({
      price: 1150.5,
      hiddenAt: expect.any(String)
    })
    expect(await shop.history('laddu')).toContain('imported {"stock":20} {"stock":25}')
    expect(await shop.publicProductIds()).toEqual(['laddu', 'murukku'])
    expect((await preview(shop, csv)).rows.map(({ outcome }) => outcome)).toEqual([
      'same',
      'same',
      'wrong'
    ])
  })

  test('refuses to import if a product has changed since the preview', async () => {
    const shop = await openAdminShop(engine)
    const csv = 'Id,Price\nladdu,120\nmurukku,90'
    const { basis } = await preview(shop, csv)
    await shop.changeProduct('murukku', { version: 1, price: 95 })
    const reply = await shop.callAsAdmin('POST /admin/products/import', { csv, basis })
    expect([statusAndCode(reply), reply.text]).toEqual([
      '409 EDIT_CONFLICT',
      expect.stringContaining('Check the rows again')
    ])
    expect(await shop.fetchProduct('laddu')).toMatchObject({ price: 100 })
  })
})
