import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { CheckoutShop } from '#lib/checkout/order-rules.ts'
import { syncCart } from '#lib/stores/cart-sync.ts'
import { $payment, reopenPayment, resumePayment } from '#lib/stores/payment.ts'
import { useSession } from '../account/use-session.ts'
import { OrderPlaced } from '../checkout/OrderPlaced.tsx'
import { isFullPage, PaymentProgress } from '../checkout/PaymentProgress.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { useHydrated } from '../ui/hooks.ts'
import { CartContents } from './CartContents.tsx'

export function CartPage({ shop }: { shop: CheckoutShop }) {
  const hydrated = useHydrated()
  const payment = useStore($payment, { ssr: 'initial' })
  useReturnFromPayment()

  if (payment.status === 'placed') return <OrderPlaced order={payment.order} shop={shop} />
  if (isFullPage(payment)) return <PaymentProgress payment={payment} shop={shop} />
  return (
    <>
      <h1 className="py-6 text-2xl sm:text-3xl">Your Cart</h1>
      {hydrated ? <CartContents shop={shop} /> : <Skeleton rows={3} />}
      <noscript>
        <p>Please turn on JavaScript to use the cart.</p>
      </noscript>
    </>
  )
}

/** Opens the order whose id is in the URL. Without an id, resumes the payment that was started in this tab. */
function useReturnFromPayment(): void {
  const session = useSession()
  const loggedIn = session.state === 'authenticated'
  const loading = session.state === 'loading'
  useEffect(() => {
    if (loggedIn) void syncCart()
  }, [loggedIn])
  useEffect(() => {
    if (loading) return
    const orderId = new URLSearchParams(location.search).get('order')
    if (orderId) void reopenPayment(orderId, loggedIn)
    else if (loggedIn) void resumePayment()
  }, [loading, loggedIn])
}
