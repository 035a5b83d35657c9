import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Dashboard, Publishing } from '#lib/contract/admin.ts'
import { MINUTE, SECOND } from '#lib/time.ts'

beforeEach(() => void vi.useFakeTimers())

/** Opens an admin page whose GET calls get `first`, until `page.reply` is changed. */
async function openPage(first: object) {
  vi.resetModules()
  const { configureApi: configure, api: call } = await import('#lib/api.ts')
  const properties = { visibilityState: 'visible', documentElement: { lang: 'en-IN' } }
  const fakeDocument = Object.assign(new EventTarget(), properties)
  vi.stubGlobal('document', fakeDocument)
  const page = { calls: 0, reply: first, status: 200 }
  configure({
    send: async (_url, { method }) => {
      if (method !== 'GET') return Response.json({})
      page.calls++
      return Response.json(page.reply, { status: page.status })
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
  const withOrders = (orders: number): Dashboard => ({
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
    const stop = store.watchDashboard()
    store.$newOrders.listen(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    return Object.assign(page, store, { stop })
  }

  test('counts the orders that have come since it was opened, and keeps them if a call fails', async () => {
    const page = await openDashboard()
    expect(page.$newOrders.get()).toBe(0)
    page.reply = withOrders(8)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect([page.calls, page.$newOrders.get()]).toEqual([2, 2])
    page.fail(500)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(page.$dashboard.get()).toEqual({ state: 'ready', value: withOrders(8) })
  })

  test('asks only while it is visible, and at once when it becomes visible again', async () => {
    const page = await openDashboard()
    await page.setVisibility('hidden')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(1)
    await page.setVisibility('visible')
    expect(page.calls).toBe(2)
    page.stop()
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(2)
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
