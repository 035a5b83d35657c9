import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright'
import { paths } from '#lib/paths.ts'
import { ensureChromium } from '../tests/support/chromium.ts'
import { findSampleContent } from './processes.ts'
import { benchShop } from './table.ts'

const WAIT_AFTER_LOAD_MS = 2000

interface PageSizes {
  scripts: number
  inline: number
  fonts: number
  html: number
}

export const sizes = benchShop(async shop => {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox']
  })
  try {
    const { product, post } = await findSampleContent(shop.url)
    const pages = [
      ['home', paths.home, 10],
      ['product', product, 10],
      ['blog', paths.blogs, 10],
      ['blog post', post, 10],
      ['about', paths.about, 10],
      ['contact', paths.contact, 10],
      ['policy', paths.privacy, 10],
      ['list', paths.products, 95]
    ] as const
    const rows: (string | number)[][] = []
    for (const [name, path, target] of pages) {
      const { scripts, inline, fonts, html } = await measurePage(browser, `${shop.url}${path}`)
      rows.push([
        name,
        toKilobytes(scripts + inline),
        toKilobytes(scripts),
        toKilobytes(inline),
        target,
        toKilobytes(fonts),
        toKilobytes(html)
      ])
    }
    return {
      title: 'Transfer sizes in kB (gzip), until 2 s after load, no scrolling',
      header: [
        'page',
        'JavaScript',
        'files',
        'inline',
        'target (max)',
        'fonts (≤ 40)',
        'HTML (home ≤ 17)'
      ],
      rows
    }
  } finally {
    await browser.close()
  }
})

async function measurePage(browser: Browser, url: string): Promise<PageSizes> {
  // Requests gzip instead of Chromium's default Brotli, because our size targets are for gzip.
  const extraHTTPHeaders = { 'accept-encoding': 'gzip' }
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    extraHTTPHeaders
  })
  const page = await context.newPage()
  const sizesInBytes: PageSizes = { scripts: 0, inline: 0, fonts: 0, html: 0 }
  const measured: Promise<void>[] = []
  page.on('requestfinished', request => {
    const add = async (): Promise<void> => {
      const type = (await (await request.response())?.headerValue('content-type')) ?? ''
      const { responseBodySize } = await request.sizes()
      if (type.includes('javascript')) sizesInBytes.scripts += responseBodySize
      if (type.includes('font')) sizesInBytes.fonts += responseBodySize
      if (type.includes('html')) sizesInBytes.html += responseBodySize
    }
    measured.push(add())
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(WAIT_AFTER_LOAD_MS)
  await Promise.all(measured)
  const inline = await page.$$eval('script:not([src]):not([type="application/ld+json"])', scripts =>
    scripts.map(script => script.textContent).join('\n')
  )
  sizesInBytes.inline = inline === '' ? 0 : gzipSync(inline).length
  await context.close()
  return sizesInBytes
}

function toKilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
