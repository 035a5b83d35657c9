import { describe, expect, test } from 'vitest'
import { formatPaise, formatRupees, fromRupees, toPaise, sumPaise } from '#lib/money.ts'
import {
  cleanText,
  countShownLetters,
  formatHours,
  normalizeCouponCode,
  normalizeEmail,
  normalizePhone,
  parsePincodes,
  toDigits,
  toSearchText,
  toWhatsAppLink,
  toWhatsAppNumber
} from '#lib/contract/formats.ts'
import { formatAmountInWords } from '#lib/tax/invoice.ts'
import { inLanguage } from '#server/platform/language.ts'
import { formatPack, formatUnitPrice, toStockLevel } from '#lib/product.ts'
import { formatDate, formatDayAndTime, listMonths, toYearInIndia } from '#lib/time.ts'

test('Paise must be whole numbers', () => {
  for (const wrong of [0.5, NaN, Infinity, 2 ** 53])
    expect(() => toPaise(wrong)).toThrow(RangeError)
})

test('Rupees with more than two decimals are rounded half up, despite binary floating-point representation', () => {
  expect(fromRupees(1.005)).toBe(101)
  expect(fromRupees(8.345)).toBe(835)
  expect(fromRupees(180.504)).toBe(18_050)
})

test('A formatted price has a rupee sign, two decimals and Indian digit grouping', () => {
  expect(formatRupees(180)).toBe('₹180.00')
  expect(formatPaise(sumPaise([]))).toBe('₹0.00')
  expect(formatPaise(toPaise(12_345_678))).toBe('₹1,23,456.78')
})

test.for([
  [0, 'Rupees Zero Only'],
  [1999, 'Rupees Nineteen and Ninety Nine Paise Only'],
  [100_050, 'Rupees One Thousand and Fifty Paise Only'],
  [1_234_567, 'Rupees Twelve Thousand Three Hundred Forty Five and Sixty Seven Paise Only'],
  [
    1_234_567_891_00,
    'Rupees One Hundred Twenty Three Crore Forty Five Lakh Sixty Seven Thousand Eight Hundred Ninety One Only'
  ],
  [108_000, 'ரூபாய் ஓராயிரத்து எண்பது மட்டும்'],
  [45_678_925, 'ரூபாய் நான்கு லட்சத்து ஐம்பத்தாறு ஆயிரத்து எழுநூற்று எண்பத்தொன்பது, இருபத்தைந்து பைசா மட்டும்']
] as const)('%d paise is written as %s', ([amount, text]) => {
  const language = /[A-Z]/.test(text) ? 'en' : 'ta'
  expect(inLanguage(language, () => formatAmountInWords(toPaise(amount)))).toBe(text)
})

test.for([
  ['Anita', 5],
  ['கௌரி ஸ்ரீ', 5],
  ['नमस्ते', 4],
  ['one\ntwo', 7],
  ['👨‍👩‍👧❤️👍🏽', 3]
] as const)('%s has %d letters', ([text, count]) => expect(countShownLetters(text)).toBe(count))

const MAULI = 'மௌலி'
const range = (from: string, until = from) => ({ from, until })
const CITY = [range('620001', '620026')]

