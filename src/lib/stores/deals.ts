import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import { repeatWhileVisible } from '../browser.ts'
import type { FlashDeal } from '../contract/deals.ts'
import { isRunning, toFlashDealView, type DealView } from '../deal-view.ts'
import { ShopError } from '../errors.ts'
import { FLASH_DEALS_INTERVAL } from '../time.ts'
import { updateLiveProducts } from './catalog.ts'
import { loadMyDiscounts } from './discounts.ts'
import { $now, fallBackToBrowserClock, runClock, setShopTime } from './shop-clock.ts'
import { notify } from './toasts.ts'

const texts = {
  dealEndedText: (name: string) => `The deal on ${name} has ended.`
}

interface FlashDeals {
  deals: readonly DealView[] | undefined
  failure: string | undefined
}

const $state = atom<FlashDeals>({ deals: undefined, failure: undefined })
export const $flashDeals = readonlyType($state)

let latestRequest = 0

export async function loadDeals(): Promise<void> {
  const request = ++latestRequest
  const sentAt = Date.now()
  try {
    const reply: unknown = await api('GET /flash-deals')
    if (!Array.isArray(reply)) throw new ShopError('INTERNAL')
    if (request === latestRequest) showDeals(reply, sentAt)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (request !== latestRequest) return
    fallBackToBrowserClock()
    $state.set({ ...$state.get(), failure: error.message })
  }
}

export function watchDeals(): () => void {
  void loadDeals()
  const stops = [
    runClock(),
    repeatWhileVisible(FLASH_DEALS_INTERVAL, () => {
      void loadDeals()
      void loadMyDiscounts()
    }),
    $now.listen((now, previous) => {
      if (now !== undefined && previous !== undefined) notifyEndedDeals(now, previous)
    })
  ]
  return () => stops.forEach(stop => stop())
}

function showDeals(reply: readonly Partial<FlashDeal>[], sentAt: number): void {
  const [first] = reply
  if (first?.serverTime !== undefined) setShopTime(first.serverTime, sentAt, Date.now())
  const deals = reply.flatMap(deal => toFlashDealView(deal) ?? [])
  updateLiveProducts(
    ...deals.flatMap(({ product }) => {
      if (!product) return []
      const { _id: id, price, stock, left } = product
      return [{ id, price, stock, ...(left !== undefined && { left }) }]
    })
  )
  $state.set({ deals, failure: undefined })
}

function notifyEndedDeals(now: number, previous: number): void {
  for (const deal of $state.get().deals ?? []) {
    if (deal.product && isRunning(deal, previous) && !isRunning(deal, now)) {
      notify({ title: texts.dealEndedText(deal.product.name), topic: deal.product._id })
    }
  }
}
