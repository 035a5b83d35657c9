import { Parser } from 'htmlparser2'
import { PRODUCT_LIMITS } from '#lib/constants.ts'
import type { ProductFields } from '#lib/contract/catalog.ts'

const SILENT = new Set(['script', 'style', 'template', 'noscript', 'svg'])
const LINES = new Set(
  'blockquote br div dt dd h1 h2 h3 h4 h5 h6 hr ol p pre table tr ul'.split(' ')
)

/** The text of HTML, or of a text without tags, with its line breaks. */
export function toPlainText(html: string): { text: string; pictures: string[] } {
  const pictures: string[] = []
  let text = ''
  let silent = 0
  const parser = new Parser({
    onopentag(name, { src }) {
      if (SILENT.has(name)) silent++
      if (name === 'img' && src) pictures.push(src)
      text += name === 'li' ? '\n• ' : name === 'td' ? ' ' : LINES.has(name) ? '\n' : ''
    },
    ontext(part) {
      if (silent === 0) text += part
    },
    onclosetag(name) {
      if (SILENT.has(name)) silent--
      if (name === 'li' && text.endsWith('• ')) text = text.slice(0, -2)
      if (LINES.has(name) && name !== 'br') text += '\n'
    }
  })
  // Nested tags take quadratic time.
  parser.end(html.slice(0, 100_000))
  const lines = text.split('\n').map(line => line.replace(/\s+/g, ' ').trim())
  const tidy = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n+•\s*/g, '\n• ')
  return { text: tidy.trim(), pictures }
}

type Size = ProductFields['quantity']

/** With what one of them is in our unit. */
const UNITS: readonly [names: string, unit: Size['unit'], factor: number][] = [
  ['kgs?|kilos?|kilograms?|கிலோ', 'g', 1000],
  ['gr?|gms?|grams?|கிராம்', 'g', 1],
  ['mls?|millilit(?:re|er)s?', 'ml', 1],
  ['l|lts?|ltrs?|lit(?:re|er)s?', 'ml', 1000],
  ['dozens?', 'piece', 12],
  ['pcs?|pieces?|nos?|counts?', 'piece', 1]
]
const NUMBER = String.raw`(?<![\d.,])(?:(\d+)\s*[x×]\s*)?(\d*[¼½¾]|\d+\s*\/\s*\d+|[\d.,]*\d)`
const TIMES = String.raw`(?![\p{L}\p{M}])(?:\s*[x×]\s*(\d+))?`
const PATTERNS = UNITS.map(([names, unit, factor]) => {
  return [new RegExp(`${NUMBER}\\s*(?:${names})${TIMES}`, 'iu'), unit, factor] as const
})
const PACK_OF = [/\b(?:pack|box|set) of ()(\d+)\b/i, 'piece', 1] as const

/** Reads '500gm', '½ kg', '2 x 250 g', '12 Pieces' and 'Pack of 6'. */
export function readSize(text: string): Size | undefined {
  for (const [pattern, unit, factor] of [...PATTERNS, PACK_OF]) {
    const [, times, amount, timesAfter] = pattern.exec(text) ?? []
    if (amount === undefined) continue
    const value = Math.round(readAmount(amount) * Number(times || timesAfter || 1) * factor)
    const large = unit === 'g' ? 'kg' : 'l'
    const isLarge = unit !== 'piece' && value % 1000 === 0
    const size: Size = isLarge ? { value: value / 1000, unit: large } : { value, unit }
    if (size.value > 0 && size.value <= PRODUCT_LIMITS.packValue) return size
  }
  return undefined
}

const FRACTIONS: Partial<Record<string, number>> = { '¼': 0.25, '½': 0.5, '¾': 0.75 }

/** '1,000' is a thousand, '0,5' a half. */
function readAmount(text: string) {
  const [above, below] = text.split('/').map(Number)
  if (above !== undefined && below !== undefined) return above / below
  const fraction = FRACTIONS[text.slice(-1)]
  if (fraction !== undefined) return Number(text.slice(0, -1)) + fraction
  return Number(text.replace(/(?<=^[1-9]\d{0,2}),(?=\d{3}$)/, '').replace(',', '.'))
}
