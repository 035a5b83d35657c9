import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { decodeTable } from '#lib/stores/admin/products.ts'
import { openTableShop, summaryOf } from '../support/product-table.ts'

/** How a program writes a table that it has opened. */
interface Program {
  separator: ',' | ';' | '\t'
  encode: (text: string) => Uint8Array
  lineEnd?: string
  /** Numbers lose zeros at the end when they are read as numbers. */
  number?: (text: string) => string
  time: (year: string, month: string, day: string, hour: string, minute: string) => string
  text?: (text: string) => string
  /** What it makes of 1-2. */
  dateOfText?: string
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const withBom = (text: string) => utf8(`\uFEFF${text}`)
const WINDOWS = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 256 }, (_, n) => n)
)
/** Windows replaces each UTF-16 unit that the code page lacks, LibreOffice each letter. */
const windows = (text: string) =>
  Uint8Array.from(text.split(''), unit => (WINDOWS.includes(unit) ? WINDOWS.indexOf(unit) : 63))
const asNumber = (text: string) => String(Number(text))
const slim = (part: string) => String(Number(part))
const indianTime: Program['time'] = (year, month, day, hour, minute) =>
  `${day}-${month}-${year} ${hour}:${minute}`
const usTime: Program['time'] = (year, month, day, hour, minute) =>
  `${slim(month)}/${slim(day)}/${year} ${slim(hour)}:${minute}`
const germanTime: Program['time'] = (year, month, day, hour, minute) =>
  `${day}.${month}.${year} ${hour}:${minute}`
const isoTime: Program['time'] = (year, month, day, hour, minute) =>
  `${year}-${month}-${day} ${hour}:${minute}:00`

/**
 * Excel: separator, decimal sign and short date are those of Windows' region (Microsoft: "Import
 * or export text (.txt or .csv) files"; CLDR short dates of en-IN, en-US and de-DE). Plain CSV has
 * the region's code page, 1252 for all three; Unicode Text is UTF-16 with tabs; German Excel keeps
 * 180.00, which it can't read, as text. Google Sheets takes an apostrophe at the start of a cell as
 * the sign of a text. LibreOffice: bytes written by 7.4 (`--convert-to csv`) from our export.
 */
