import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Publishing } from '#lib/contract/admin.ts'
import { MINUTE, SECOND } from '#lib/time.ts'

const TIME = '2026-11-21T04:00:00.000Z'
const LIVE: Publishing = {
  live: { release: 'one', since: TIME },
  failedPages: []
}
const WAITING: Publishing = {
  ...LIVE,
  waiting: { id: 'w', state: 'waiting', cause: 'change', requestedAt: TIME }
}

/** Opens an admin page with a stubbed API. */
async function openPage() {
  vi.resetModules()
  const { configureApi: configure, api: call } = await import('#lib/api.ts')
  const fakeDocument = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', fakeDocument)
  const page = { calls: 0, reply: (): Response => Response.json(LIVE) }
  configure({
    send: async (_url, { method }) => {
      if (method !== 'GET') return Response.json({})
      page.calls++
      return page.reply()
    }
  })
  const store = await import('#lib/stores/admin/publishing.ts')
  const stop = store.watchPublishing()
  onTestFinished(() => {
    vi.clearAllTimers()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  await vi.advanceTimersByTimeAsync(0)
  return {
    ...store,
    stop,
    page,
    save: () => call('POST /admin/publishing/retry', { body: {} }),
    setVisibility: (state: 'visible' | 'hidden') => {
      fakeDocument.visibilityState = state
      fakeDocument.dispatchEvent(new Event('visibilitychange'))
    }
  }
}

describe('Publishing status', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('polls once a minute when idle', async () => {
    const { page, $publishing } = await openPage()
    expect($publishing.get().publishing).toEqual(LIVE)
    await vi.advanceTimersByTimeAsync(MINUTE - 1)
    expect(page.calls).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(page.calls).toBe(2)
  })

  test('polls right after a save, then every 1.5 s until the change is live', async () => {
    const { page, save, $publishing } = await openPage()
    page.reply = () => Response.json(WAITING)
    await save()
    await vi.advanceTimersByTimeAsync(0.5 * SECOND)
    expect([page.calls, $publishing.get().publishing?.waiting?.id]).toEqual([2, 'w'])
    await vi.advanceTimersByTimeAsync(3 * SECOND)
    expect(page.calls).toBe(4)
    page.reply = () => Response.json(LIVE)
    await vi.advanceTimersByTimeAsync(1.5 * SECOND)
    expect(page.calls).toBe(5)
    await vi.advanceTimersByTimeAsync(30 * SECOND)
    expect(page.calls).toBe(5)
  })

  test('stops polling in a hidden tab and polls at once when it is visible again', async () => {
    const { page, setVisibility } = await openPage()
    page.reply = () => Response.json(WAITING)
    setVisibility('hidden')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(1)
    setVisibility('visible')
    await vi.advanceTimersByTimeAsync(0)
    expect(page.calls).toBe(2)
  })

  test('keeps the last status after a failure and polls again', async () => {
    const { page, $publishing } = await openPage()
    page.reply = () => Response.json({ code: 'INTERNAL', message: 'Sorry' }, { status: 500 })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect($publishing.get()).toEqual({ publishing: LIVE, isUnsupported: false, failure: 'Sorry' })
    page.reply = () => Response.json(LIVE)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect($publishing.get().failure).toBeUndefined()
  })

  test('stops if the server does not publish, or after the last page has unsubscribed', async () => {
    const { page, stop, setVisibility, $publishing } = await openPage()
    page.reply = () =>
      Response.json({ code: 'NOT_FOUND', message: 'No such call' }, { status: 404 })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect([page.calls, $publishing.get().isUnsupported]).toEqual([2, true])
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(2)
    stop()
    setVisibility('visible')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(page.calls).toBe(2)
  })

  test('is said in plain words', async () => {
    const { formatPublishing } = await openPage()
    const failed = {
      id: 'f',
      state: 'failed',
      cause: 'change',
      requestedAt: TIME,
      problem: 'Disk full'
    } as const
    const texts = [LIVE, WAITING, { ...LIVE, failed }].map(formatPublishing)
    expect(texts).toEqual(['Website: up to date', 'Website: updating…', 'Website: not up to date'])
    expect(formatPublishing({ ...LIVE, failedPages: ['/blogs/story'] })).toBe(
      'Website: 1 page failed'
    )
    expect(formatPublishing({ ...LIVE, failedPages: ['/blogs/story', '/'] })).toBe(
      'Website: 2 pages failed'
    )
  })
})
