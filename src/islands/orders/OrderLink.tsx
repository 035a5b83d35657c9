import { useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import type { Order, OrderLink } from '#lib/contract/orders.ts'
import { t } from '#lib/contract/texts.ts'
import { aboutOrderText, toStatusText } from '#lib/order.ts'
import { paths, toLoginPath } from '#lib/paths.ts'
import { formatDate } from '#lib/time.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { CopyButton, Failure } from '../ui/Buttons.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Fact } from '../ui/Facts.tsx'
import { useAttempt, useLoad } from '../ui/hooks.ts'
import { AlertState, LoadFailed, Loading } from '../ui/States.tsx'
import {
  ContactLine,
  Destination,
  OrderDetails,
  type ShopContact,
  StatusBadge,
  Timeline
} from './OrderParts.tsx'

/** Programs for mail and chat take a full stop after the link for a part of it. */
const TOKEN_LETTERS = 43

export function OrderLinkPage({ shop }: { shop: ShopContact }) {
  const [hash, setHash] = useState('')
  const [result, reload] = useLoad(hash, () =>
    api(
      'POST /orders/by-link',
      { body: { token: location.hash.slice(1, 1 + TOKEN_LETTERS) } },
      { isRepeatable: true }
    )
  )
  useEffect(() => {
    const follow = ({ oldURL }: HashChangeEvent) => {
      // The target of “Skip to content”. To be loaded again, the page needs the token.
      if (location.hash === '#main') history.replaceState(history.state, '', oldURL)
      else setHash(location.hash)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const order = result.state === 'ready' ? result.value : undefined
  const name = order ? t('Order {number}', { number: order.orderNumber }) : t('Your order')
  useEffect(() => void (document.title = document.title.replace(/^[^|]+/, `${name} `)), [name])
  const orders = (
    <ButtonLink look="primary" label={t('My Orders')} href={toLoginPath(paths.orders)} />
  )
  return (
    <div className="mx-auto max-w-3xl pb-12">
      <h1 className="py-6 text-2xl [overflow-wrap:anywhere] sm:text-3xl">{name}</h1>
      <noscript>
        <p className="pb-6">{t('Please turn on JavaScript to see your orders.')}</p>
      </noscript>
      {result.state === 'loading' && <Loading />}
      {result.state === 'failed' &&
        (result.error.code === 'ORDER_LINK_INVALID' ? (
          <AlertState text={result.error.message}>{orders}</AlertState>
        ) : (
          <LoadFailed text={result.error.message} onRetry={() => void reload()} />
        ))}
      {order && (
        <>
          <article aria-label={name} className="card grid gap-4 p-4 sm:p-6">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
              <p>{toStatusText(order)}</p>
              <StatusBadge order={order} />
            </div>
            <Timeline order={order} />
            <OrderDetails order={order}>
              <Destination order={order} shop={shop} />
            </OrderDetails>
          </article>
          <div className="my-6 grid justify-items-start gap-3">
            <p>{t('For the invoice, or to change or cancel the order, go to My Orders.')}</p>
            {orders}
          </div>
        </>
      )}
      <ContactLine message={order && aboutOrderText(order.orderNumber)} shop={shop} />
    </div>
  )
}

interface OrderLinkFactProps {
  order: Pick<Order, '_id' | 'orderNumber' | 'paidAt'>
  call: 'POST /orders/{id}/link' | 'POST /admin/orders/{id}/link'
}

export function OrderLinkFact({ order, call }: OrderLinkFactProps) {
  const { _id: id, orderNumber, paidAt } = order
  const [isOpen, setIsOpen] = useState(false)
  const [shown, setShown] = useState<OrderLink & { isNew: boolean }>()
  const { busy, failure, run } = useAttempt({ title: t('We couldn’t make the link.') })
  const load = (renew: boolean) =>
    void run(async () => {
      const link = await api(call, { params: { id }, body: { renew } })
      setShown({ ...link, isNew: renew })
    })
  const open = () => {
    setIsOpen(true)
    load(false)
  }
  if (paidAt === null) return null
  const title = t('Link to order {number}', { number: orderNumber })
  return (
    <Fact term={t('Order link')}>
      <Button
        look="link"
        label={t('Show the link')}
        aria-label={t('Show the link to order {number}', { number: orderNumber })}
        onClick={open}
      />
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={title} shape="box">
        <div className="grid justify-items-start gap-4 px-4 pb-4">
          <Failure failure={failure} busy={busy} />
          {shown && (
            <>
              <p>
                {t(
                  'Until {date}, anybody with this link can see the order without a login, but ' +
                    'no name, address or phone number.',
                  { date: formatDate(shown.expiresAt) }
                )}
              </p>
              <input
                readOnly
                aria-label={t('Link')}
                className="field"
                value={shown.link}
                onFocus={({ target }) => target.select()}
              />
              <div className="flex gap-3">
                {'share' in navigator && (
                  <Button look="primary" label={t('Share')} onClick={() => share(shown.link)} />
                )}
                <CopyButton text={shown.link} name={t('link')} />
              </div>
              <p role="status">
                {t(
                  shown.isNew
                    ? 'This is a new link. The old one no longer works.'
                    : 'Has the wrong person got it? With a new link, this one no longer works, ' +
                        'not even in emails that are already sent.'
                )}
              </p>
            </>
          )}
          <Button label={t('Make a new link')} busy={busy} onClick={() => load(true)} />
        </div>
      </Dialog>
    </Fact>
  )
}

// Fails if the shopper closes the list of apps.
const share = (url: string) => void navigator.share({ url }).catch(() => undefined)
