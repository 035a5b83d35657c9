import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#lib/constants.ts'
import type { MailSamples } from '#lib/contract/admin.ts'
import { openSettings } from '../support/settings.ts'
import { listSources } from '../support/sources.ts'

/** The shop has no Tamil name. */
async function readSamples(language: Language) {
  const shop = await openSettings()
  const { body } = await shop.callAsAdmin(`GET /admin/mails?language=${language}`)
  return (body as MailSamples).mails
}

/** What stays in Latin letters: names and addresses of people, numbers, units and companies. */
const LATIN = new RegExp(
  [
    /https?:\S+|\S+@\S+|localhost|\b(?:pay|rfnd|disp)_\w+|\bP[GC]?\d*-\w+|\b(?:PG|CN)\/\S+|DIWALI10/,
    /Anita Kumar|14 Nandi Koil Street|Tiruchirappalli|Tamil Nadu|India|Palagaram|ST Courier/,
    /Kolam Street|Thillai Nagar/,
    /UPI|Razorpay|Invoice|Credit Note|API key|key id|(?:key )?secret/
  ]
    .map(({ source }) => source)
    .join('|'),
  'g'
)
const FOREIGN = { en: /[\u0b80-\u0bff]+/g, ta: /[a-z]{3,}/gi }

describe.for(['en', 'ta'] as const)('The samples of all mails in %s', language => {
  test('have no words of another language', async () => {
    const mails = await readSamples(language)
    const foreign = mails.flatMap(
      ({ subject, text }) => `${subject} ${text}`.replace(LATIN, '').match(FOREIGN[language]) ?? []
    )
    expect([foreign, mails.length]).toEqual([[], 32])
  })

  test('have HTML without resources, with the words of the text, legible in light and dark', async () => {
    for (const { subject, text = '', html = '' } of await readSamples(language)) {
      expect(html).toContain(`<html lang="${LANGUAGES[language].locale}">`)
      expect(html).not.toMatch(/<(?:script|link|img)|\bsrc=|url\(|@import/)
      const page = readPage(html)
      expect(page.words.filter(word => /null|undefined|NaN/.test(word))).toEqual([])
      const missing = splitWords(text).filter(word => !page.words.includes(word))
      expect(missing, subject).toEqual([])
      expect(Math.min(...page.contrasts), subject).toBeGreaterThanOrEqual(4.5)
    }
  })
})

test('Each function that makes a mail has a sample', () => {
  // They take the text from others.
  const shared = [
    'shopperMail',
    'adminMail',
    'mailToShop',
    'mailFromShop',
    'aboutMoney',
    'cancelledMail'
  ]
  const sources = listSources('server').filter(({ path }) => !path.includes('/platform/'))
  const names = sources.flatMap(({ code }) =>
    [...code.matchAll(/^(?:export )?function (\w+)\((?:(?!^}).)*?\): Mail(?:\[\])? \{$/gms)].map(
      ([, name = '']) => name
    )
  )
  const samples = sources.find(({ path }) => path.endsWith('mail-samples.ts'))?.code ?? ''
  const missing = names.filter(
    name => !shared.includes(name) && !new RegExp(`\\b${name}\\(`).test(samples)
  )
  expect(names.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

interface Ground {
  name: string
  light: Colours
  dark: Colours
}
type Colours = Record<'color' | 'background', string>

/** Throws if an element is not closed. */
function readPage(html: string): { words: string[]; contrasts: number[] } {
  const dark = /<style>[^{]*\{(.*)\}<\/style>/.exec(html)?.[1] ?? ''
  const darkOf = (name = '') =>
    new RegExp(`\\.${name}\\{(.*?)\\}`).exec(dark)?.[1]?.replaceAll('!important', '') ?? ''
  const open: Ground[] = []
  let words = ''
  const contrasts: number[] = []
  const parser = new Parser({
    onopentag(name, { class: group, style = '', href = '' }) {
      const { light, dark: above } = open.at(-1) ?? { light: {}, dark: {} }
      const own = parseColours(style)
      const ground = { light: { ...light, ...own }, dark: { ...above, ...own } }
      Object.assign(ground.dark, group === undefined ? {} : parseColours(darkOf(group)))
      open.push({ name, ...(ground as Pick<Ground, 'light' | 'dark'>) })
      words += ` ${href} `
    },
    ontext(text) {
      const { light, dark: shade, name = '' } = open.at(-1) ?? {}
      words += text
      if (!light || !shade || text.trim() === '' || /title|style/.test(name)) return
      contrasts.push(contrastOf(light), contrastOf(shade))
    },
    onclosetag(name, isImplied) {
      if (isImplied && !/^meta|br$/.test(name)) throw new Error(`<${name}> is not closed`)
      open.pop()
      words += ' '
    }
  })
  parser.end(html)
  return { words: splitWords(words), contrasts }
}

/** Without the colon after a label: HTML has labels in cells and on buttons. */
function splitWords(text: string) {
  return text.split(/\s+/).map(word => word.replace(/:$/, ''))
}

function parseColours(style: string) {
  const pairs = style.split(';').map(rule => rule.split(':'))
  return Object.fromEntries(pairs.filter(([name]) => name === 'color' || name === 'background'))
}

/** WCAG 2.2, contrast ratio. */
function contrastOf({ color, background }: Colours) {
  const [a, b] = [luminanceOf(color), luminanceOf(background)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf(colour: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
