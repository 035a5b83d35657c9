import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { FlashDeal } from '../contract/deals.ts'
import { flashView, isRunning, type DealView } from '../deal-view.ts'
import { dealOver } from '../messages.ts'
import { ShopError } from '../shop-error.ts'
import { FLASH_DEALS_REFETCH } from '../time.ts'
import { loadMyDiscounts } from './discounts.ts'
import { learn } from './live.ts'
import { $now, runClock, setShopTime, trustOwnClock } from './shop-clock.ts'
import { notify } from './toasts.ts'

interface FlashDeals {
  /** Undefined until the shop has answered: till then a page has its prebuilt ones. */
  deals: readonly DealView[] | undefined
  /** Why the shop could not be asked the last time, in words; the deals are then those of the time before. */
  failure: string | undefined
}

const $state = atom<FlashDeals>({ deals: undefined, failure: undefined })
export const $flashDeals = readonlyType($state)

let latest = 0

export async function loadDeals(): Promise<void> {
  const turn = ++latest
  const sent = Date.now()
  try {
    const reply = understood(await api('GET /flash-deals'))
    if (turn === latest) show(reply, sent)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (turn !== latest) return
    trustOwnClock()
    $state.set({ ...$state.get(), failure: error.message })
  }
}

/** Keeps the deals up to date while somebody looks, and says which of them ends; answers how to stop. */
export function watchDeals(): () => void {
  const look = (): void => {
    if (document.visibilityState !== 'visible') return
    void loadDeals()
    void loadMyDiscounts()
  }
  void loadDeals()
  const stopClock = runClock()
  const timer = setInterval(look, FLASH_DEALS_REFETCH)
  document.addEventListener('visibilitychange', look)
  const stopListening = $now.listen((now, before) => {
    if (now !== undefined && before !== undefined) sayWhatEnded(now, before)
  })
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    stopListening()
    stopClock()
  }
}

function show(reply: readonly Partial<FlashDeal>[], sent: number): void {
  const [first] = reply
  if (first?.serverTime !== undefined) setShopTime(first.serverTime, sent, Date.now())
  const deals = reply.flatMap(deal => flashView(deal) ?? [])
  learn(
    ...deals.flatMap(({ product }) => {
      if (!product) return []
      const { _id: id, price, stock, left } = product
      return [{ id, price, stock, ...(left !== undefined && { left }) }]
    })
  )
  $state.set({ deals, failure: undefined })
}

function sayWhatEnded(now: number, before: number): void {
  for (const deal of $state.get().deals ?? []) {
    if (deal.product && isRunning(deal, before) && !isRunning(deal, now)) {
      notify({ title: dealOver(deal.product.name), about: deal.product._id })
    }
  }
}

// What answers may be a captive portal or a proxy's error page rather than the shop.
function understood(reply: unknown): readonly Partial<FlashDeal>[] {
  if (!Array.isArray(reply)) throw new ShopError('INTERNAL')
  return reply
}
