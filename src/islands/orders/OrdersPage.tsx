import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { onVisible } from '#lib/browser.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { ACCOUNT_MESSAGES } from '#lib/account/messages.ts'
import { paths, toLoginPath } from '#lib/paths.ts'
import { $orders, loadOrders } from '#lib/stores/orders.ts'
import { LOGIN_REDIRECT_DELAY } from '#lib/time.ts'
import { useGuard } from '../account/use-session.ts'
import { ButtonLink } from '../ui/Button.tsx'
import type { ShopContact } from '../ui/ContactLine.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { AlertState, LoadFailed, Loading } from '../ui/Loading.tsx'
import { OrderCard } from './OrderCard.tsx'

export function OrdersPage({ shop }: { shop: ShopContact }) {
  const session = useGuard({ redirectDelay: LOGIN_REDIRECT_DELAY })
  return (
    <div className="mx-auto max-w-3xl pb-12">
      <h1 className="py-6 text-2xl sm:text-3xl">My Orders</h1>
      {session.state === 'loading' && <Loading text={ACCOUNT_MESSAGES.profileLoading} />}
      {session.state === 'anonymous' && (
        <AlertState text={CHECKOUT_MESSAGES.ordersLogin}>
          <ButtonLink look="primary" label="Login" href={toLoginPath(paths.orders)} />
        </AlertState>
      )}
      {session.state === 'authenticated' && <Orders key={session.user._id} shop={shop} />}
    </div>
  )
}

function Orders({ shop }: { shop: ShopContact }) {
  const orders = useStore($orders)
  useEffect(() => {
    void loadOrders()
    return onVisible(loadOrders)
  }, [])

  if (orders.state === 'loading') return <Loading text={ACCOUNT_MESSAGES.profileLoading} />
  if (orders.state === 'failed') return <LoadFailed text={orders.error.message} onRetry={() => void loadOrders()} />
  if (orders.value.length === 0) {
    return (
      <EmptyState text={CHECKOUT_MESSAGES.ordersNone}>
        <ButtonLink look="primary" label="See our products" href={paths.products} />
      </EmptyState>
    )
  }
  return (
    <ul className="grid gap-6">
      {orders.value.map(order => (
        <li key={order._id}>
          <OrderCard order={order} shop={shop} />
        </li>
      ))}
    </ul>
  )
}
