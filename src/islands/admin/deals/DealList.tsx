import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { formatDealState, toDealState } from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES, formatDrawnCount } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { formatRupees } from '#lib/money.ts'
import { $now, getShopTime } from '#lib/stores/shop-clock.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Time } from '../../ui/Facts.tsx'
import { toQuery } from '../../ui/history.ts'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { PictureCell } from '../ui/PictureCell.tsx'
import { useReturnFocus } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/view-link.ts'
import { DeleteDeal } from './DealEditor.tsx'

export function DealList({ deals }: { deals: readonly AdminDeal[] }) {
  const now = useStore($now) ?? getShopTime()
  const heading = useRef<HTMLHeadingElement>(null)
  const previousCount = useRef(deals.length)
  useReturnFocus(heading)
  const ended = deals.filter(deal => toDealState(deal, now) === 'ended').toReversed()
  const running = deals.filter(deal => toDealState(deal, now) === 'running')
  const current = [...running, ...deals.filter(deal => toDealState(deal, now) === 'scheduled')]
  useEffect(() => {
    // Deleting a deal removes the focused button, so the heading gets the focus.
    if (deals.length < previousCount.current && document.activeElement === document.body) heading.current?.focus()
    previousCount.current = deals.length
  }, [deals])

  return (
    <section aria-labelledby="deals">
      <h2 id="deals" ref={heading} tabIndex={-1} className="mb-4 text-lg outline-none">
        Current flash deals
      </h2>
      {current.length === 0 ? (
        <p>{ADMIN_MESSAGES.dealsNone}</p>
      ) : (
        <DealTable caption="Current flash deals" deals={current} now={now} action="Edit" param="deal" />
      )}
      {ended.length > 0 && (
        <div className="mt-8">
          <Disclosure title={`Ended flash deals (${ended.length})`}>
            {() => <DealTable caption="Ended flash deals" deals={ended} now={now} action="Repeat" param="like" />}
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
        <div className="flex flex-wrap gap-2 md:justify-end xl:flex-nowrap">
          <ButtonLink
            label={action}
            {...viewLink(toQuery({ [param]: deal.id }))}
            aria-label={`${action} flash deal for ${deal.name}`}
          />
          <DeleteDeal deal={deal} />
        </div>
      )}
    />
  )
}

function createColumns(now: number): Column<AdminDeal>[] {
  return [
    { label: 'Product', cell: deal => <NameCell deal={deal} now={now} /> },
    { label: 'Original price', numeric: true, cell: deal => <Price rupees={deal.originalPrice} /> },
    { label: 'Current price', numeric: true, cell: deal => <Price from rupees={deal.currentPrice} /> },
    { label: 'Discount', numeric: true, cell: ({ discountPercentage }) => `${discountPercentage}%` },
    { label: 'Starts', isOnlyOnWideScreens: true, cell: ({ startTime }) => <Time iso={startTime} /> },
    { label: 'Ends', cell: ({ endTime }) => <Time iso={endTime} /> }
  ]
}

function Price({ rupees, from = false }: { rupees: number; from?: boolean }) {
  return (
    <span className="whitespace-nowrap">
      {from && 'from '}
      {formatRupees(rupees)}
    </span>
  )
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
