import { build } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Searchable } from '#lib/search/word-index.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { openSlowPage, quantile, withBrowser, type Figures } from './shop.ts'

const ROUNDS = 5
const PRODUCTS = 1000
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
const DATA = {
  categories: [],
  collections: [],
  synonyms: EMPTY_SETTINGS.search.synonyms,
  bestsellers: [],
  contact: { phone: '', whatsapp: '' }
}

/** Measures the matcher alone, before React renders the cards, on a CPU four times slower. */
export async function search(root: string): Promise<Figures> {
  const { outputFiles } = await build({
    entryPoints: [join(root, MATCHER)],
    bundle: true,
    minify: true,
    globalName: 'matcher',
    write: false
  })
  const script = outputFiles.map(({ text }) => text).join('')
  const setup = { products: await makeProducts(), data: DATA, queries: QUERIES }
  return withBrowser(async browser => {
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { page } = await openSlowPage(browser)
      await page.addScriptTag({ content: script })
      rounds.push(await page.evaluate(measure, setup))
      await page.close()
    }
    const keystrokes = Array.from(QUERIES.join(''), (_, n) =>
      quantile(rounds.map(round => round.keystrokes[n] ?? NaN))
    )
    return {
      'median keystroke in 1,000 products, ms': quantile(keystrokes),
      'slowest keystroke, ms (≤ 16)': Math.max(...keystrokes),
      'index, once, ms': quantile(rounds.map(({ index }) => index)),
      'size of the matcher, kB': gzipSync(script).length / 1000
    }
  })
}

interface Round {
  index: number
  keystrokes: number[]
}

interface Setup {
  products: Searchable[]
  data: typeof DATA
  queries: readonly string[]
}

function measure({ products, data, queries }: Setup): Round {
  const { matcher } = globalThis as unknown as { matcher: typeof import('#lib/search/search.ts') }
  const start = performance.now()
  const { find } = matcher.createSearch(products, data)
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

/** Products of the demo with words of each other, as in a large shop. */
async function makeProducts(): Promise<Searchable[]> {
  const demo = JSON.parse(await readFile('server/demo/products.json', 'utf8')) as Searchable[]
  const pick = (n: number): Searchable => demo[n % demo.length] as Searchable
  const endOf = ({ name }: Searchable) => name.slice(name.length / 2)
  return Array.from({ length: PRODUCTS }, (_, n) => ({
    ...pick(n),
    id: `p${n}`,
    name: `${pick(n * 7).name.slice(0, 4)}${endOf(pick(n * 11))} ${pick(n).name}`,
    description: `${pick(n * 13).description} ${pick(n * 17).name}`
  }))
}
