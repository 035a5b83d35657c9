import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { running, type DealView } from '#lib/deal-view.ts'
import { $flashDeals, watchDeals } from '#lib/stores/deals.ts'
import { $discounts, $shopper, openDiscounts } from '#lib/stores/discounts.ts'
import { $now } from '#lib/stores/shop-clock.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

/** The running deals, the prebuilt ones until the shop has answered, and what is known of who looks at them. */
export function useFlashDeals(prebuilt: readonly DealView[]) {
  const { deals = prebuilt, failure } = useStore($flashDeals, { ssr: 'initial' })
  const discounts = useStore($discounts, { ssr: 'initial' })
  const now = useStore($now, { ssr: 'initial' })
  const stored = useStore($shopper)
  // The prebuilt page knows nobody.
  const shopper = useHydrated() ? stored : undefined

  useEffect(watchDeals, [])
  useEffect(() => void openDiscounts(), [shopper])

  const current = now === undefined ? deals : running(deals, now)
  return { deals: current, failure, discounts, now, loggedIn: shopper !== undefined }
}
