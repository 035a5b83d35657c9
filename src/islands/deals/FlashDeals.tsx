import { useStore } from '@nanostores/react'
import { useEffect, useRef, type RefObject } from 'react'
import type { CartLine } from '#lib/cart/line.ts'
import { runningDeals, type DealView } from '#lib/deal-view.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $cart } from '#lib/stores/cart.ts'
import {
  $discounts,
  $flashDeals,
  $shopperId,
  loadDeals,
  restoreDiscounts,
  watchDeals
} from '#lib/stores/deals.ts'
import { $now } from '#lib/stores/shop-clock.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { EmptyState, RetryNotice, StillWaiting } from '../ui/States.tsx'
import { useHydrated } from '../ui/hooks.ts'
import { FlashDealCard } from './FlashDealCard.tsx'

const NO_LINES: readonly CartLine[] = []

export function FlashDeals({ deals: prebuilt }: { deals: readonly DealView[] }) {
  const { deals, waiting, failure, discounts, now, loggedIn } = useFlashDeals(prebuilt)
  // Like the prebuilt HTML. `ssr: 'initial'` would start with the stored cart.
  const lines = useStore($cart, { ssr: () => NO_LINES })
  const section = useRef<HTMLElement>(null)
  useRestoreFocus(section, deals.length)

  return (
    <section ref={section} tabIndex={-1} aria-labelledby="running-deals" className="outline-none">
      <h2 id="running-deals" className="sr-only">
        Running Deals
      </h2>
      <RetryNotice title={MESSAGES.dealsFailed} text={failure} onRetry={() => void loadDeals()} />
      {waiting && <StillWaiting />}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 lg:gap-6">
        {deals.map((deal, index) => (
          <li key={deal.id}>
            <FlashDealCard
              deal={deal}
              drawState={discounts.get(deal.id)}
              msLeft={now === undefined ? undefined : Date.parse(deal.endTime) - now}
              inCart={lines.some(({ dealId }) => dealId === deal.id)}
              loggedIn={loggedIn}
              eager={index === 0}
            />
          </li>
        ))}
      </ul>
      {deals.length === 0 && failure === undefined && (
        <EmptyState text={MESSAGES.dealsNone}>
          <ButtonLink look="primary" label="See our products" href={paths.products} />
        </EmptyState>
      )}
    </section>
  )
}

function useRestoreFocus(section: RefObject<HTMLElement | null>, count: number): void {
  // In the effect, the focused card may already be removed.
  const hadFocus = section.current?.contains(document.activeElement)
  useEffect(() => {
    if (hadFocus && document.activeElement === document.body) section.current?.focus()
  }, [count])
}

function useFlashDeals(prebuilt: readonly DealView[]) {
  const { deals: loaded, failure } = useStore($flashDeals, { ssr: 'initial' })
  const discounts = useStore($discounts, { ssr: 'initial' })
  const now = useStore($now, { ssr: 'initial' })
  const storedId = useStore($shopperId)
  const hydrated = useHydrated()
  const shopperId = hydrated ? storedId : undefined

  useEffect(watchDeals, [])
  useEffect(() => {
    if (hydrated) void restoreDiscounts()
  }, [hydrated, shopperId])

  const deals = loaded ?? prebuilt
  return {
    deals: now === undefined ? deals : runningDeals(deals, now),
    waiting: loaded === undefined && failure === undefined,
    failure,
    discounts,
    now,
    loggedIn: shopperId !== undefined
  }
}
