import { launch } from 'chrome-launcher'
import runLighthouse from 'lighthouse'
import { paths } from '#lib/paths.ts'
import { ensureChromium } from '../tests/support/chromium.ts'
import { startShop } from '../tests/support/server.ts'
import { addBarePage, BARE_PATH } from './bare.ts'
import { firstOf } from './first.ts'
import { median, type Bench } from './table.ts'

const RUNS = 5

/** What one run of Lighthouse says: scores of 100, times in ms. */
interface Run {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcp: number
  cls: number
  blocking: number
}

/** Lighthouse's phone on its simulated 4G, the median of five, beside a bare page from the same server. */
export const lighthouse: Bench = async dataDir => {
  // A release is read once: the bare page must be in it before the shop starts, and a release must be there before.
  const opening = await startShop({ dataDir })
  await opening.stop()
  await addBarePage(dataDir)
  const shop = await startShop({ dataDir })
  try {
    const { product, post } = await firstOf(shop.url)
    const pages: Record<string, string> = {
      'bare page': `${shop.url}${BARE_PATH}`,
      home: `${shop.url}${paths.home}`,
      list: `${shop.url}${paths.products}`,
      product: `${shop.url}${product}`,
      blog: `${shop.url}${paths.blogs}`,
      'blog post': `${shop.url}${post}`
    }
    const runs = await inTurn(pages)
    const bareLcp = median((runs['bare page'] ?? []).map(({ lcp }) => lcp))
    return {
      title: `Lighthouse on a phone, median of ${RUNS}`,
      head: [
        'page',
        'performance (≥ 98)',
        'a11y',
        'best practices',
        'SEO',
        'LCP ms',
        '× bare (≤ 1.15)',
        'CLS',
        'blocking ms'
      ],
      rows: Object.entries(runs).map(([name, of]) => row(name, of, bareLcp))
    }
  } finally {
    await shop.stop()
  }
}

// All pages once, then all again: a slow minute of the machine must not fall on one page alone.
async function inTurn(pages: Record<string, string>): Promise<Record<string, Run[]>> {
  const runs: Record<string, Run[]> = {}
  for (let round = 0; round < RUNS; round++) {
    for (const [name, url] of Object.entries(pages)) (runs[name] ??= []).push(await measure(url))
  }
  return runs
}

/** `tries` because on a busy machine Lighthouse now and then misses the start of a page, and asks to be run again. */
async function measure(url: string, tries = 3): Promise<Run> {
  try {
    return await measureOnce(url)
  } catch (error) {
    if (tries === 1) throw error
    return measure(url, tries - 1)
  }
}

async function measureOnce(url: string): Promise<Run> {
  const chrome = await launch({ chromePath: ensureChromium(), chromeFlags: ['--headless=new', '--no-sandbox'] })
  try {
    const result = await runLighthouse(url, { port: chrome.port, logLevel: 'error' })
    if (!result) throw new Error(`Lighthouse said nothing about ${url}`)
    const { categories, audits, runtimeError } = result.lhr
    if (runtimeError) throw new Error(`Lighthouse could not measure ${url}: ${runtimeError.message}`)
    const score = (name: string): number => Math.round((categories[name]?.score ?? 0) * 100)
    const value = (name: string): number => audits[name]?.numericValue ?? NaN
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
      lcp: value('largest-contentful-paint'),
      cls: value('cumulative-layout-shift'),
      blocking: value('total-blocking-time')
    }
  } finally {
    chrome.kill()
  }
}

function row(name: string, runs: readonly Run[], bareLcp: number): (string | number)[] {
  const of = (key: keyof Run): number => median(runs.map(run => run[key]))
  const scores = [of('performance'), of('accessibility'), of('bestPractices'), of('seo')]
  return [
    name,
    ...scores,
    of('lcp').toFixed(0),
    (of('lcp') / bareLcp).toFixed(2),
    of('cls').toFixed(3),
    of('blocking').toFixed(0)
  ]
}
