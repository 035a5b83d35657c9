import { expect, test } from 'vitest'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { readCsv } from '#server/catalog/csv-file.ts'
import { readTable } from '#server/catalog/product-table.ts'

/** Cells of the last row after its id, a question, a problem of the row or of the file. */
function read(csv: string, answers = {}, known: object[] = []): unknown[] {
  try {
    const { rows, questions } = readTable(readCsv(csv), answers, known as AdminProduct[])
    const [question] = questions.filter(({ answer }) => answer === undefined)
    if (question) return [question.text, ...question.choices.map(([, label]) => label)]
    const { problem, cells } = rows.at(-1) ?? { cells: [] }
    return problem ? [problem] : cells.slice(1).map(cell => cell.problem ?? cell.value)
  } catch (error) {
    return [(error as Error).message]
  }
}

const oneCell = (label: string, text: string): unknown => {
  const [value] = read(`Id,${label}\nx,"${text.replaceAll('"', '""')}"`)
  return /^We can’t read/.test(String(value)) ? 'unreadable' : value
}
const INDIA = '+05:30'
const at = (time: string) => new Date(time + INDIA).toISOString()

test.for<[label: string, value: unknown, ...texts: string[]]>([
  ['Price', 1180.5, '1180.5', '₹1,180.50', 'Rs. 1,180.50/-', '1\u00a0180,50', '1\u202f180.50 ₹'],
  ['Price', 1180.5, '1.180,50', "1'180.50", '? 1,180.50', '१,१८०.५०', '௧௧௮௦.௫', '１１８０.５'],
  ['Price', 118000, '1,18,000', '118,000.00', '1.18.000', '118 000'],
  ['Price', 180, '180,00', '180', 'INR 180', '₹180 only', 'Rs 180/='],
  ['Price', -5, '-5', '−5'],
  ['Price', 'unreadable', '0x10', '1e3', '1.18E+03', 'Infinity', '--5', '5-', '1,2,3', '1.2.3'],
  ['Price', 'unreadable', '$180', '(180)', '180%', '½', '1,1800', '12.5.2026', 'cheap', '1180 .50'],
  ['Stock', null, 'unlimited', 'No limit (cooked to order)'],
  ['Stock', 1180, '1,180', '1180.0000', '01180'],
  ['Pack size', 0.5, '0.5', '0,5', '.5'],
  ['Pack size', 'unreadable', '01-Feb', '1-2', '250 g'],
  ['Sale from', at('2026-11-25T09:00'), '2026-11-25 9:00:00', '25/11/2026 9:00', '25-11-26 09:00'],
  [
    'Sale from',
    at('2026-11-25T09:00'),
    '11/25/2026 9:00:00 AM',
    '25.11.2026 9.00',
    '25–11–2026 9 am'
  ],
  [
    'Sale from',
    at('2026-11-25T09:00'),
    '25-Nov-26 9:00',
    'Nov 25, 2026 9:00 AM',
    '2026/11/25T09:00'
  ],
  ['Sale from', at('2026-12-25T00:30'), '25 Dec. 2026 12:30 a.m. IST'],
  [
    'Sale from',
    at('2026-11-25T00:00'),
    '25-11-2026',
    '25-Nov-26',
    'Wednesday, November 25th, 2026'
  ],
  ['Sale until', at('2026-11-25T23:59'), '25-11-2026'],
  [
    'Sale from',
    'unreadable',
    '31-11-2026 23:59',
    '29-02-2027 9:00',
    '12.24.2026 9:00',
    '46351.375'
  ],
  ['Sale from', 'unreadable', '25-11-2026 13:00 PM', '25-11-2026 24:00', '25-11-2026 9', '25-11'],
  ['Sale from', 'unreadable', '0026-11-25 9:00', '25-Foo-26', 'tomorrow', '25/11-2026 9:00'],
  ['Hidden', true, 'yes', 'TRUE', 'WAHR', 'Ja', '1'],
  ['Hidden', false, 'no', 'FALSE', 'FALSCH', 'NEIN', '0', ''],
  ['Hidden', 'unreadable', 'perhaps', '2'],
  ['Dietary', 'vegan', 'Vegan', ' VEGAN\u200b'],
  ['Dietary', 'unreadable', 'meat'],
  ['Description', "'@home' is best", "'@home' is best"],
  ['Description', '=1+1', "' =1+1", '=1+1']
])('a cell %s is read as %s', ([label, value, ...texts]) => {
  expect(texts.map(text => [text, oneCell(label, text)])).toEqual(texts.map(text => [text, value]))
})

test('an unreadable cell is quoted, with an example', () => {
  expect(read('Id,Price\nx,0x10')).toEqual(['We can’t read “0x10” as a price. Write it as 180.00.'])
})