/** What people paste from contacts, PDF files and messages. */
const PASTED = [
  [
    'text',
    cleanText,
    [
      ['Mysore\u00a0Pak\u3000\ufeff\u00ad', 'Mysore Pak '],
      ['Mee\u200bna\u200d\u2060', 'Meena'],
      ['\u3164\u2800\u200b', ' '],
      ['a\tb\r\nc\u2028d\u0007\0\ud83d', 'a\tb\nc\nd'],
      [MAULI.normalize('NFD'), MAULI],
      ['லட்டு\u200c', 'லட்டு'],
      ...['க்\u200cஷ', 'ന്\u200d', 'می\u200cخواهم', '👩‍🍳 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽 🇮🇳', '620–018 “x”'].map(same => [
        same,
        same
      ])
    ]
  ],
  [
    'search',
    toSearchText,
    [
      [MAULI.normalize('NFD'), MAULI],
      ['க்\u200cஷ', 'க்ஷ'],
      ['D’Souza  —  ௫', "d'souza - 5"],
      ['“Laddu”\n', "'laddu'"]
    ]
  ],
  [
    'phone',
    normalizePhone,
    [
      ...[
        ...[
          '\u202a98765 43210\u202c',
          '+91 (0) 98765 43210',
          '0091-98765-43210',
          '98765.43210 (Anita)'
        ],
        ...['tel:+919876543210', '(+91)-98765–43210', '📞 ௯௮௭௬௫ ௪௩௨௧௦', "'９८७६५४३२१०,"]
      ].map(typed => [typed, '9876543210']),
      ['9198765432', '9198765432'],
      ['+1 98765 43210', '+19876543210'],
      ['98765 43210 or 98765 43211', '9876543210or9876543211'],
      ['call me', 'callme'],
      ['', '']
    ]
  ],
  [
    'WhatsApp number',
    toWhatsAppNumber,
    [
      ...[
        ...['98765 43210', '098765 43210', '+91 98765 43210', '0091-98765-43210', '91 98765 43210'],
        ...['+91 (0) 98765 43210', '(+91)-98765–43210', '📞 ௯௮௭௬௫ ௪௩௨௧௦', '98765.43210 (Anita)']
      ].map(typed => [typed, '919876543210']),
      ['+65 6123 4567', '6561234567'],
      ['0065 8123 4567', '6581234567'],
      ['+1 (415) 555-2671', '14155552671'],
      ['+44 (0)7911 123456', '447911123456'],
      ...[
        ...['0431 241 2345', '+91 431 241 2345', '+91 98765', '65 8123 456', '+0 98765 43210'],
        ...['98765 43210 or 98765 43211', '+1234567890123456', 'call me', '']
      ].map(typed => [typed, ''])
    ]
  ],
  [
    'pincode',
    toDigits,
    [
      ...['620018\u200b', '620-018', '620018, India', 'Pin – 620 018.', '௬௨௦௦௧௮'].map(typed => [
        typed,
        '620018'
      ]),
      ['62001B', '62001B'],
      ['620018 or 620019', '620018or620019']
    ]
  ],
  [
    'coupon code',
    normalizeCouponCode,
    [
      ...['*DIWALI10*', 'Code: “diwali10”', '_diwali 10_.', '𝗗𝗜𝗪𝗔𝗟𝗜𝟭𝟬', 'ＤＩＷＡＬＩ１０'].map(
        typed => [typed, 'DIWALI10']
      ),
      ['Pongal–2027', 'PONGAL-2027']
    ]
  ],
  [
    'email address',
    normalizeEmail,
    [
      ...[
        ...['mailto:m@x.in?subject=Hi', 'Meena <M@x.in>', '“m@x.in”.', 'm＠x.in', 'm @x. in\u200b'],
        ...['E-mail: *m@x.in* (home),', '<mailto:m@x.in>']
      ].map(typed => [typed, 'm@x.in']),
      ...["o'b-c@x.in", "'_a@x.in", 'm@x.in r@y.in', 'meena m@x.in', 'meena@'].map(same => [
        same,
        same
      ])
    ]
  ],
  [
    'zone',
    parsePincodes,
    [
      ...[
        ...['620001–620026', '620 001 - 620 026', 'Pins: 620001 to 620026', '620001…620026'],
        ...['௬௨௦௦௦௧–௬௨௦௦௨௬', '620001\u00a0‑\u00a0620026;']
      ].map(typed => [typed, CITY]),
      ['620 101 – 620 126', [range('620101', '620126')]],
      ['620 101, 620 102', [range('620101'), range('620102')]],
      ['620001، 625\n', [range('620001'), range('625000', '625999')]],
      ['620 625', [range('620000', '620999'), range('625000', '625999')]],
      ['62O001', undefined],
      ['', []]
    ]
  ]
] as const

test.for(PASTED)('Pasted characters that nobody sees do no harm in a %s', ([, clean, cases]) => {
  for (const [typed, cleaned] of cases) expect(clean(String(typed)), String(typed)).toEqual(cleaned)
})

