import { build } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright'
import type { Searchable } from '#lib/search/word-index.ts'
import { SYNONYMS } from '#lib/search/synonyms.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { ensureChromium } from '../tests/support/chromium.ts'
import { seededInt } from '../tests/support/random.ts'
import { median, type Bench } from './table.ts'

const ROUNDS = 5
const PRODUCTS = 1000
const CPU_SLOWDOWN = 4
const MATCHER = 'src/lib/search/search.ts'
/**
 * Each letter of them is a keystroke. The last ones have mistakes or find nothing, which takes
 * longest.
 */
const QUERIES = [
  'mysore pak',
  'முறுக்கு',
  'mango pickle 500 g',
  'jangirri',
  'chocolate brownie',
  'tirunelvelly alwaa'
]

/**
 * Measures the matcher alone, in Chromium: it runs before React renders the cards of a keystroke.
 */
export const search: Bench = async () => {
  const bundling = {
    entryPoints: [MATCHER],
    bundle: true,
    minify: true,
    globalName: 'matcher',
    write: false
  }
  const { outputFiles = [] } = await build(bundling)
  const script = outputFiles.map(({ text }) => text).join('')
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox']
  })
  try {
    const setup = { products: await makeProducts(), data: DATA, queries: QUERIES }
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await runRound(browser, script, setup))
    const keystrokes =
      rounds[0]?.keystrokes.map((_, n) =>
        median(rounds.map(round => round.keystrokes[n] ?? NaN))
      ) ?? []
    const row = (name: string, ms: number, target: string): string[] => [
      name,
      ms.toFixed(1),
      target
    ]
    return {
      title: `Search in ${PRODUCTS} products, CPU ${CPU_SLOWDOWN} times slower, median of ${ROUNDS} first uses`,
      header: ['', 'ms', 'target (max)'],
      rows: [
        row('median keystroke', median(keystrokes), ''),
        row('slowest keystroke', Math.max(...keystrokes), '16'),
        row('index, once', median(rounds.map(({ index }) => index)), '')
      ],
      note: `The matcher has ${(gzipSync(script).length / 1000).toFixed(1)} kB (gzip).`
    }
  } finally {
    await browser.close()
  }
}

interface Round {
  index: number
  keystrokes: number[]
}

async function runRound(browser: Browser, script: string, setup: Setup): Promise<Round> {
  const page = await browser.newPage()
  await page.addScriptTag({ content: script })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const round = await page.evaluate(measure, setup)
  await page.close()
  return round
}

const DATA = {
  categories: EMPTY_SETTINGS.categories.categories,
  collections: [],
  synonyms: SYNONYMS,
  bestsellers: [],
  contact: { phone: '', whatsapp: '' }
}

interface Setup {
  products: Searchable[]
  data: typeof DATA
  queries: readonly string[]
}

function measure({ products, data, queries }: Setup): Round {
  const { createSearch } = (
    globalThis as unknown as { matcher: typeof import('#lib/search/search.ts') }
  ).matcher
  const start = performance.now()
  const { find } = createSearch(products, data)
  const index = performance.now() - start
  const keystrokes = queries.flatMap(query =>
    Array.from(query, (_, n) => {
      const before = performance.now()
      find(query.slice(0, n + 1))
      return performance.now() - before
    })
  )
  return { index, keystrokes }
}

/**
 * Products of the demo with words of each other and, as a large shop has more words than the demo,
 * with new words.
 */
async function makeProducts(): Promise<Searchable[]> {
  const demo = JSON.parse(await readFile('server/demo/products.json', 'utf8')) as Searchable[]
  const random = seededInt(1)
  const pick = <Item>(items: readonly Item[]): Item => items[random(0, items.length)] as Item
  const syllables = demo.flatMap(
    ({ name }) => name.toLowerCase().match(/[^aeiou ]+[aeiou]+/g) ?? []
  )
  const newWord = (): string => Array.from({ length: 3 }, () => pick(syllables)).join('')
  return Array.from({ length: PRODUCTS }, (_, n) => {
    const product = pick(demo)
    return {
      ...product,
      id: `p${n}`,
      name: `${newWord()} ${pick(demo).name}`,
      description: `${pick(demo).description} ${Array.from({ length: 4 }, newWord).join(' ')}`
    }
  })
}