const first = at('2026-12-05T09:00')

test.for<[title: string, csv: string, found: unknown[], answers?: Record<string, string>]>([
  ['180,00 after a semicolon', 'Id;Price\nx;180,00', [180]],
  ['1.180 after a semicolon', 'Id;Price\nx;1.180', [1180]],
  ['1,000 after a semicolon', 'Id;Price\nx;1,000', ['How much is “1,000”?', '1000', '1']],
  ['1,180 after a semicolon', 'Id;Price\nx;1,180', ['How much is “1,180”?', '1180', '1.18']],
  ['1,180 after a tab', 'Id\tStock\nx\t1,180', ['How much is “1,180”?', '1180', '1.18']],
  ['an answer', 'Id;Price\nx;1,180', [1180], { decimalSign: '.' }],
  [
    'an unknown answer',
    'Id;Price\nx;1,180',
    ['How much is “1,180”?', '1180', '1.18'],
    { decimalSign: 'x' }
  ],
  ['a proof in another row', 'Id;Price\na;1180.50\nx;1,180', [1180]],
  ['a pack size beside a proof', 'Id;Price;Pack size\nx;180,00;1,250', [180, 1.25]],
  [
    'a contradiction',
    'Id,Price\na,180.00\nx,"180,00"',
    ['Row 2 has “180.00”, but row 3 has “180,00”. Write both in the same way.']
  ],
  [
    'a thousand that contradicts',
    'Id;Price\na;1.180,00\nx;1,180',
    ['Row 2 has “1.180,00”, but row 3 has “1,180”. Write both in the same way.']
  ],
  ['a month first in another row', 'Id,Sale from\na,12/24/2026 18:00\nx,12/5/2026 9:00', [first]],
  [
    'a day first in another column',
    'Id,Sale from,Sale until\nx,5/12/2026 9:00,25/12/2026',
    [first, at('2026-12-25T23:59')]
  ],
  ['a day with points', 'Id,Sale from\nx,05.12.2026 09:00', [first]],
  [
    'an open day',
    'Id,Sale from\nx,12/5/2026 9:00',
    ['Which day is “12/5/2026 9:00”?', '12 May 2026', '5 December 2026']
  ],
  ['the same day in both orders', 'Id,Sale from\nx,12/12/2026', [at('2026-12-12T00:00')]],
  [
    'days that contradict',
    'Id,Sale from\na,25/12/2026\nx,12/24/2026',
    ['Row 2 has “25/12/2026”, but row 3 has “12/24/2026”. Write both in the same way.']
  ]
])('days and numbers are read in one way in the whole file: %s', ([, csv, found, answers]) => {
  expect(read(csv, answers)).toEqual(found)
})

test('an open day is the one that the product has', () => {
  const sale = { price: 80, from: first, until: first }
  const known = { id: 'x', quantity: { value: 250, unit: 'g' }, pictures: [], hiddenAt: null, sale }
  expect(read('Id,Sale from\nx,12/5/2026 9:00', {}, [known])).toEqual([first])
})

test.for<[title: string, csv: string, found: unknown[]]>([
  ['line ends of a Mac', 'Id,Price\ra,5\rx,6', [6]],
  ['mixed line ends and empty rows and columns', 'Id,Price,,\r\na,5,,\nx,6,,\n\n,,,\n', [6]],
  ['a first row that names the separator', 'sep=;\r\nId;Price\r\nx;5', [5]],
  ['quoted column names with spaces', '\uFEFF"Id", " PRICE\u00a0"\nx, "5"', [5]],
  ['a title above the column names', 'Price list\n\nId,Price\nx,5', [5]],
  ['a quotation mark inside a cell', 'Id,Description\nx,6" pieces', ['6" pieces']],
  ['an id with another dash', 'Id,Price\na–b,5', [5]],
  [
    'a quotation mark that is not closed',
    'Id,Description\nx,"open',
    ['A quotation mark (") is not closed. Write it twice, or delete it.']
  ],
  ['the row after it', 'Id,Description\na,"open\nx,"closed"', ['closed']],
  [
    'more cells than columns',
    'Id,Description\nx,Rice, fresh',
    ['This row has more cells than the first row. Put texts with commas in quotes ("…").']
  ],
  [
    'two columns of one name',
    'Id,Price,price\nx,5,6',
    ['Two columns are named “Price”. Delete one of them.']
  ],
  [
    'a workbook',
    'PK\u0003\u0004',
    ['This is an Excel file. Save it as “CSV UTF-8 (Comma delimited)” and choose that file.']
  ]
])('a file with %s is read', ([, csv, found]) => {
  expect(read(csv)).toEqual(found)
})
