import { Skeleton } from '../ui/Skeleton.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { CartContents } from './CartContents.tsx'

/** The cart, first part: what is in it and what it comes to. Only the browser knows, so the prebuilt page waits. */
export function CartPage() {
  const hydrated = useHydrated()
  return (
    <>
      <h1 className="py-6 text-2xl sm:text-3xl">Your Cart</h1>
      {hydrated ? <CartContents /> : <Skeleton rows={3} />}
      <noscript>
        <p>Your cart is kept in your browser by JavaScript, which is switched off.</p>
      </noscript>
    </>
  )
}
