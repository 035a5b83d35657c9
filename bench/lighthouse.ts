import { launch } from 'chrome-launcher'
import runLighthouse, { type Flags, type Result } from 'lighthouse'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { paths } from '#lib/paths.ts'
import { ensureChromium } from '../tests/support/chromium.ts'
import { startShop } from '../tests/support/server.ts'
import { findSampleContent } from './processes.ts'
import { median, type Bench } from './table.ts'

const RUNS = 3

/**
 * Scores are from 0 to 100, `lcp` and `blockingTime` in ms. Lighthouse loads the page without
 * limits and calculates them for a slow network. For `slowLcp`, it loads the page again on a slow
 * network.
 */
interface LighthouseScores {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcp: number
  slowLcp: number
  cls: number
  blockingTime: number
}

export const lighthouse: Bench = async dataDir => {
  // The first start publishes the release. The baseline page is added to the release before the
  // second start.
  const firstStart = await startShop({ dataDir })
  await firstStart.stop()
  await addBaselinePage(dataDir)
  const shop = await startShop({ dataDir })
  try {
    const { product, post } = await findSampleContent(shop.url)
    const pages: Record<string, string> = {
      'baseline page': `${shop.url}${BASELINE_PATH}`,
      home: `${shop.url}${paths.home}`,
      list: `${shop.url}${paths.products}`,
      product: `${shop.url}${product}`,
      blog: `${shop.url}${paths.blogs}`,
      'blog post': `${shop.url}${post}`
    }
    const runs = await measureAll(pages)
    const baseline = runs['baseline page'] ?? []
    return {
      title: `Lighthouse mobile, median of ${RUNS} runs`,
      header: [
        'page',
        'performance (100)',
        'a11y',
        'best practices',
        'SEO',
        'LCP ms, calculated',
        '/ baseline',
        'LCP ms, measured',
        '/ baseline (≤ 1.35)',
        'CLS (≤ 0.01)',
        'TBT ms'
      ],
      rows: Object.entries(runs).map(([name, scores]) => row(name, scores, baseline))
    }
  } finally {
    await shop.stop()
  }
}

// Measures all pages once per round, so that a slow period of the machine affects all of them.
async function measureAll(
  pages: Record<string, string>
): Promise<Record<string, LighthouseScores[]>> {
  const runs: Record<string, LighthouseScores[]> = {}
  for (let round = 0; round < RUNS; round++) {
    for (const [name, url] of Object.entries(pages)) (runs[name] ??= []).push(await measure(url))
  }
  return runs
}

/** Retries, because Lighthouse sometimes misses the start of a page load on a busy machine. */
async function measure(url: string, attempts = 3): Promise<LighthouseScores> {
  try {
    return await measureOnce(url)
  } catch (error) {
    if (attempts === 1) throw error
    return measure(url, attempts - 1)
  }
}

async function measureOnce(url: string): Promise<LighthouseScores> {
  const chrome = await launch({
    chromePath: ensureChromium(),
    chromeFlags: ['--headless=new', '--no-sandbox']
  })
  try {
    const run = async (options: Flags): Promise<Result> => {
      const result = await runLighthouse(url, { port: chrome.port, logLevel: 'error', ...options })
      if (!result) throw new Error(`Lighthouse returned no result for ${url}`)
      const { runtimeError } = result.lhr
      if (runtimeError)
        throw new Error(`Lighthouse could not measure ${url}: ${runtimeError.message}`)
      return result.lhr
    }
    const calculated = await run({})
    const measured = await run({ throttlingMethod: 'devtools', onlyCategories: ['performance'] })
    const score = (name: string): number =>
      Math.round((calculated.categories[name]?.score ?? 0) * 100)
    const value = (name: string, { audits } = calculated): number =>
      audits[name]?.numericValue ?? NaN
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
      lcp: value('largest-contentful-paint'),
      slowLcp: value('largest-contentful-paint', measured),
      cls: value('cumulative-layout-shift'),
      blockingTime: value('total-blocking-time')
    }
  } finally {
    chrome.kill()
  }
}

function row(
  name: string,
  runs: readonly LighthouseScores[],
  baseline: readonly LighthouseScores[]
): (string | number)[] {
  const medianOf = (key: keyof LighthouseScores, of = runs): number =>
    median(of.map(run => run[key]))
  const compare = (key: 'lcp' | 'slowLcp'): string[] => [
    medianOf(key).toFixed(0),
    (medianOf(key) / medianOf(key, baseline)).toFixed(2)
  ]
  const scores = [
    medianOf('performance'),
    medianOf('accessibility'),
    medianOf('bestPractices'),
    medianOf('seo')
  ]
  return [
    name,
    ...scores,
    ...compare('lcp'),
    ...compare('slowLcp'),
    medianOf('cls').toFixed(3),
    medianOf('blockingTime').toFixed(0)
  ]
}

const BASELINE_PATH = '/baseline'

const PICTURE = 'server/demo/pictures/mysore-pak.jpg'
const MAX_PICTURE_BYTES = 36_000
const WIDTH = 720

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Baseline page</title></head>
<body><h1>Baseline page</h1><img src="/assets/baseline-page.jpg" width="${WIDTH}" height="${WIDTH}" alt="Sweets"></body>
</html>
`

// The page is in the release, so that the baseline is measured with the shop's server.
async function addBaselinePage(dataDir: string): Promise<void> {
  writeFileSync(join(dataDir, 'assets', 'baseline-page.jpg'), await encodePicture())
  const release = join(dataDir, 'current')
  const manifest = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8')) as {
    files: Record<string, unknown>
  }
  const hash = createHash('sha256').update(PAGE).digest('base64url').slice(0, 22)
  manifest.files['baseline.html'] = {
    size: Buffer.byteLength(PAGE),
    hash,
    encodings: [],
    policy: 0
  }
  writeFileSync(join(release, 'baseline.html'), PAGE)
  writeFileSync(join(release, 'release.json'), JSON.stringify(manifest))
}

async function encodePicture(quality = 95): Promise<Buffer> {
  const jpeg = await sharp(PICTURE).resize(WIDTH).jpeg({ quality }).toBuffer()
  return jpeg.length <= MAX_PICTURE_BYTES || quality <= 5 ? jpeg : encodePicture(quality - 1)
}