const PROGRAMS: Record<string, Program> = {
  'Excel (India), CSV': {
    separator: ',',
    encode: windows,
    number: asNumber,
    time: indianTime,
    dateOfText: '01-Feb'
  },
  'Excel (India), CSV UTF-8': {
    separator: ',',
    encode: withBom,
    number: asNumber,
    time: (year, month, day, hour, minute) =>
      `${day}-${month}-${year.slice(2)} ${slim(hour)}:${minute}`
  },
  'Excel (US), CSV UTF-8': {
    separator: ',',
    encode: withBom,
    number: asNumber,
    time: usTime
  },
  'Excel (US), Unicode Text': {
    separator: '\t',
    encode: text => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    number: asNumber,
    time: usTime
  },
  'Excel (Germany), CSV': {
    separator: ';',
    encode: windows,
    number: text => asNumber(text).replace('.', ','),
    time: germanTime
  },
  'Excel (Germany), CSV with texts': {
    separator: ';',
    encode: windows,
    time: germanTime
  },
  'Google Sheets': {
    separator: ',',
    encode: utf8,
    number: asNumber,
    time: (year, month, day, hour, minute) => `${year}-${month}-${day} ${slim(hour)}:${minute}:00`,
    text: text => text.replace(/^'/, '')
  },
  'LibreOffice (India)': {
    separator: ',',
    encode: utf8,
    lineEnd: '\n',
    number: asNumber,
    time: isoTime,
    dateOfText: '02-01-2026'
  },
  'LibreOffice (Germany), Windows-1252': {
    separator: ',',
    encode: text => windows(text.replace(/\p{ExtPict}/gu, '?')),
    lineEnd: '\n',
    time: isoTime
  },
  'Excel for Mac, CSV': {
    separator: ',',
    encode: text => Buffer.from(text.replace(/[^\0-\x7f]/g, '_')),
    lineEnd: '\r',
    number: asNumber,
    time: indianTime
  },
  'A program that reads UTF-8 as Windows-1252': {
    separator: ',',
    encode: text => utf8([...utf8(text)].map(byte => WINDOWS[byte]).join('')),
    time: indianTime
  }
}

function saveAgain(csv: string, program: Program) {
  const { separator, encode, lineEnd = '\r\n', number = String, time, text = String } = program
  const records: string[][] = parse(csv, { bom: true })
  const lines = records.map(record =>
    record
      .map(cell => {
        if (/^-?\d+(\.\d+)?$/.test(cell)) return number(cell)
        const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)$/.exec(cell) ?? []
        const [year, month = '', day = '', hour = '', minute = ''] = parts
        const made = cell === '1-2' && program.dateOfText
        return made || (year ? time(year, month, day, hour, minute) : text(cell))
      })
      .map(cell => (/[,;"\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(separator)
  )
  return decodeTable(encode(lines.join(lineEnd) + lineEnd))
}

const SALE = { from: '2026-12-05T03:30:00.000Z', until: '2026-12-24T12:30:00.000Z' }

async function openFullShop() {
  const shop = await openTableShop({
    products: {
      'mysore-pak': {
        price: 1180.5,
        name_tamil: 'மைசூர் பாக்',
        description: 'Only ₹180 – “rich”, ½ kg of ghee.\nSecond line\n\n- list'
      },
      adhirasam: { description: "'@home' is best", pack_value: 0.5, pack_unit: 'kg' },
      murukku: { name: '6" Murukku', description: '=1+1', cooked_to_order: 1 },
      vada: { name: "'@home' Vada 😀", name_tamil: '', description: '-5', family_id: '1-2' },
      rice: { ingredients: ['+91 rice', '-salt'], description: "''=x; '=y, ' =z" }
    }
  })
  const translations = { ta: { description: '₹180 – “நெய்”, ½ கிலோ', ingredients: ['நெய்'] } }
  const sale = { price: 150, ...SALE }
  await shop.changeProduct('mysore-pak', { version: 1, sale, translations })
  await shop.changeProduct('murukku', { version: 1, hidden: true })
  return shop
}

describe('An export that a spreadsheet has saved again', () => {
  test.for(Object.entries(PROGRAMS))('by %s changes nothing', async ([, program]) => {
    const shop = await openFullShop()
    const { rows, notes, questions } = await shop.preview(
      saveAgain(await shop.exportCsv(), program)
    )
    expect([questions, rows.filter(({ outcome }) => outcome !== 'same').map(summaryOf)]).toEqual([
      [],
      []
    ])
    const losesLetters = [windows, PROGRAMS['Excel for Mac, CSV']?.encode].includes(program.encode)
    if (losesLetters) expect(notes.join()).toMatch(/letters .* in 5 rows.*CSV UTF-8/)
  })

  test('keeps lost letters beside an edited cell, and refuses them in an edited or new text', async () => {
    const shop = await openFullShop()
    const lost =
      'Letters were lost here: the file has “?” for them. Write them again and save the file as “CSV UTF-8”.'
    const csv =
      'Id,Name,Tamil name,Category,Price,Description,Pack size,Pack unit,Dietary\n' +
      'mysore-pak,mysore-pak,?????? ????,sweets,190,Only ?180 – “rich” now,250,g,vegetarian\n' +
      'adhirasam,adhirasam,???????,sweets,190,Really sweet??,500,g,vegan\n' +
      ',Laddu,????,sweets,10,\uFFFD ₹5,1,kg,vegan'
    const { rows, notes } = await shop.preview(csv)
    expect(rows.map(({ outcome, problems }) => [outcome, ...problems])).toEqual([
      ['wrong', { label: 'Description', text: lost }],
      ['changed'],
      ['wrong', { label: 'Tamil name', text: lost }, { label: 'Description', text: lost }]
    ])
    expect(notes.join()).toContain('in 1 row.')
    await shop.importCsv(csv)
    expect(await shop.fetchProduct('adhirasam')).toMatchObject({
      nameTamil: 'பலகாரம்',
      description: 'Really sweet??',
      price: 190
    })
  })
})
