import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { ImportReport } from '#lib/contract/catalog.ts'
import { expectOutcome } from '../support/accounts.ts'
import { fieldsOf } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import { openTableShop, summaryOf } from '../support/product-table.ts'

const HEADER_ROW =
  'Id,Name,Category,Price,Stock,Pack size,Pack unit,Dietary,Ingredients,Shelf life,Description'
const KESARI_ROW =
  ',Rava Kesari,sweets,"₹1,150.50",12,250,g,vegetarian,Semolina (wheat); Ghee (milk),5 days,Saffron.'
const SALE = { price: 80, from: '2026-11-21T04:30:00.000Z', until: '2026-11-21T12:30:00.000Z' }

const labelsOf = ({ rows }: ImportReport): unknown[] =>
  rows.map(({ outcome, problems }) => [outcome, ...problems.map(({ label }) => label).toSorted()])

describe('The exported table', () => {
  test('is CSV with a BOM, a file name and CRLF line ends (RFC 4180)', async () => {
    const laddu = { name: 'Laddu, "big"', description: 'One\nTwo' }
    const shop = await openTableShop({ products: { laddu } })
    const translations = { ta: { description: 'நெய் லட்டு' } }
    await shop.changeProduct('laddu', { version: 1, translations })
    const reply = await shop.callAsAdmin('GET /admin/products/export')
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="products-2026-11-21.csv"',
      'cache-control': 'no-store'
    })
    expect(reply.raw.toString()).toBe(
      '\uFEFF"Id","Name","Tamil name","Category","Price","Stock","Sale price","Sale from",' +
        '"Sale until","Pack size","Pack unit","Dietary","Ingredients","Shelf life","Description","Hidden","Family","Family position",' +
        '"Shelf life in days","Kitchen units","Extra days to prepare","Only local delivery","Allergens","Nutrition per 100 g","Collections",' +
        '"Ingredients (ta)","Shelf life (ta)","Description (ta)","Allergens (ta)","Nutrition per 100 g (ta)"\r\n' +
        '"laddu","Laddu, ""big""","பலகாரம்","sweets","100.00","20","","","","250","g","vegetarian","Rice","10 days",' +
        '"One\nTwo","no","","","","1","0","no","","","","","","நெய் லட்டு","",""\r\n'
    )
  })

  test('quotes every cell and escapes formulas for each separator, and importing it changes nothing', async () => {
    const descriptions = [
      ...['=HYPERLINK("http://evil","x")', '+1', '-2+3', '@SUM(A1)', "'=1", "''", '＝1'],
      ...['Rice;=1+1', 'Rice, -2', "Rice\t'@A1", 'Rice;"=1+1', "Rice; ''+1,=2", 'Rice\n=1+1']
    ]
    const products = Object.fromEntries(
      descriptions.map((description, n) => [`p${n}`, { description, name_tamil: '' }])
    )
    const shop = await openTableShop({ products })
    const csv = await shop.exportCsv()
    for (const row of csv.trim().split('\r\n').slice(1))
      expect(row).toMatch(/^("([^"]|"")*",){29}""$/)
    const parts = csv.split(/[,;\t\r\n]/).map(part => part.replace(/^[\s"]+/, ''))
    expect(parts.filter(part => /^[=+\-@＝]/.test(part))).toEqual([])
    expect(new Set(await shop.outcomesOf(csv))).toEqual(new Set(['same']))
  })
})

describe('The preview of an import', () => {
  test('has the changes and problems of each row, and saves nothing', async () => {
    const shop = await openTableShop()
    const rows = [
      'laddu,Boondi Laddu,sweets,120,20,,10,2,1,yes,Milk',
      'murukku,murukku,Savouries,100,Unlimited',
      'unicorn,U,sweets,1,1',
      'laddu,,,,'
    ]
    const header =
      'Id,Name,Category,Price,Stock,Colour,Shelf life in days,Kitchen units,Extra days to prepare,Only local delivery,Allergens'
    const report = await shop.preview([header, ...rows].join('\n'))
    expect(report.rows.map(summaryOf)).toEqual([
      [
        2,
        'changed',
        'Name: laddu -> Boondi Laddu',
        'Price: 100.00 -> 120.00',
        'Shelf life in days:  -> 10',
        'Kitchen units: 1 -> 2',
        'Extra days to prepare: 0 -> 1',
        'Only local delivery: no -> yes',
        'Allergens:  -> Milk'
      ],
      [3, 'changed', 'Category: sweets -> savouries', 'Stock: 30 -> unlimited'],
      [4, 'wrong', 'Id: No product has this id. Leave the id empty for a new product.'],
      [5, 'wrong', 'Id: This product is in the file twice.']
    ])
    expect(report.ignored).toEqual(['Colour'])
    expect(await shop.fetchProduct('laddu')).toMatchObject({ name: 'laddu', version: 1 })
  })

  test('names each invalid column of a row, and where to add what does not exist', async () => {
    const shop = await openTableShop()
    const wrong: readonly [column: string, value: string][] = [
      ['Dietary', 'meat'],
      ['Extra days to prepare', '0.5'],
      ['Hidden', 'perhaps'],
      ['Kitchen units', '-1'],
      ['Name', ''],
      ['Only local delivery', 'maybe'],
      ['Pack size', 'big'],
      ['Pack unit', 'barrel'],
      ['Price', 'cheap'],
      ['Shelf life in days', 'soon'],
      ['Stock', '-1']
    ]
    const [columns, values] = [wrong.map(([column]) => column), wrong.map(([, value]) => value)]
    const report = await shop.preview(`Id,${columns.join()}\nladdu,${values.join()}`)
    expect(labelsOf(report)).toEqual([['wrong', ...columns]])
    const unknown = await shop.preview(
      'Id,Category,Collections\nladdu,cakes,\nmurukku,sweets,diwali'
    )
    expect(unknown.rows.map(summaryOf)).toEqual([
      [
        2,
        'wrong',
        'Category: This category does not exist. Add it under Settings, Categories first.'
      ],
      [3, 'wrong', 'Collections: This collection does not exist. Add it under Collections first.']
    ])
  })

  test('says what is wrong with a file that is no table, or has over 2,000 products', async () => {
    const shop = await openTableShop()
    for (const csv of ['', '\n\n', 'Colour,Size\nred,3', '\u0000PNG\u0001']) {
      const reply = await shop.send(csv)
      await expectOutcome(reply, '400 INVALID_INPUT', csv)
      expect((reply.body as { message: string }).message).toMatch(/file|column names/)
    }
    expect(fieldsOf(await shop.send('Id,Name\nladdu,Laddu \ud83d'))).toHaveProperty('csv')
    const csvOf = (count: number) =>
      [
        HEADER_ROW,
        ...Array.from({ length: count }, (_, n) => KESARI_ROW.replace('K', `K${n}`))
      ].join('\n')
    expect(await shop.outcomesOf(csvOf(2000))).toHaveLength(2000)
    await expectOutcome(shop.send(csvOf(2001)), '400 INVALID_INPUT')
  })
})

describe.each(ENGINES)('An import on %s', engine => {
  test('changes the texts of the given languages and keeps all others', async () => {
    const shop = await openTableShop({}, engine)
    const translations = {
      ta: { description: 'நெய் லட்டு', ingredients: ['கடலை', 'நெய்'], shelfLife: '10 நாட்கள்' },
      hi: { description: 'घी के लड्डू' }
    }
    await shop.changeProduct('laddu', { version: 1, translations })
    expect(await shop.outcomesOf(await shop.exportCsv())).toEqual(['same', 'same'])
    await shop.importCsv('Id,Description\nladdu,New')
    expect((await shop.fetchProduct('laddu')).translations).toEqual(translations)
    const csv = 'Id,Description (ta),Ingredients (ta),Allergens (ta)\nladdu,புதியது,,பால்'
    expect((await shop.importCsv(csv)).rows.map(({ outcome }) => outcome)).toEqual(['changed'])
    expect((await shop.fetchProduct('laddu')).translations).toEqual({
      ...translations,
      ta: { description: 'புதியது', allergens: 'பால்', shelfLife: '10 நாட்கள்' }
    })
    const long = await shop.preview(`Id,Shelf life (ta)\nladdu,${'நாள்'.repeat(40)}`)
    expect(long.rows.map(summaryOf)).toEqual([
      [2, 'wrong', 'Shelf life (ta): Please use at most 100 characters']
    ])
  })

  test('saves the previewed changes, records them in the audit log and skips invalid rows', async () => {
    const shop = await openTableShop({}, engine)
    const kesari = KESARI_ROW.replace(',12,', ',,')
    const csv = `${HEADER_ROW},Hidden\nladdu,laddu,sweets,120,25,250,g,vegan,Rice,10 days,Made this morning.,no\n${kesari},no\nunicorn,U`
    const { basis, rows } = await shop.preview(csv)
    expect(rows.map(({ outcome }) => outcome)).toEqual(['changed', 'new', 'wrong'])
    expect((await shop.send(csv, basis)).body).toMatchObject({ rows, basis, isDone: true })
    const laddu = { price: 120, stock: 25, dietary: 'vegan', version: 2 }
    expect(await shop.fetchProduct('laddu')).toMatchObject(laddu)
    expect(await shop.fetchProduct('rava-kesari')).toMatchObject({
      price: 1150.5,
      cookedToOrder: true,
      hiddenAt: expect.any(String)
    })
    expect(await shop.history('laddu')).toContain('imported {"stock":20} {"stock":25}')
    expect(await shop.publicProductIds()).toEqual(['laddu', 'murukku'])
    expect(await shop.outcomesOf(csv)).toEqual(['same', 'same', 'wrong'])
  })

  test('is refused if a product has changed since the preview', async () => {
    const shop = await openTableShop({}, engine)
    const csv = 'Id,Price\nladdu,120\nmurukku,90'
    const { basis } = await shop.preview(csv)
    await shop.changeProduct('murukku', { version: 1, price: 95 })
    const reply = await shop.send(csv, basis)
    await expectOutcome(reply, '409 EDIT_CONFLICT')
    expect(reply.text).toContain('Check the rows again')
    expect(await shop.fetchProduct('laddu')).toMatchObject({ price: 100 })
  })
})

describe('An import of sale prices', () => {
  const header = 'Id,Sale price,Sale from,Sale until'

  test('begin in India time, and an empty price ends the sale', async () => {
    const shop = await openTableShop()
    await shop.importCsv(`${header}\nladdu,80,2026-11-21 10:00,2026-11-21 18:00`)
    expect((await shop.fetchProduct('laddu')).sale).toEqual(SALE)
    const { rows } = await shop.importCsv('Id,Sale price\nladdu,')
    expect(rows[0]?.changes[0]).toEqual({ label: 'Sale price', before: '80.00', after: '' })
    expect((await shop.fetchProduct('laddu')).sale).toBeNull()
    const high = await shop.preview(`${header}\nladdu,100,2026-11-21 10:00,2026-11-21 18:00`)
    expect(high.rows[0]?.problems).toEqual([
      { label: 'Sale price', text: ADMIN_MESSAGES.salePriceTooHigh }
    ])
  })

  test('asks which day is meant if the file leaves it open, and imports nothing before', async () => {
    const shop = await openTableShop()
    const csv = `${header}\nladdu,80,12/5/2026 9:00,12/6/2026 9:00`
    const { questions, rows, basis } = await shop.preview(csv)
    const choices = [
      ['day', '12 May 2026'],
      ['month', '5 December 2026']
    ]
    expect([questions, rows]).toEqual([
      [{ id: 'firstOfDay', text: 'Which day is “12/5/2026 9:00”?', choices }],
      []
    ])
    await expectOutcome(shop.send(csv, basis), '400 INVALID_INPUT')
    const answers = { firstOfDay: 'month' }
    const answered = (await shop.send(csv, undefined, answers)).body as ImportReport
    expect(answered.questions).toMatchObject([{ choices, answer: 'month' }])
    await expectOutcome(shop.send(csv, answered.basis, { firstOfDay: 'day' }), '409 EDIT_CONFLICT')
    await expectOutcome(shop.send(csv, answered.basis, answers), '200')
    expect((await shop.fetchProduct('laddu')).sale?.from).toBe('2026-12-05T03:30:00.000Z')
  })
})

test('An import creates each product once if the same file is imported twice at the same time', async () => {
  const shop = await openTableShop({ products: {} })
  const rows = Array.from({ length: 30 }, (_, n) => KESARI_ROW.replace('K', `K${n}`))
  const csv = [HEADER_ROW, ...rows].join('\n')
  const { basis } = await shop.preview(csv)
  const replies = await Promise.all([shop.send(csv, basis), shop.send(csv, basis)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await shop.callAsAdmin('GET /admin/products')).body).toHaveLength(30)
})

test('A product is found by its name or id, however these are typed', async () => {
  const shop = await openTableShop({ products: { 'mysore-pak': { name: 'Mysore Pak' } } })
  for (const csv of [
    '\u200bName,Stock\nMysore\u00a0 Pak\u200b,3',
    'Id,Stock\nmysore\u2011pak\u00a0,௩'
  ])
    expect((await shop.preview(csv)).rows.map(summaryOf)).toEqual([
      [2, 'changed', 'Stock: 20 -> 3']
    ])
})
