import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { $deals, loadAllDeals } from '#lib/stores/admin/deals.ts'
import { $products, loadProducts } from '#lib/stores/admin/products.ts'
import { runClock } from '#lib/stores/shop-clock.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { DealEditor } from './DealEditor.tsx'
import { DealList } from './DealList.tsx'
import { parseView, type View } from './deals-view.ts'
import { NewDeal } from './NewDeal.tsx'

export function DealsPage() {
  const view = parseView(useQuery())
  return <AdminFrame section="deals">{() => <DealsView view={view} />}</AdminFrame>
}

function DealsView({ view }: { view: View }) {
  const lastOpenedId = useRef<string>(undefined)
  useEffect(() => {
    void loadAllDeals()
    void loadProducts()
    return runClock()
  }, [])

  if (view.kind === 'deal') {
    lastOpenedId.current = view.id
    return <DealEditor key={view.id} id={view.id} onClose={() => pushQuery('')} />
  }
  return (
    <div className="grid gap-8">
      <AddDeal repeatOf={view.repeatOf} />
      <AllDeals lastOpenedId={lastOpenedId.current} />
    </div>
  )
}

function AddDeal({ repeatOf }: { repeatOf: string | undefined }) {
  const products = useStore($products)
  const deals = useStore($deals)
  if (products.state === 'failed') {
    return (
      <div role="alert">
        <Notice
          title={ADMIN_MESSAGES.dealsProductsFailed}
          text={products.reason}
          action="Try again"
          onAction={() => void loadProducts()}
        />
      </div>
    )
  }
  // The form is shown after the deals have loaded, because its initial values come from the deal to repeat.
  if (products.state === 'loading' || (repeatOf !== undefined && deals.state === 'loading'))
    return <Skeleton rows={2} />
  const dealToRepeat = deals.state === 'ready' ? deals.deals.find(({ id }) => id === repeatOf) : undefined
  return (
    <NewDeal
      visibleProducts={products.products.filter(({ hiddenAt }) => hiddenAt === null)}
      dealToRepeat={dealToRepeat}
    />
  )
}

function AllDeals({ lastOpenedId }: { lastOpenedId: string | undefined }) {
  const deals = useStore($deals)
  if (deals.state === 'loading') {
    return (
      <>
        <p role="status" className="sr-only">
          Loading deals…
        </p>
        <Skeleton rows={3} />
      </>
    )
  }
  if (deals.state === 'failed') {
    return (
      <div role="alert">
        <EmptyState text={`${MESSAGES.discountedProductsFailed}. ${deals.reason}`}>
          <button type="button" className="button-primary" onClick={() => void loadAllDeals()}>
            Try again
          </button>
        </EmptyState>
      </div>
    )
  }
  return <DealList deals={deals.deals} lastOpenedId={lastOpenedId} />
}
