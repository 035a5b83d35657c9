import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import { createLine, toCartProduct } from '#lib/cart/line.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import {
  addBuyers,
  call,
  logIn,
  openSlowPage,
  quantile,
  runLoad,
  withBrowser,
  withShop,
  type Figures
} from './shop.ts'

const RUNS = 3
const ORDERS = 20
const TIMEOUT_MS = 30_000
const SLOW_4G = {
  offline: false,
  latency: 562,
  downloadThroughput: 1_440_000 / 8,
  uploadThroughput: 675_000 / 8
}
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

interface Island {
  path: string
  limitMs: number
  use: string
  hasReacted: string
}

/** Early clicks and changes are repeated after hydration, so two islands are used only once. */
const ISLANDS: Record<string, Island> = {
  cart: {
    path: paths.cart,
    limitMs: 2200,
    use: `click('[aria-label="Increase quantity"]')`,
    hasReacted: `!['', '1'].includes(text('main [role=group] output'))`
  },
  login: {
    path: paths.login,
    limitMs: 2200,
    use: `click('form[aria-label="Login"] [type=submit]')`,
    hasReacted: `document.querySelector('main [aria-invalid=true]')`
  },
  list: {
    path: paths.products,
    limitMs: 3000,
    use: `{
      const select = document.querySelector('main select')
      if (select) select.selectedIndex = 1
      return select?.dispatchEvent(new Event('change', { bubbles: true }))
    }`,
    hasReacted: `location.search.includes('sort=')`
  },
  'flash deals': {
    path: paths.deals,
    limitMs: 2500,
    use: `return click('main li button')`,
    // A guest reads a message before the login page opens.
    hasReacted: `text('toast-region') !== ''`
  },
  'admin orders': {
    path: paths.adminOrders,
    limitMs: 2500,
    use: `click('main tbody [type=checkbox]:not(:checked)')`,
    hasReacted: `text('main').includes('1 order selected')`
  }
}

const watch = ({ use, hasReacted }: Island) => `
  // Before hydration, the browser would submit the login form itself.
  navigation.addEventListener('navigate', event => {
    if (!event.destination.sameDocument) event.preventDefault()
  })
  const text = selector => (document.querySelector(selector)?.textContent ?? '').trim()
  const click = selector => {
    const element = document.querySelector(selector)
    element?.click()
    return Boolean(element)
  }
  const use = () => { ${use} }
  let frame = requestAnimationFrame(function useAgain() {
    frame = use() ? 0 : requestAnimationFrame(useAgain)
  })
  const observer = new MutationObserver(() => {
    if (!(${hasReacted})) return
    cancelAnimationFrame(frame)
    observer.disconnect()
    document.documentElement.dataset.reactedMs = performance.now()
  })
  const changes = { subtree: true, childList: true, characterData: true, attributes: true }
  observer.observe(document, changes)`

/** Slow 4G, an empty cache; a new round starts with a script requested after another arrived. */
export function interactive(root: string): Promise<Figures> {
  let tokens: string[] = []
  const prepare = (dataDir: string) => void (tokens = addBuyers(dataDir, ORDERS))
  return withShop(root, { prepare, env: { TRUST_PROXY: '1' } }, async ({ url }) => {
    const provider = `${url}/sandbox/razorpay/v1`
    await runLoad({ shop: `${url}/api`, provider, tokens, count: ORDERS, connections: 4 })
    const [product] = await call<Product[]>(url, '/products')
    const { token, user } = await logIn(url)
    const cart = JSON.stringify(product ? [createLine(toCartProduct(product), 1)] : [])
    const admin = { cart, token, user: JSON.stringify(user) }
    return withBrowser(async browser => {
      const figures: Figures = {}
      for (const [name, island] of Object.entries(ISLANDS)) {
        const stored = name.startsWith('admin') ? admin : { cart }
        const runs: Loading[] = []
        for (let run = 0; run < RUNS; run++) runs.push(await load(browser, url, island, stored))
        figures[`${name}: ms until it reacts (≤ ${island.limitMs})`] = quantile(runs.map(r => r.ms))
        figures[`${name}: script requests (≤ 8)`] = quantile(runs.map(r => r.requests))
        figures[`${name}: rounds of scripts (≤ 2)`] = quantile(runs.map(r => r.rounds))
      }
      return figures
    })
  })
}

interface Loading {
  ms: number
  requests: number
  rounds: number
}

async function load(
  browser: Browser,
  url: string,
  island: Island,
  stored: Record<string, string>
): Promise<Loading> {
  const { page, devtools } = await openSlowPage(browser, PHONE)
  await page.addInitScript(values => Object.assign(localStorage, values), stored)
  await page.addInitScript(watch(island))
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  await page.goto(`${url}${island.path}`, { waitUntil: 'commit' })
  await page.waitForSelector('[data-reacted-ms]', { state: 'attached', timeout: TIMEOUT_MS })
  const ms = await page.evaluate(() => Number(document.documentElement.dataset['reactedMs']))
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime, duration }) => ({ start: startTime, end: startTime + duration }))
  )
  await page.close()
  let rounds = 0
  let firstArrival = -1
  for (const { start, end } of scripts.toSorted((a, b) => a.start - b.start)) {
    const isNewRound = start >= firstArrival
    if (isNewRound) rounds++
    firstArrival = isNewRound ? end : Math.min(firstArrival, end)
  }
  return { ms, requests: scripts.length, rounds }
}

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

export function sizes(root: string): Promise<Figures> {
  return withShop(root, {}, ({ url }) =>
    withBrowser(async browser => {
      const figures: Figures = {}
      for (const [name, path] of Object.entries(PAGES)) {
        const { script, font, html } = await measurePage(browser, `${url}${path}`)
        figures[`${name}: JavaScript, kB (≤ ${name === 'list' ? 95 : 10})`] = script / 1000
        figures[`${name}: fonts, kB (≤ 56)`] = font / 1000
        figures[`${name}: HTML, kB`] = html / 1000
      }
      return figures
    })
  )
}

async function measurePage(
  browser: Browser,
  url: string
): Promise<{ script: number; font: number; html: number }> {
  // Instead of Chromium's default Brotli, because the limits are for gzip.
  const page = await browser.newPage({ ...PHONE, extraHTTPHeaders: { 'accept-encoding': 'gzip' } })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(WAIT_AFTER_LOAD_MS)
  const [html, ...files] = await page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap(type => performance.getEntriesByType(type) as PerformanceResourceTiming[])
      .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize }))
  )
  const sizeOf = (suffix: string) =>
    files.reduce((sum, { name, size }) => sum + (name.endsWith(suffix) ? size : 0), 0)
  const inline = await page.$$eval('script:not([src]):not([type="application/ld+json"])', scripts =>
    scripts.map(script => script.textContent).join('\n')
  )
  await page.close()
  return {
    script: sizeOf('.js') + (inline === '' ? 0 : gzipSync(inline).length),
    font: sizeOf('.woff2'),
    html: html?.size ?? 0
  }
}
