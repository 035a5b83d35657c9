import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import {
  DEAL_FORM,
  DEAL_MESSAGES,
  type DealState,
  formatDealState,
  toDealState
} from '#lib/admin/discount-forms.ts'
import { formatDrawnCount } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/promotions.ts'
import { t, text } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { $products, loadProducts } from '#lib/stores/admin/products.ts'
import { $deals, deleteDeal, loadAllDeals, readDeal } from '#lib/stores/admin/records.ts'
import { $now, getShopTime, runClock } from '#lib/stores/shop-clock.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Fact, Time } from '../../ui/Facts.tsx'
import { Loading, RetryNotice } from '../../ui/States.tsx'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { type Column, DataTable, PictureCell } from '../ui/DataTable.tsx'
import { ChangeHistory, RecordEditor, RowActions } from '../ui/RecordPage.tsx'
import type { OpenRecord } from '../ui/use-record-form.ts'
import { Loaded, Note, useReturnFocus, viewLink } from '../ui/views.tsx'
import { DealForm, NewDeal } from './DealForm.tsx'

export function DealsPage() {
  return (
    <AdminFrame section="deals">
      <DealsView />
    </AdminFrame>
  )
}

function DealsView() {
  const params = new URLSearchParams(useQuery())
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
          label={t('flash deals')}
          failedText={`${MESSAGES.discountedProductsFailed}.`}
          onRetry={loadAllDeals}
        >
          {list => <DealList deals={list} />}
        </Loaded>
      )}
    </div>
  )
}

function AddDeal({ repeatOf }: { repeatOf: string | undefined }) {
  const products = useStore($products)
  const deals = useStore($deals)
  if (products.state === 'failed') {
    return (
      <RetryNotice
        title={t('Failed to load products')}
        text={products.error.message}
        onRetry={() => void loadProducts()}
      />
    )
  }
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
  useReturnFocus(heading)
  const inState = (state: DealState) => deals.filter(deal => toDealState(deal, now) === state)
  const current = [...inState('running'), ...inState('scheduled')]
  const ended = inState('ended').toReversed()

  return (
    <section aria-labelledby="deals">
      <h2 id="deals" ref={heading} tabIndex={-1} className="mb-4 text-lg outline-none">
        {t('Current flash deals')}
      </h2>
      {current.length === 0 ? (
        <p>{t('No current flash deals. Add one above.')}</p>
      ) : (
        <DealTable caption={t('Current flash deals')} deals={current} isCurrent />
      )}
      {ended.length > 0 && (
        <div className="mt-8">
          <Disclosure title={t('Ended flash deals ({count})', { count: ended.length })}>
            {() => <DealTable caption={t('Ended flash deals')} deals={ended} />}
          </Disclosure>
        </div>
      )}
    </section>
  )
}

interface DealTableProps {
  caption: string
  deals: readonly AdminDeal[]
  isCurrent?: boolean
}

function DealTable({ caption, deals, isCurrent = false }: DealTableProps) {
  const now = useStore($now) ?? getShopTime()
  return (
    <DataTable
      caption={caption}
      columns={createColumns(now)}
      rows={deals}
      getKey={({ id }) => id}
      actions={deal => (
        <RowActions
          query={{ [isCurrent ? 'deal' : 'like']: deal.id }}
          label={t(isCurrent ? 'Edit' : 'Repeat')}
          name={t('flash deal for {name}', deal)}
        >
          <DeleteDeal deal={deal} />
        </RowActions>
      )}
    />
  )
}

