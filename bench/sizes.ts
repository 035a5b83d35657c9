import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright'
import { paths } from '#lib/paths.ts'
import { ensureChromium } from '../tests/support/chromium.ts'
import { startShop } from '../tests/support/server.ts'
import { firstOf } from './first.ts'
import type { Bench } from './table.ts'

const AFTER_LOAD = 2000

interface Weights {
  scripts: number
  inline: number
  fonts: number
  html: number
}

/** What a phone fetches of each kind of page before anyone touches or scrolls it, gzip. */
export const sizes: Bench = async dataDir => {
  const shop = await startShop({ dataDir })
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox'] })
  try {
    const { product, post } = await firstOf(shop.url)
    const pages = [
      ['home', paths.home, 8],
      ['product', product, 8],
      ['blog', paths.blogs, 8],
      ['blog post', post, 8],
      ['about', paths.about, 8],
      ['contact', paths.contact, 8],
      ['policy', paths.privacy, 8],
      ['list', paths.products, 90]
    ] as const
    const rows: (string | number)[][] = []
    for (const [name, path, bound] of pages) {
      const { scripts, inline, fonts, html } = await weigh(browser, `${shop.url}${path}`)
      rows.push([name, kB(scripts + inline), kB(scripts), kB(inline), bound, kB(fonts), kB(html)])
    }
    return {
      title: 'Sizes, kB gzip, until 2 s after load without scrolling',
      head: ['page', 'JavaScript', 'of it files', 'of it inline', 'at most', 'fonts (≤ 40)', 'HTML (home ≤ 15)'],
      rows
    }
  } finally {
    await browser.close()
    await shop.stop()
  }
}

async function weigh(browser: Browser, url: string): Promise<Weights> {
  // Chromium would ask for Brotli, and the bounds are set in gzip.
  const extraHTTPHeaders = { 'accept-encoding': 'gzip' }
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    extraHTTPHeaders
  })
  const page = await context.newPage()
  const weights: Weights = { scripts: 0, inline: 0, fonts: 0, html: 0 }
  const measured: Promise<void>[] = []
  page.on('requestfinished', request => {
    const add = async (): Promise<void> => {
      const type = (await (await request.response())?.headerValue('content-type')) ?? ''
      const { responseBodySize } = await request.sizes()
      if (type.includes('javascript')) weights.scripts += responseBodySize
      if (type.includes('font')) weights.fonts += responseBodySize
      if (type.includes('html')) weights.html += responseBodySize
    }
    measured.push(add())
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(AFTER_LOAD)
  await Promise.all(measured)
  const inline = await page.$$eval('script:not([src]):not([type="application/ld+json"])', scripts =>
    scripts.map(script => script.textContent).join('\n')
  )
  weights.inline = inline === '' ? 0 : gzipSync(inline).length
  await context.close()
  return weights
}

function kB(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
