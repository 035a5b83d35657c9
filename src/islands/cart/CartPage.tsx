import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { syncCart } from '#lib/stores/cart-sync.ts'
import { returnTo, resumePaying, $payment } from '#lib/stores/payment.ts'
import { useSession } from '../accounts/use-session.ts'
import { OrderPlaced, type ShopContact } from '../checkout/OrderPlaced.tsx'
import { isOnItsOwn, PaymentProgress } from '../checkout/PaymentProgress.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { CartContents } from './CartContents.tsx'

/** The cart, the checkout, and what came of the payment. Only the browser knows which, so the prebuilt page waits. */
export function CartPage({ shop }: { shop: ShopContact }) {
  const hydrated = useHydrated()
  const payment = useStore($payment, { ssr: 'initial' })
  useReturn()

  if (payment.at === 'placed') return <OrderPlaced order={payment.order} shop={shop} />
  if (isOnItsOwn(payment)) return <PaymentProgress payment={payment} shop={shop} />
  return (
    <>
      <h1 className="py-6 text-2xl sm:text-3xl">Your Cart</h1>
      {hydrated ? <CartContents shopName={shop.name} /> : <Skeleton rows={3} />}
      <noscript>
        <p>Your cart is kept in your browser by JavaScript, which is switched off.</p>
      </noscript>
    </>
  )
}

/** Back from the provider, after a reload or from a bookmark: the order that the address names, else the one that was being paid. */
function useReturn(): void {
  const session = useSession()
  const known = session.state === 'authenticated'
  const waiting = session.state === 'loading'
  useEffect(() => {
    if (known) void syncCart()
  }, [known])
  useEffect(() => {
    if (waiting) return
    const orderId = new URLSearchParams(location.search).get('order')
    if (orderId) void returnTo(orderId, known)
    else if (known) void resumePaying()
  }, [waiting, known])
}
