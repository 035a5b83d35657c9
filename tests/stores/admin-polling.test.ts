import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Publishing } from '#lib/contract/admin.ts'
import { MINUTE, SECOND } from '#lib/time.ts'

beforeEach(() => void vi.useFakeTimers())

/** Opens an admin page whose GET calls get `first`, until `page.reply` is changed. */
async function openPage(first: object) {
  vi.resetModules()
  const { configureApi: configure, api: call } = await import('#lib/api.ts')
  const properties = { visibilityState: 'visible', documentElement: { lang: 'en-IN' } }
  const fakeDocument = Object.assign(new EventTarget(), properties)
  vi.stubGlobal('document', fakeDocument)
  const page = { calls: 0, paths: [] as string[], reply: first, status: 200 }
  configure({
    send: async (url, { method, headers }) => {
      if (method !== 'GET') return Response.json({})
      page.calls++
      const known = new Headers(headers).get('if-none-match')
      page.paths.push(url.replace(/.*\//, '') + (known === null ? '' : ` if not ${known}`))
      const { status, reply } = page
      return status === 304 ? new Response(null, { status }) : Response.json(reply, { status })
    }
  })
  onTestFinished(() => {
    vi.clearAllTimers()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  return Object.assign(page, {
    fail: (status: number) => Object.assign(page, { status, reply: { message: 'Sorry' } }),
    save: () => call('POST /admin/publishing/retry', { body: {} }),
    setVisibility: async (state: 'visible' | 'hidden') => {
      fakeDocument.visibilityState = state
      fakeDocument.dispatchEvent(new Event('visibilitychange'))
      await vi.advanceTimersByTimeAsync(0)
    }
  })
}

describe('Open dashboard', () => {
  const counts = { products: 38, orders: 6, users: 2, deals: 5 }
  const withOrders = (orders: number) => ({
    orders,
    ...{
      ...{ pending: 0, toPack: 0, toPackToday: 0, packed: 0, ready: 0 },
      dueBy: '2026-11-24',
      unread: 0,
      lowStock: [],
      sales: [],
      testOrders: 0
    },
    counts: { ...counts, orders }
  })

  async function openDashboard() {
    const page = await openPage(withOrders(6))
    const store = await import('#lib/stores/admin/overview.ts')
    const stops = [store.watchOrders(), store.watchDashboard()]
    await vi.advanceTimersByTimeAsync(0)
    return Object.assign(page, store, { stop: () => stops.forEach(stop => stop()) })
  }

  test('counts the orders that have come since it was opened, and reads the rest again', async () => {
    const page = await openDashboard()
    expect([page.$newOrders.get(), page.paths]).toEqual([0, ['order-count', 'dashboard']])
    await vi.advanceTimersByTimeAsync(20 * SECOND)
    expect(page.paths.splice(0)).toEqual(['order-count', 'dashboard', 'order-count if not "6"'])
    page.reply = withOrders(8)
    await vi.advanceTimersByTimeAsync(20 * SECOND)
    expect(page.paths).toEqual(['order-count if not "6"', 'dashboard'])
    expect(page.$newOrders.get()).toBe(2)
    page.fail(500)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect([page.$newOrders.get(), page.$dashboard.get()]).toEqual([
      2,
      { state: 'ready', value: withOrders(8) }
    ])
  })

  test('asks for orders every 20 s while nothing changes (304), and less often after failures', async () => {
    const page = await openDashboard()
    const countCalls = async (ms: number) => {
      page.paths.length = 0
      await vi.advanceTimersByTimeAsync(ms)
      return page.paths.filter(path => path.startsWith('order-count')).length
    }
    page.fail(304)
    expect(await countCalls(2 * MINUTE)).toBe(6)
    page.fail(500)
    expect(await countCalls(5 * MINUTE)).toBe(4)
    page.fail(304)
    await countCalls(5 * MINUTE)
    expect(await countCalls(2 * MINUTE)).toBe(6)
  })

  test('asks only while it is visible, and at once when it becomes visible again', async () => {
    const page = await openDashboard()
    await page.setVisibility('hidden')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(2)
    await page.setVisibility('visible')
    expect(page.calls).toBe(4)
    page.stop()
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(4)
  })
})

describe('Publishing status', () => {
  const TIME = '2026-11-21T04:00:00.000Z'
  const LIVE: Publishing = { live: { release: 'one', since: TIME }, failedPages: [] }
  const publish = { id: 'w', cause: 'change', requestedAt: TIME } as const
  const WAITING: Publishing = { ...LIVE, waiting: { ...publish, state: 'waiting' } }

  async function openPublishing() {
    const page = await openPage(LIVE)
    const store = await import('#lib/stores/admin/publishing.ts')
    const stop = store.watchPublishing()
    await vi.advanceTimersByTimeAsync(0)
    return Object.assign(page, store, { stop })
  }

  test('polls right after a save, then every 1.5 s until the change is live', async () => {
    const page = await openPublishing()
    page.reply = WAITING
    await page.save()
    await vi.advanceTimersByTimeAsync(0.5 * SECOND)
    expect([page.calls, page.$publishing.get().publishing?.waiting?.id]).toEqual([2, 'w'])
    await vi.advanceTimersByTimeAsync(3 * SECOND)
    expect(page.calls).toBe(4)
    page.reply = LIVE
    await vi.advanceTimersByTimeAsync(1.5 * SECOND)
    expect(page.calls).toBe(5)
    await vi.advanceTimersByTimeAsync(30 * SECOND)
    expect(page.calls).toBe(5)
  })
})
