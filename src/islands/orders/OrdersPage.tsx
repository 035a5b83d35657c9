import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { toLoginPath } from '#lib/return-path.ts'
import { $orders, loadOrders } from '#lib/stores/orders.ts'
import { LOGIN_REDIRECT_DELAY } from '#lib/time.ts'
import { useGuard } from '../account/use-guard.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { OrderCard } from './OrderCard.tsx'

export function OrdersPage() {
  const session = useGuard({ redirectDelay: LOGIN_REDIRECT_DELAY })
  return (
    <div className="mx-auto max-w-3xl pb-12">
      <h1 className="py-6 text-2xl sm:text-3xl">My Orders</h1>
      {session.state === 'loading' && <Loading />}
      {session.state === 'anonymous' && (
        <div role="alert">
          <EmptyState text={CHECKOUT_MESSAGES.ordersLogin}>
            <a href={toLoginPath(paths.orders)} className="button-primary">
              Login
            </a>
          </EmptyState>
        </div>
      )}
      {session.state === 'authenticated' && <Orders key={session.user._id} />}
    </div>
  )
}

function Orders() {
  const orders = useStore($orders)
  useEffect(() => {
    void loadOrders()
    const onVisible = () => void (document.visibilityState === 'visible' && loadOrders())
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [])

  if (orders.state === 'loading') return <Loading />
  if (orders.state === 'failed') {
    return (
      <div role="alert">
        <EmptyState text={orders.reason}>
          <button type="button" className="button-primary" onClick={() => void loadOrders()}>
            Try again
          </button>
        </EmptyState>
      </div>
    )
  }
  if (orders.orders.length === 0) {
    return (
      <EmptyState text={CHECKOUT_MESSAGES.ordersNone}>
        <a href={paths.products} className="button-primary">
          See our products
        </a>
      </EmptyState>
    )
  }
  return (
    <ul className="grid gap-6">
      {orders.orders.map(order => (
        <li key={order._id}>
          <OrderCard order={order} />
        </li>
      ))}
    </ul>
  )
}

function Loading() {
  return (
    <>
      <p role="status" className="sr-only">
        {MESSAGES.profileLoading}
      </p>
      <Skeleton rows={3} />
    </>
  )
}
