import { chromium, type Browser, type Page } from 'playwright'
import { createLine, toCartProduct } from '#lib/cart/line.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { ensureChromium } from '../tests/support/chromium.ts'
import { benchShop, median } from './table.ts'

const RUNS = 3
const TIMEOUT_MS = 30_000
const SLOW_4G = { offline: false, latency: 562, downloadThroughput: 1_440_000 / 8, uploadThroughput: 675_000 / 8 }
const CPU_SLOWDOWN = 4

/** A hurried person tries again after this time. */
const RETRY_MS = 250
/** Keeps the page open: before hydration, the browser would submit the login form itself. */
const CANCEL_NAVIGATION = `navigation.addEventListener('navigate', event => {
  if (!event.destination.sameDocument) event.preventDefault()
})`

interface Island {
  path: string
  target: number
  /** Sends real input events to the island. */
  use(page: Page): Promise<void>
  /** Runs in the page. Returns true after the island has handled the events. */
  hasReacted(): boolean
}

interface Loading {
  ms: number
  requests: number
  rounds: number
}

const ISLANDS: Record<string, Island> = {
  cart: {
    path: paths.cart,
    target: 2200,
    use: page => click(page, '[aria-label="Increase quantity"]'),
    hasReacted: () => (document.querySelector('main [role=group] output')?.textContent ?? '1') !== '1'
  },
  login: {
    path: paths.login,
    target: 2200,
    use: page => click(page, 'form[aria-label="Login"] [type=submit]'),
    hasReacted: () => document.querySelector('main [aria-invalid=true]') !== null
  },
  list: {
    path: paths.products,
    target: 3000,
    async use(page) {
      await page.focus('main select')
      // Always changes the option, also if a previous attempt has chosen the last one.
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowUp')
    },
    hasReacted: () => location.search.includes('sort=')
  },
  'flash deals': {
    path: paths.deals,
    target: 2500,
    use: page => click(page, 'main li button'),
    // A guest reads a message before the login page opens.
    hasReacted: () => document.querySelector('toast-region')?.textContent.trim() !== ''
  }
}

export const interactive = benchShop(async shop => {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox'] })
  try {
    const products = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
    const cart = JSON.stringify(products.slice(0, 1).map(product => createLine(toCartProduct(product), 1)))
    const runs: Record<string, Loading[]> = {}
    for (let round = 0; round < RUNS; round++) {
      for (const [name, island] of Object.entries(ISLANDS))
        (runs[name] ??= []).push(await measure(browser, shop.url, island, cart))
    }
    return {
      title: `Time until islands react: Slow 4G, CPU ${CPU_SLOWDOWN} times slower, empty cache, median of ${RUNS} runs`,
      header: ['page', 'ms', 'target (max)', 'script requests (≤ 8)', 'rounds (≤ 2)'],
      rows: Object.entries(runs).map(([name, loadings]) => {
        const medianOf = (key: keyof Loading): number => median(loadings.map(loading => loading[key]))
        return [name, medianOf('ms').toFixed(0), ISLANDS[name]?.target ?? '', medianOf('requests'), medianOf('rounds')]
      }),
      note: 'A new round starts with a script that is requested after another script has arrived.'
    }
  } finally {
    await browser.close()
  }
})

async function measure(browser: Browser, url: string, island: Island, cart: string): Promise<Loading> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
  try {
    const page = await context.newPage()
    await page.addInitScript(lines => localStorage.setItem('cart', lines), cart)
    await page.addInitScript(CANCEL_NAVIGATION)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(`${url}${island.path}`, { waitUntil: 'commit' })
    const deadline = Date.now() + TIMEOUT_MS
    for (let reacted = false; !reacted;) {
      if (Date.now() > deadline) throw new Error(`${island.path} has not reacted`)
      await island.use(page)
      const reaction = page.waitForFunction(island.hasReacted, undefined, { timeout: RETRY_MS, polling: 20 })
      reacted = await reaction.then(
        () => true,
        () => false
      )
    }
    const { ms, scripts } = await page.evaluate(() => ({
      ms: performance.now(),
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

/** Clicks once, if the element is already in the page. */
async function click(page: Page, selector: string): Promise<void> {
  const box = (await page.locator(selector).count()) > 0 && (await page.locator(selector).first().boundingBox())
  if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
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
