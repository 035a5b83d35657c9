import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { $deals, loadAllDeals } from '#lib/stores/admin/deals.ts'
import { $products, loadProducts } from '#lib/stores/admin/products.ts'
import { runClock } from '#lib/stores/shop-clock.ts'
import { Notice } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Loading.tsx'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { DealEditor } from './DealEditor.tsx'
import { DealList } from './DealList.tsx'
import { NewDeal } from './NewDeal.tsx'

export function DealsPage() {
  const params = new URLSearchParams(useQuery())
  return <AdminFrame section="deals">{() => <DealsView params={params} />}</AdminFrame>
}

function DealsView({ params }: { params: URLSearchParams }) {
  const deals = useStore($deals)
  const products = useStore($products)
  useEffect(() => {
    void loadAllDeals()
    void loadProducts()
    return runClock()
  }, [])

  const id = params.get('deal')
  if (id) return <DealEditor key={id} id={id} onClose={() => pushQuery('')} />
  return (
    <div className="grid gap-8">
      <AddDeal repeatOf={params.get('like') || undefined} />
      {/* Not before the form above, which would move the list. */}
      {products.state !== 'loading' && (
        <Loaded
          state={deals}
          label="flash deals"
          failedText={`${MESSAGES.discountedProductsFailed}.`}
          onRetry={() => void loadAllDeals()}
        >
          {list => <DealList deals={list} />}
        </Loaded>
      )}
    </div>
  )
}

/** `repeatOf` is the id of an ended deal. Its values are the initial values of the form. */
function AddDeal({ repeatOf }: { repeatOf: string | undefined }) {
  const products = useStore($products)
  const deals = useStore($deals)
  if (products.state === 'failed') {
    return (
      <div role="alert">
        <Notice
          title={ADMIN_MESSAGES.dealsProductsFailed}
          text={products.error.message}
          action="Try again"
          onAction={() => void loadProducts()}
        />
      </div>
    )
  }
  // The form is shown after the deals have loaded, because its initial values come from the deal to repeat.
  if (products.state === 'loading' || (repeatOf !== undefined && deals.state === 'loading'))
    return <Skeleton rows={2} />
  const dealToRepeat = deals.state === 'ready' ? deals.value.find(({ id }) => id === repeatOf) : undefined
  return (
    <NewDeal visibleProducts={products.value.filter(({ hiddenAt }) => hiddenAt === null)} dealToRepeat={dealToRepeat} />
  )
}
