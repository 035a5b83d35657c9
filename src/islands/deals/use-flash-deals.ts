import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { runningDeals, type DealView } from '#lib/deal-view.ts'
import { $flashDeals, watchDeals } from '#lib/stores/deals.ts'
import { $discounts, $shopperId, restoreDiscounts } from '#lib/stores/discounts.ts'
import { $now } from '#lib/stores/shop-clock.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

/** Returns the prebuilt deals until the server has answered. */
export function useFlashDeals(prebuilt: readonly DealView[]) {
  const { deals = prebuilt, failure } = useStore($flashDeals, { ssr: 'initial' })
  const discounts = useStore($discounts, { ssr: 'initial' })
  const now = useStore($now, { ssr: 'initial' })
  const storedId = useStore($shopperId)
  const shopperId = useHydrated() ? storedId : undefined

  useEffect(watchDeals, [])
  useEffect(() => void restoreDiscounts(), [shopperId])

  const current = now === undefined ? deals : runningDeals(deals, now)
  return { deals: current, failure, discounts, now, loggedIn: shopperId !== undefined }
}
