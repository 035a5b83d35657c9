import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import { paths } from '#lib/paths.ts'
import { openBrowser, withShop, type Figures } from './shop.ts'

const WAIT_AFTER_LOAD_MS = 2000
const PAGES = {
  home: paths.home,
  product: paths.product('mysore-pak'),
  blog: paths.blogs,
  about: paths.about,
  contact: paths.contact,
  policy: paths.privacy,
  list: paths.products
}
const LIMITS: Record<string, number> = { list: 95 }
const LIMIT = 10

/** Transfer sizes (gzip) until two seconds after load, without scrolling. */
export function sizes(root: string): Promise<Figures> {
  return withShop(root, {}, async shop => {
    const browser = await openBrowser()
    const figures: Figures = {}
    for (const [name, path] of Object.entries(PAGES)) {
      const { script, font, html } = await measurePage(browser, `${shop.url}${path}`)
      figures[`${name}: JavaScript, kB (≤ ${LIMITS[name] ?? LIMIT})`] = script / 1000
      figures[`${name}: fonts, kB (≤ 40)`] = font / 1000
      figures[`${name}: HTML, kB`] = html / 1000
    }
    await browser.close()
    return figures
  })
}

async function measurePage(
  browser: Browser,
  url: string
): Promise<{ script: number; font: number; html: number }> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    // Instead of Chromium's default Brotli, because the limits are for gzip.
    extraHTTPHeaders: { 'accept-encoding': 'gzip' }
  })
  const page = await context.newPage()
  const bytes = { script: 0, font: 0, html: 0 }
  const measured: Promise<void>[] = []
  page.on('requestfinished', request => {
    const add = async (): Promise<void> => {
      const type = (await (await request.response())?.headerValue('content-type')) ?? ''
      const { responseBodySize } = await request.sizes()
      for (const kind of ['script', 'font', 'html'] as const)
        if (type.includes(kind)) bytes[kind] += responseBodySize
    }
    measured.push(add())
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(WAIT_AFTER_LOAD_MS)
  await Promise.all(measured)
  const inline = await page.$$eval('script:not([src]):not([type="application/ld+json"])', scripts =>
    scripts.map(script => script.textContent).join('\n')
  )
  if (inline !== '') bytes.script += gzipSync(inline).length
  await context.close()
  return bytes
}
