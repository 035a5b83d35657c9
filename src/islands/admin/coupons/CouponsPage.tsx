import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { COUPON_STATES, formatCouponDiscount, formatUses } from '#lib/admin/coupon-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminCoupon } from '#lib/contract/coupons.ts'
import { formatRupees } from '#lib/money.ts'
import { $coupons, loadCoupons } from '#lib/stores/admin/coupons.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Time } from '../../ui/Facts.tsx'
import { toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Badge, type Column, SearchableTable } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/list-query.ts'
import { CouponEditor, EndCoupon } from './CouponEditor.tsx'

export function CouponsPage({ categories }: { categories: readonly Category[] }) {
  const id = new URLSearchParams(useQuery()).get('coupon') || undefined
  const addButton = (
    <ButtonLink look="primary" label="New coupon" {...viewLink(toQuery({ coupon: NEW_ID }))} />
  )
  return (
    <AdminFrame section="coupons" action={!id && addButton}>
      {() => <CouponsView id={id} categories={categories} />}
    </AdminFrame>
  )
}

function CouponsView({
  id,
  categories
}: {
  id: string | undefined
  categories: readonly Category[]
}) {
  const coupons = useStore($coupons)
  useEffect(() => void loadCoupons(), [])

  if (id !== undefined) return <CouponEditor key={id} id={id} categories={categories} />
  return (
    <Loaded state={coupons} label="coupons" onRetry={() => void loadCoupons()}>
      {list => <CouponList coupons={list} />}
    </Loaded>
  )
}

const isOver = ({ state }: AdminCoupon): boolean => state === 'ended' || state === 'used_up'

const FILTERS = [
  { label: 'Current coupons', matches: (coupon: AdminCoupon) => !isOver(coupon) },
  { label: 'Ended or used up', matches: isOver },
  { label: 'All coupons', matches: () => true }
] as const

const COLUMNS: readonly Column<AdminCoupon>[] = [
  { label: 'Code', cell: coupon => <CodeCell coupon={coupon} /> },
  { label: 'Discount', numeric: true, cell: formatCouponDiscount },
  {
    label: 'Minimum',
    numeric: true,
    cell: ({ minimum }) => (minimum === 0 ? '–' : formatRupees(minimum))
  },
  { label: 'Uses', numeric: true, cell: formatUses },
  { label: 'Starts', isOnlyInTable: true, cell: ({ startTime }) => <Time iso={startTime} /> },
  { label: 'Ends', cell: ({ endTime }) => (endTime === null ? '–' : <Time iso={endTime} />) }
]

export function CouponList({ coupons }: { coupons: readonly AdminCoupon[] }) {
  if (coupons.length === 0) return <EmptyState text={ADMIN_MESSAGES.couponsEmpty} />
  return (
    <SearchableTable
      caption="Coupons"
      rows={coupons}
      columns={COLUMNS}
      getTexts={({ code }) => [code]}
      filters={FILTERS}
      noun="coupon"
      noneText={ADMIN_MESSAGES.couponsNone}
      actions={coupon => (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap xl:justify-end">
          <ButtonLink
            label={coupon.state === 'ended' ? 'View' : 'Edit'}
            {...viewLink(toQuery({ coupon: coupon.id }))}
            aria-label={`${coupon.state === 'ended' ? 'View' : 'Edit'} ${coupon.code}`}
          />
          {coupon.state !== 'ended' && <EndCoupon coupon={coupon} />}
        </div>
      )}
    />
  )
}

function CodeCell({ coupon: { id, code, state, oncePerPerson } }: { coupon: AdminCoupon }) {
  return (
    <>
      <a className="link font-semibold" {...viewLink(toQuery({ coupon: id }))}>
        {code}
      </a>
      <span className="block text-sm">
        {state === 'running' ? COUPON_STATES[state] : <Badge text={COUPON_STATES[state]} />}
        {oncePerPerson && ' · once per person'}
      </span>
    </>
  )
}
