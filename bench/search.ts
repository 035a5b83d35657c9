import { build } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import type { Searchable } from '#lib/search/word-index.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { openBrowser, quantile, type Figures } from './shop.ts'

const ROUNDS = 5
const PRODUCTS = 1000
const CPU_SLOWDOWN = 4
const MATCHER = 'src/lib/search/search.ts'
/** Each letter is a keystroke. The last ones have mistakes, which takes longest. */
const QUERIES = [
  'mysore pak',
  'முறுக்கு',
  'mango pickle 500 g',
  'jangirri',
  'chocolate brownie',
  'tirunelvelly alwaa'
]

/** Measures the matcher alone, before React renders the cards, on a CPU four times slower. */
export async function search(root: string): Promise<Figures> {
  const { outputFiles = [] } = await build({
    entryPoints: [join(root, MATCHER)],
    bundle: true,
    minify: true,
    globalName: 'matcher',
    write: false
  })
  const script = outputFiles.map(({ text }) => text).join('')
  const browser = await openBrowser()
  const setup = { products: await makeProducts(), data: DATA, queries: QUERIES }
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await runRound(browser, script, setup))
  await browser.close()
  const keystrokes = Array.from(QUERIES.join(''), (_, n) =>
    quantile(rounds.map(round => round.keystrokes[n] ?? NaN))
  )
  return {
    'median keystroke in 1,000 products, ms': quantile(keystrokes),
    'slowest keystroke, ms (≤ 16)': Math.max(...keystrokes),
    'index, once, ms': quantile(rounds.map(({ index }) => index)),
    'size of the matcher, kB': gzipSync(script).length / 1000
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
  synonyms: EMPTY_SETTINGS.search.synonyms,
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

/** Products of the demo with words of each other and with new words, as in a large shop. */
async function makeProducts(): Promise<Searchable[]> {
  const demo = JSON.parse(await readFile('server/demo/products.json', 'utf8')) as Searchable[]
  // The same products in each run.
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item
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
