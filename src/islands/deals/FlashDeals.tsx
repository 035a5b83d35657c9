import { useStore } from '@nanostores/react'
import { useEffect, useRef, type RefObject } from 'react'
import type { DealView } from '#lib/deal-view.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $cart } from '#lib/stores/cart.ts'
import type { CartLine } from '#lib/stores/cart-line.ts'
import { loadDeals } from '#lib/stores/deals.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { FlashDealCard } from './FlashDealCard.tsx'
import { useFlashDeals } from './use-flash-deals.ts'

const NOTHING: readonly CartLine[] = []

/** The running deals, each with the discount that is the shopper's own. */
export function FlashDeals({ deals: prebuilt }: { deals: readonly DealView[] }) {
  const { deals, failure, discounts, now, loggedIn } = useFlashDeals(prebuilt)
  // Not 'initial': the first value of a persistent store is what is stored, and the prebuilt page knows no cart.
  const lines = useStore($cart, { ssr: () => NOTHING })
  const whole = useRef<HTMLElement>(null)
  useFocusKept(whole, deals.length)

  return (
    <section ref={whole} tabIndex={-1} aria-labelledby="running-deals" className="outline-none">
      <h2 id="running-deals" className="sr-only">
        Running Deals
      </h2>
      <div aria-live="polite">
        {failure !== undefined && (
          <Notice title={MESSAGES.dealsFailed} text={failure} action="Try again" onAction={() => void loadDeals()} />
        )}
      </div>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 lg:gap-6">
        {deals.map((deal, index) => (
          <li key={deal.id}>
            <FlashDealCard
              deal={deal}
              own={discounts.get(deal.id)}
              left={now === undefined ? undefined : Date.parse(deal.endTime) - now}
              inCart={lines.some(({ dealId }) => dealId === deal.id)}
              loggedIn={loggedIn}
              eager={index === 0}
            />
          </li>
        ))}
      </ul>
      {deals.length === 0 && failure === undefined && (
        <EmptyState text={MESSAGES.dealsNone}>
          <a href={paths.products} className="button-primary">
            See our products
          </a>
        </EmptyState>
      )}
    </section>
  )
}

/** A card that had the focus may go because its deal ends: then the focus stays where it was, among the deals. */
function useFocusKept(whole: RefObject<HTMLElement | null>, count: number): void {
  // Asked while rendering, because afterwards the card is gone.
  const had = whole.current?.contains(document.activeElement)
  useEffect(() => {
    if (had && document.activeElement === document.body) whole.current?.focus()
  }, [count])
}