test.for([
  ['9 to 7', '9 am to 7 pm'],
  ['Mon–Sat 9.30-7', 'Mon–Sat 9.30 am to 7 pm'],
  ['9 am to 7', '9 am to 7 pm'],
  ['12 to 9, Sun 4 to 8', '12 pm to 9 pm, Sun 4 pm to 8 pm'],
  ...['9 am to 8 pm', '6-8 pm', '09:00–19:00', 'within 2-3 days', ''].map(typed => [typed, typed])
])('Opening hours %s are shown as %s', ([typed = '', shown]) =>
  expect(formatHours(typed)).toBe(shown)
)

test('A WhatsApp link has a text that any phone reads as it was written', () => {
  const text = 'வணக்கம்! “Murukku” & 50% off?\n#1 + 2 👩‍🍳 https://shop.example/ta/products/a?b=c#d'
  const link = toWhatsAppLink('098765 43210', `${text}\ud83d`)
  expect(link).toMatch(/^https:\/\/wa\.me\/919876543210\?text=[\w%!.~*'()-]+$/)
  expect(link).toContain('50%25%20off%3F%0A%231%20%2B%202%20%F0%9F%91%A9')
  expect(decodeURIComponent(link.split('text=')[1] ?? '')).toBe(text)
  expect(toWhatsAppLink(undefined, 'a b')).toBe('https://wa.me/?text=a%20b')
  expect(toWhatsAppLink('0431 241 2345', text)).toBe('')
})

const weight = (value: number, unit: string) => ({ value, unit, type: 'weight' })
const count = (value: number, unit: string) => ({ value, unit, type: 'count' })

test('A pack size is shown with its unit, in the plural for several pieces', () => {
  expect(formatPack(weight(1.5, 'kg'))).toBe('1.5 kg')
  expect(formatPack(count(1, 'piece'))).toBe('1 piece')
  expect(formatPack(count(12, 'piece'))).toBe('12 pieces')
  expect(formatPack(count(12, 'pcs'))).toBe('12 pcs')
})

test('The unit price is per 100 g, 100 ml or piece, and left out for just that pack', () => {
  expect(formatUnitPrice(180, weight(250, 'g'))).toBe('₹72.00 / 100 g')
  expect(formatUnitPrice(400, weight(1, 'kg'))).toBe('₹40.00 / 100 g')
  expect(formatUnitPrice(99.5, weight(0.5, 'l'))).toBe('₹19.90 / 100 ml')
  expect(formatUnitPrice(180, count(6, 'piece'))).toBe('₹30.00 / piece')
  expect(formatUnitPrice(80, weight(100, 'g'))).toBeUndefined()
  expect(formatUnitPrice(80, count(1, 'piece'))).toBeUndefined()
})

test('A stock of one to five packs is low', () => {
  expect([-1, 0, 1, 5, 6].map(toStockLevel)).toEqual(['out', 'out', 'low', 'low', 'in'])
})

describe('Formatted time', () => {
  test('is in Indian time on every machine', () => {
    expect(formatDate('2026-11-21T04:00:00.000Z')).toBe('21 November 2026')
    expect(formatDate('2026-11-21T18:30:00.000Z')).toBe('22 November 2026')
  })

  test('has weekday and hour', () => {
    // Some versions of Node put a narrow no-break space before "pm".
    expect(formatDayAndTime('2026-11-21T12:30:00.000Z').replace(/\s/g, ' ')).toMatch(
      /^Sat, 21 Nov, 6:00 pm$/i
    )
  })

  test('has the words for AM and PM that Tamil readers use', () => {
    const time = inLanguage('ta', () => formatDayAndTime('2026-11-21T15:30:00.000Z'))
    expect(time).toMatch(/சனி, இரவு 9:00$/)
  })
})

test('Months begin with this month in India and go back over New Year', () => {
  expect(listMonths(Date.parse('2027-01-31T18:29:59.000Z'), 2)).toEqual([
    ['2027-01', 'January 2027'],
    ['2026-12', 'December 2026']
  ])
  expect(listMonths(Date.parse('2027-01-31T18:30:00.000Z'), 1)).toEqual([
    ['2027-02', 'February 2027']
  ])
})

test('The year changes at midnight in India', () => {
  expect(toYearInIndia(Date.parse('2026-12-31T18:29:59.999Z'))).toBe(2026)
  expect(toYearInIndia(Date.parse('2026-12-31T18:30:00.000Z'))).toBe(2027)
})
