import type { Browser } from 'playwright'
import { createLine, toCartProduct } from '#lib/cart/line.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { addBuyers } from './server.ts'
import { logInAsAdmin, openBrowser, quantile, runLoad, withShop, type Figures } from './shop.ts'
import { gzipSync } from 'node:zlib'

const RUNS = 3
const ORDERS = 20
const TIMEOUT_MS = 30_000
const SLOW_4G = {
  offline: false,
  latency: 562,
  downloadThroughput: 1_440_000 / 8,
  uploadThroughput: 675_000 / 8
}
const CPU_SLOWDOWN = 4

/** Keeps the page open: before hydration, the browser would submit the login form itself. */
const CANCEL_NAVIGATION = `navigation.addEventListener('navigate', event => {
  if (!event.destination.sameDocument) event.preventDefault()
})`

interface Island {
  path: string
  limitMs: number
  use(): void
  /** Runs in the page. Returns true after the island has handled an event. */
  hasReacted(): boolean
}

interface Loading {
  ms: number
  requests: number
  rounds: number
}

/** Early clicks and changes are repeated after hydration, so two islands are used only once. */
const ISLANDS: Record<string, Island> = {
  cart: {
    path: paths.cart,
    limitMs: 2200,
    use: () => document.querySelector<HTMLElement>('[aria-label="Increase quantity"]')?.click(),
    hasReacted: () =>
      (document.querySelector('main [role=group] output')?.textContent ?? '1') !== '1'
  },
  login: {
    path: paths.login,
    limitMs: 2200,
    use: () =>
      document.querySelector<HTMLElement>('form[aria-label="Login"] [type=submit]')?.click(),
    hasReacted: () => document.querySelector('main [aria-invalid=true]') !== null
  },
  list: {
    path: paths.products,
    limitMs: 3000,
    use: () => {
      const select = document.querySelector<HTMLSelectElement>('main select:not([data-used])')
      if (!select) return
      select.dataset['used'] = ''
      select.selectedIndex = 1
      select.dispatchEvent(new Event('change', { bubbles: true }))
    },
    hasReacted: () => location.search.includes('sort=')
  },
  'flash deals': {
    path: paths.deals,
    limitMs: 2500,
    use: () => {
      const button = document.querySelector<HTMLElement>('main li button:not([data-used])')
      if (!button) return
      document
        .querySelectorAll<HTMLElement>('main li button')
        .forEach(each => (each.dataset['used'] = ''))
      button.click()
    },
    // A guest reads a message before the login page opens.
    hasReacted: () => (document.querySelector('toast-region')?.textContent ?? '').trim() !== ''
  },
  'admin orders': {
    path: paths.adminOrders,
    limitMs: 2500,
    use: () =>
      document.querySelector<HTMLElement>('main tbody [type=checkbox]:not(:checked)')?.click(),
    hasReacted: () =>
      (document.querySelector('main')?.textContent ?? '').includes('1 order selected')
  }
}

/** Runs in the page. Uses the island in each frame until it has changed the page. */
const WATCH = `(use, hasReacted) => {
  const check = () => {
    if (!hasReacted()) return
    cancelAnimationFrame(frame)
    observer.disconnect()
    document.documentElement.dataset.reactedMs = performance.now()
  }
  const observer = new MutationObserver(check)
  const changes = { subtree: true, childList: true, characterData: true, attributes: true }
  observer.observe(document, changes)
  const useAgain = () => {
    frame = requestAnimationFrame(useAgain)
    use()
  }
  let frame = requestAnimationFrame(useAgain)
}`

/** Slow 4G, an empty cache; a new round starts with a script requested after another arrived. */
export function interactive(root: string): Promise<Figures> {
  let tokens: string[] = []
  const prepare = (dataDir: string): void => void (tokens = addBuyers(dataDir, ORDERS))
  return withShop(root, { prepare, env: { TRUST_PROXY: '1' } }, async ({ url }) => {
    const provider = `${url}/sandbox/razorpay/v1`
    await runLoad({ shop: `${url}/api`, provider, tokens, count: ORDERS, connections: 4 })
    const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
    const { token, user } = await logInAsAdmin(url)
    const stored = {
      cart: JSON.stringify(products.slice(0, 1).map(each => createLine(toCartProduct(each), 1))),
      token,
      user: JSON.stringify(user)
    }
    const browser = await openBrowser()
    const figures: Figures = {}
    for (const [name, island] of Object.entries(ISLANDS)) {
      const { cart } = stored
      const runs: Loading[] = []
      for (let run = 0; run < RUNS; run++)
        runs.push(await measure(browser, url, island, name.startsWith('admin') ? stored : { cart }))
      figures[`${name}: ms until it reacts (≤ ${island.limitMs})`] = quantile(runs.map(r => r.ms))
      figures[`${name}: script requests (≤ 8)`] = quantile(runs.map(r => r.requests))
      figures[`${name}: rounds of scripts (≤ 2)`] = quantile(runs.map(r => r.rounds))
    }
    await browser.close()
    return figures
  })
}

async function measure(
  browser: Browser,
  url: string,
  island: Island,
  stored: Record<string, string>
): Promise<Loading> {
  const viewport = { width: 360, height: 740 }
  const context = await browser.newContext({
    baseURL: url,
    viewport,
    isMobile: true,
    hasTouch: true
  })
  try {
    const page = await context.newPage()
    await page.addInitScript(values => Object.assign(localStorage, values), stored)
    await page.addInitScript(CANCEL_NAVIGATION)
    await page.addInitScript(`(${WATCH})(${String(island.use)}, ${String(island.hasReacted)})`)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(`${url}${island.path}`, { waitUntil: 'commit' })
    await page.waitForSelector('[data-reacted-ms]', { state: 'attached', timeout: TIMEOUT_MS })
    const { ms, scripts } = await page.evaluate(() => ({
      ms: Number(document.documentElement.dataset['reactedMs']),
      scripts: performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ startTime, duration }) => ({ start: startTime, end: startTime + duration }))
    }))
    return { ms, requests: scripts.length, rounds: countRounds(scripts) }
  } finally {
    await context.close()
  }
}

function countRounds(scripts: readonly { start: number; end: number }[]): number {
  let rounds = 0
  let firstArrival = -1
  for (const { start, end } of scripts.toSorted((a, b) => a.start - b.start)) {
    const isNewRound = start >= firstArrival
    if (isNewRound) rounds++
    firstArrival = isNewRound ? end : Math.min(firstArrival, end)
  }
  return rounds
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
