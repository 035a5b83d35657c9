import { expect, test } from 'vitest'
import { readSourceTexts, readTextFiles } from '../support/source-texts.ts'

const sources = await readSourceTexts()
const used = new Set(sources.flatMap(({ texts }) => texts))
const files = readTextFiles()
const entries = files.flatMap(({ language, name, texts }) =>
  Object.entries(texts).map(([english, text]) => ({ language, name, english, text }))
)

const namesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort()

test.for([...new Set(files.map(({ language }) => language))])(
  'each text of the code is translated once into %s',
  language => {
    const known = entries.filter(entry => entry.language === language)
    const translated = known.map(({ english }) => english)
    const unique = new Set(translated)
    expect([...used].filter(text => !unique.has(text)).sort()).toEqual([])
    expect(translated.filter((text, index) => translated.indexOf(text) !== index)).toEqual([])
  }
)

test('no translation is unused', () => {
  expect(entries.filter(({ english }) => !used.has(english))).toEqual([])
})

test('translations have the placeholders of the English text', () => {
  const isMissing = (name: string, text: string) =>
    // “1 item” needs no number in some languages.
    name !== 'count' && !namesIn(text).includes(name)
  const wrong = entries.filter(
    ({ english, text }) =>
      namesIn(english).some(name => isMissing(name, text)) ||
      namesIn(text).some(name => isMissing(name, english))
  )
  expect(wrong).toEqual([])
})

/** Names, units, and words of forms and files that stay English. */
const NAMES = new Set(
  (
    'iPhone iPad Chrome Edge Firefox Safari ' +
    'Razorpay GST GSTIN HSN FSSAI UPI SKU IST JavaScript Google Maps Excel Sheets Gmail Zoho ' +
    'Mail Brevo Amazon SES SMTP WhatsApp Instagram Shopify WooCommerce CSV PNG JPEG WebP AVIF ' +
    'HTML JSON UTF URL API OTP MB kg ml km kcal Palagaram Home Foods APO HEIC Id key id secret ' +
    'Key login outbox yes no qwerty Energy chakli Security smtp gmail com payment refund dispute'
  ).split(' ')
)
const QUOTED = /\([^()]*\)|“[^“”]*”|\S*[\d@/_]\S*|[a-z]+-[a-z-]+/g

test('Tamil texts have Latin letters only in names, units and what has to be typed', () => {
  const english = entries
    .filter(({ language }) => language === 'ta')
    .map(({ text }) => text.replace(/\{\w+\}/g, '').replace(QUOTED, ''))
    .filter(text => text.match(/[a-z]{2,}/gi)?.some(word => !NAMES.has(word)))
  expect(english).toEqual([])
})

test('no module reads texts or paths while it loads, before the language is known', () => {
  const early = sources.flatMap(({ file, early: reads }) => reads.map(read => `${file}: ${read}`))
  expect(early).toEqual([])
})
