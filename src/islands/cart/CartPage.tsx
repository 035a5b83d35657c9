import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { onVisible } from '#lib/browser.ts'
import type { CartView } from '#lib/cart/view.ts'
import type { CheckoutShop } from '#lib/checkout/checkout-form.ts'
import { isClosedOn } from '#lib/delivery/calendar.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { aboutCartText } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { clearCartEverywhere, syncCart } from '#lib/stores/cart-sync.ts'
import { removeFromCart, restoreToCart } from '#lib/stores/cart.ts'
import { $payment, reopenPayment, resumePayment } from '#lib/stores/payment.ts'
import { $cartView, refreshQuote } from '#lib/stores/quote.ts'
import { $token } from '#lib/stores/session.ts'
import { checkStorage } from '#lib/stores/storage.ts'
import { toDayInIndia } from '#lib/time.ts'
import { useHydrated, useSession } from '../ui/hooks.ts'
import { Checkout } from '../checkout/Checkout.tsx'
import { describeProgress, OrderPlaced, PaymentProgress } from '../checkout/PaymentResult.tsx'
import { ButtonLink, WhatsAppLink } from '../ui/Button.tsx'
import { ConfirmButton } from '../ui/Buttons.tsx'
import { EmptyState, Skeleton } from '../ui/States.tsx'
import { CartLines, type RemovedLine } from './CartLines.tsx'
import { CartTotal, DeliveryLine, SubtotalBar, useDelivery } from './CartTotal.tsx'
import { FreeDelivery } from './FreeDelivery.tsx'

export function CartPage({ shop }: { shop: CheckoutShop }) {
  const hydrated = useHydrated()
  const payment = useStore($payment, { ssr: 'initial' })
  useReturnFromPayment()

  if (payment.status === 'placed') return <OrderPlaced order={payment.order} shop={shop} />
  const progress = describeProgress(payment)
  if (progress) return <PaymentProgress {...progress} status={payment.status} shop={shop} />
  return (
    <>
      <h1 className="py-6 text-2xl sm:text-3xl">{t('Your Cart')}</h1>
      {hydrated ? <CartContents shop={shop} /> : <Skeleton rows={3} />}
      <noscript>
        <p>{t('Please turn on JavaScript to use the cart.')}</p>
      </noscript>
    </>
  )
}

function useReturnFromPayment() {
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

function CartContents({ shop }: { shop: CheckoutShop }) {
  const view = useStore($cartView)
  const [removed, setRemoved] = useState<RemovedLine>()
  const content = useRef<HTMLDivElement>(null)
  const isClosed = isClosedOn(shop.closed, toDayInIndia(Date.now()))
  const isEmpty = view.lines.length === 0
  // The cart of the last page may be lost.
  useEffect(() => {
    if (isEmpty) checkStorage()
  }, [isEmpty])
  useQuote(view)
  useDelivery(view, shop)

  // The pressed button disappears. An open dialog would keep the focus inside.
  const remove = (line: RemovedLine) => {
    flushSync(() => {
      removeFromCart(line.line)
      setRemoved(line)
    })
    content.current?.querySelector<HTMLElement>('[data-undo]')?.focus()
  }
  const changeAndFocus = (change: () => void) => {
    flushSync(() => {
      change()
      setRemoved(undefined)
    })
    content.current?.focus()
  }

  const cartLines = (
    <CartLines
      lines={view.lines}
      removed={removed}
      onRemove={remove}
      onUndo={({ line, position }) => changeAndFocus(() => restoreToCart(line, position))}
    />
  )
  const linesWithActions = (
    <div>
      {cartLines}
      <SubtotalBar view={view} shop={shop} isClosed={isClosed} />
      {!isClosed && <DeliveryLine view={view} shop={shop} />}
      {!isClosed && <FreeDelivery view={view} />}
      <div className="flex flex-wrap items-center justify-between gap-3 pt-4">
        <ButtonLink label={MESSAGES.cartContinue} href={paths.products} />
        <ConfirmButton
          label={t('Clear cart')}
          look="link"
          title={t('Clear cart?')}
          confirmLabel={t('Clear cart')}
          cancelLabel={t('Keep items')}
          onConfirm={() => changeAndFocus(() => void clearCartEverywhere())}
        >
          {t('All items will be removed.')}
        </ConfirmButton>
        <WhatsAppLink
          phone={shop.whatsapp}
          message={aboutCartText(view.lines.map(({ line }) => line))}
          label={t('Questions about your cart?')}
        />
      </div>
    </div>
  )
  return (
    <div
      ref={content}
      tabIndex={-1}
      className="grid gap-6 pb-12 outline-none lg:grid-cols-[1fr_24rem] lg:items-start lg:gap-8"
    >
      {!isEmpty ? (
        <Checkout
          view={view}
          shop={shop}
          lines={linesWithActions}
          total={<CartTotal view={view} shop={shop} />}
        />
      ) : (
        <div className="lg:col-span-2">
          {cartLines}
          <EmptyState text={FIELD_TEXTS.cartEmpty}>
            <ButtonLink look="primary" label={MESSAGES.cartContinue} href={paths.products} />
          </EmptyState>
        </div>
      )}
    </div>
  )
}

function useQuote({ lines }: CartView) {
  const token = useStore($token)
  const ids = lines
    .map(({ line }) => `${line._id} ${line.dealId ?? ''}`)
    .sort()
    .join(',')

  useEffect(() => {
    if (ids === '') return
    void refreshQuote()
    return onVisible(refreshQuote)
  }, [ids, token])
}
