import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { type DealState, formatDealState, toDealState } from '#lib/admin/discount-forms.ts'
import { formatDrawnCount } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { $deals, loadAllDeals } from '#lib/stores/admin/records.ts'
import { $products, loadProducts } from '#lib/stores/admin/products.ts'
import { $now, getShopTime, runClock } from '#lib/stores/shop-clock.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Loading, RetryNotice } from '../../ui/States.tsx'
import { Time } from '../../ui/Facts.tsx'
import { toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { type Column, DataTable, PictureCell } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { RowActions } from '../ui/RecordPage.tsx'
import { useReturnFocus } from '../ui/views.tsx'
import { DealEditor, DeleteDeal, NewDeal } from './DealEditor.tsx'

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
  if (id) return <DealEditor key={id} id={id} />
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
      <RetryNotice
        title="Failed to load products"
        text={products.error.message}
        onRetry={() => void loadProducts()}
      />
    )
  }
  // The initial values come from the deal to repeat.
  if (products.state === 'loading' || (repeatOf !== undefined && deals.state === 'loading'))
    return <Loading rows={2} />
  const dealToRepeat =
    deals.state === 'ready' ? deals.value.find(({ id }) => id === repeatOf) : undefined
  return (
    <NewDeal
      visibleProducts={products.value.filter(({ hiddenAt }) => hiddenAt === null)}
      dealToRepeat={dealToRepeat}
    />
  )
}

function DealList({ deals }: { deals: readonly AdminDeal[] }) {
  const now = useStore($now) ?? getShopTime()
  const heading = useRef<HTMLHeadingElement>(null)
  const previousCount = useRef(deals.length)
  useReturnFocus(heading)
  const inState = (state: DealState) => deals.filter(deal => toDealState(deal, now) === state)
  const current = [...inState('running'), ...inState('scheduled')]
  const ended = inState('ended').toReversed()
  useEffect(() => {
    // Deleting a deal removes the focused button, so the heading gets the focus.
    if (deals.length < previousCount.current && document.activeElement === document.body)
      heading.current?.focus()
    previousCount.current = deals.length
  }, [deals])

  return (
    <section aria-labelledby="deals">
      <h2 id="deals" ref={heading} tabIndex={-1} className="mb-4 text-lg outline-none">
        Current flash deals
      </h2>
      {current.length === 0 ? (
        <p>No current flash deals. Add one above.</p>
      ) : (
        <DealTable
          caption="Current flash deals"
          deals={current}
          now={now}
          action="Edit"
          param="deal"
        />
      )}
      {ended.length > 0 && (
        <div className="mt-8">
          <Disclosure title={`Ended flash deals (${ended.length})`}>
            {() => (
              <DealTable
                caption="Ended flash deals"
                deals={ended}
                now={now}
                action="Repeat"
                param="like"
              />
            )}
          </Disclosure>
        </div>
      )}
    </section>
  )
}

interface DealTableProps {
  caption: string
  deals: readonly AdminDeal[]
  now: number
  action: string
  param: string
}

function DealTable({ caption, deals, now, action, param }: DealTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={createColumns(now)}
      rows={deals}
      getKey={({ id }) => id}
      actions={deal => (
        <RowActions
          query={toQuery({ [param]: deal.id })}
          label={action}
          name={`flash deal for ${deal.name}`}
        >
          <DeleteDeal deal={deal} />
        </RowActions>
      )}
    />
  )
}

function createColumns(now: number): Column<AdminDeal>[] {
  return [
    { label: 'Product', cell: deal => <NameCell deal={deal} now={now} /> },
    {
      label: 'Original price',
      numeric: true,
      cell: ({ originalPrice }) => formatRupees(originalPrice)
    },
    {
      label: 'Current price',
      numeric: true,
      cell: ({ discountedPrice }) => (
        <span className="whitespace-nowrap">from {formatRupees(discountedPrice)}</span>
      )
    },
    {
      label: 'Discount',
      numeric: true,
      cell: ({ discountPercentage }) => `${discountPercentage}%`
    },
    { label: 'Starts', isOnlyInTable: true, cell: ({ startTime }) => <Time iso={startTime} /> },
    { label: 'Ends', cell: ({ endTime }) => <Time iso={endTime} /> }
  ]
}

function NameCell({ deal, now }: { deal: AdminDeal; now: number }) {
  const { id, name, image, product, drawn } = deal
  return (
    <PictureCell query={toQuery({ deal: id })} picture={product.picture} image={image} title={name}>
      <span className="block text-sm">{formatDealState(deal, now)}</span>
      <span className="block text-sm font-normal text-ink/70">{formatDrawnCount(drawn)}</span>
    </PictureCell>
  )
}
