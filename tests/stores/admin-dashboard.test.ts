import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Dashboard } from '#lib/contract/admin.ts'
import { MINUTE } from '#lib/time.ts'

const COUNTS = { products: 38, orders: 6, users: 2, deals: 5 }
const DASHBOARD: Dashboard = {
  counts: COUNTS,
  toPack: 0,
  toPackToday: 0,
  dueBy: '2026-11-24',
  unread: 0,
  lowStock: [],
  sales: []
}
const withOrders = (orders: number): Response =>
  Response.json({ ...DASHBOARD, counts: { ...COUNTS, orders } })

/** Opens the dashboard with a stubbed API. */
async function openDashboard() {
  vi.resetModules()
  const { configureApi } = await import('#lib/api.ts')
  const fakeDocument = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', fakeDocument)
  const page = { calls: 0, reply: (): Response => withOrders(6) }
  configureApi({
    send: async () => {
      page.calls++
      return page.reply()
    }
  })
  const store = await import('#lib/stores/admin/dashboard.ts')
  const stop = store.watchDashboard()
  store.$newOrders.listen(() => undefined)
  onTestFinished(() => {
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  await vi.advanceTimersByTimeAsync(0)
  return {
    ...store,
    stop,
    page,
    setVisibility: (state: 'visible' | 'hidden') => {
      fakeDocument.visibilityState = state
      fakeDocument.dispatchEvent(new Event('visibilitychange'))
    }
  }
}

describe('Open dashboard', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('counts the orders that have come since it was opened, without a reload', async () => {
    const { page, $dashboard, $newOrders } = await openDashboard()
    expect($newOrders.get()).toBe(0)
    page.reply = () => withOrders(8)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect([page.calls, $newOrders.get()]).toEqual([2, 2])
    expect($dashboard.get()).toMatchObject({ state: 'ready', value: { counts: { orders: 8 } } })
  })

  test('asks only while it is visible, and at once when it becomes visible again', async () => {
    const { page, setVisibility, stop } = await openDashboard()
    setVisibility('hidden')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(1)
    setVisibility('visible')
    expect(page.calls).toBe(2)
    stop()
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(2)
  })

  test('keeps what it shows if a later call fails', async () => {
    const { page, $dashboard } = await openDashboard()
    page.reply = () => Response.json({ code: 'INTERNAL', message: 'Sorry' }, { status: 500 })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect($dashboard.get().state).toBe('ready')
  })
})
