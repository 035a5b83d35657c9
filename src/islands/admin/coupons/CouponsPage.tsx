import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $coupons, loadCoupons } from '#lib/stores/admin/coupons.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/view-link.ts'
import { CouponEditor, type Category } from './CouponEditor.tsx'
import { CouponList } from './CouponList.tsx'

export function CouponsPage({ categories }: { categories: readonly Category[] }) {
  const id = new URLSearchParams(useQuery()).get('coupon') || undefined
  const addButton = <ButtonLink look="primary" label="New coupon" {...viewLink(toQuery({ coupon: NEW_ID }))} />
  return (
    <AdminFrame section="coupons" action={!id && addButton}>
      {() => <CouponsView id={id} categories={categories} />}
    </AdminFrame>
  )
}

function CouponsView({ id, categories }: { id: string | undefined; categories: readonly Category[] }) {
  const coupons = useStore($coupons)
  useEffect(() => void loadCoupons(), [])

  if (id !== undefined) {
    return <CouponEditor key={id} id={id} categories={categories} onClose={() => pushQuery('')} />
  }
  return (
    <Loaded state={coupons} label="coupons" onRetry={() => void loadCoupons()}>
      {list => <CouponList coupons={list} />}
    </Loaded>
  )
}