function createColumns(now: number): Column<AdminDeal>[] {
  return [
    {
      label: t('Product'),
      cell: deal => (
        <PictureCell
          query={{ deal: deal.id }}
          picture={deal.product.picture}
          image={deal.image}
          title={deal.name}
        >
          <span className="block text-sm">{formatDealState(deal, now)}</span>
          <Note>{formatDrawnCount(deal.drawn)}</Note>
        </PictureCell>
      )
    },
    {
      label: t('Original price'),
      numeric: true,
      cell: ({ originalPrice }) => formatRupees(originalPrice)
    },
    {
      label: t('Current price'),
      numeric: true,
      cell: ({ discountedPrice }) => (
        <span className="whitespace-nowrap">
          {t('from {price}', { price: formatRupees(discountedPrice) })}
        </span>
      )
    },
    {
      label: t('Discount'),
      numeric: true,
      cell: ({ discountPercentage }) => `${discountPercentage}%`
    },
    { label: t('Starts'), isOnlyInTable: true, cell: ({ startTime }) => <Time iso={startTime} /> },
    { label: t('Ends'), cell: ({ endTime }) => <Time iso={endTime} /> }
  ]
}

function DealEditor({ id }: { id: string }) {
  return (
    <RecordEditor id={id} kind="deal" read={readDeal} getTitle={({ name }) => name}>
      {record => record.item && <Deal deal={record.item} record={record} />}
    </RecordEditor>
  )
}

function Deal({ deal, record }: { deal: AdminDeal; record: OpenRecord<AdminDeal> }) {
  const now = useStore($now) ?? getShopTime()
  const { id, name, product, drawn, hidden } = deal
  return (
    <article aria-label={name} className="card grid gap-5 p-4 sm:p-6">
      <div>
        <p className="font-semibold">{formatDealState(deal, now)}</p>
        <Note>{formatDrawnCount(drawn)}</Note>
        {!hidden && (
          <p>
            <a className="link target" href={paths.product(product._id)}>
              {t('View product on the website')}
            </a>
          </p>
        )}
      </div>
      {toDealState(deal, now) === 'ended' ? (
        <EndedDeal deal={deal} />
      ) : (
        <DealForm deal={deal} record={record} />
      )}
      <ChangeHistory kinds={['deal']} id={id} labels={DEAL_FORM.labels} format={DEAL_FORM.format}>
        <DeleteDeal deal={deal} onDone={() => pushQuery('')} />
      </ChangeHistory>
    </article>
  )
}

function EndedDeal({ deal }: { deal: AdminDeal }) {
  return (
    <>
      <p>{t('This flash deal has ended and can’t be changed. Repeat it instead.')}</p>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact term={t('Discount')}>
          {t('up to {percent}%', { percent: deal.discountPercentage })}
        </Fact>
        <Fact term={t('Price')}>
          {t('{price}, or as low as {lowest} with the discount', {
            price: formatRupees(deal.originalPrice),
            lowest: formatRupees(deal.discountedPrice)
          })}
        </Fact>
        <Fact term={t('Start')}>{formatDayAndTime(deal.startTime)}</Fact>
        <Fact term={t('End')}>{formatDayAndTime(deal.endTime)}</Fact>
      </dl>
      <p>
        <ButtonLink
          look="primary"
          label={t('Repeat this flash deal')}
          {...viewLink({ like: deal.id })}
        />
      </p>
    </>
  )
}

const DELETION_TEXTS = {
  running: text('{name} goes back to its normal price right away.'),
  scheduled: text('The flash deal for {name} will not start.'),
  ended: text('The price of {name} stays the same.')
}

export function DeleteDeal({ deal, onDone }: { deal: AdminDeal; onDone?: () => void }) {
  const { name, drawn } = deal
  const state = toDealState(deal, useStore($now) ?? getShopTime())
  return (
    <ConfirmButton
      label={t('Delete')}
      name={t('Delete flash deal for {name}', { name })}
      title={t('Delete this flash deal?')}
      confirmLabel={t('Delete flash deal')}
      busyLabel={t('Deleting…')}
      errorTitle={t('Failed to delete discounted product')}
      onConfirm={async () => {
        await deleteDeal(deal)
        notify({ title: DEAL_MESSAGES.dealDeleted, text: name })
      }}
      onDone={onDone}
    >
      {t(DELETION_TEXTS[state], { name })} {formatDrawnCount(drawn)}.
      {state === 'running' &&
        drawn > 0 &&
        ` ${t('Customers who drew a discount but have not ordered will lose it.')}`}{' '}
      {t('This can’t be undone.')}
    </ConfirmButton>
  )
}
