import { type ReactNode, useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import type { Order, OrderLink } from '#lib/contract/orders.ts'
import { t } from '#lib/contract/texts.ts'
import { aboutOrderText, toStatusText } from '#lib/order.ts'
import { paths, toLoginPath } from '#lib/paths.ts'
import { formatDate } from '#lib/time.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { CopyButton, Failure } from '../ui/Buttons.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Fact, Lines } from '../ui/Facts.tsx'
import { useAttempt, useLoad } from '../ui/hooks.ts'
import { AlertState, LoadFailed, Loading } from '../ui/States.tsx'
import {
  ContactLine,
  OrderDetails,
  type ShopContact,
  StatusBadge,
  Timeline
} from './OrderParts.tsx'

const TOKEN = /^#([\w-]{43})$/

export function OrderLinkPage({ shop }: { shop: ShopContact }) {
  const hash = useHash()
  const [, token] = TOKEN.exec(hash ?? '') ?? []
  return (
    <div className="mx-auto max-w-3xl pb-12">
      {token !== undefined ? (
        <LinkedOrder token={token} shop={shop} />
      ) : (
        <>
          <Heading />
          {hash === undefined ? (
            <Loading />
          ) : (
            <AlertState
              text={t('This link is not complete. Please open it in our email or message again.')}
            >
              <LoginLink />
            </AlertState>
          )}
          <ContactLine shop={shop} />
        </>
      )}
    </div>
  )
}

/** Undefined until the page is hydrated. */
function useHash(): string | undefined {
  const [hash, setHash] = useState<string>()
  useEffect(() => {
    setHash(location.hash)
    const follow = ({ oldURL }: HashChangeEvent) => {
      // The target of “Skip to content”. To be loaded again, the page needs the token.
      if (location.hash === '#main') history.replaceState(history.state, '', oldURL)
      else setHash(location.hash)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return hash
}

const Heading = ({ children = t('Your order') }: { children?: ReactNode }) => (
  <h1 className="py-6 text-2xl [overflow-wrap:anywhere] sm:text-3xl">{children}</h1>
)

const LoginLink = () => (
  <ButtonLink look="primary" label={t('Log in')} href={toLoginPath(paths.orders)} />
)

function LinkedOrder({ token, shop }: { token: string; shop: ShopContact }) {
  const [result, reload] = useLoad(token, () =>
    api('POST /orders/by-link', { body: { token } }, { isRepeatable: true })
  )
  const order = result.state === 'ready' ? result.value : undefined
  const name = order && t('Order {number}', { number: order.orderNumber })
  useEffect(() => {
    const { title } = document
    if (name !== undefined) document.title = title.replace(/^[^|]+/, `${name} `)
    return () => void (document.title = title)
  }, [name])
  return (
    <>
      <Heading>{name}</Heading>
      {result.state === 'loading' && <Loading />}
      {result.state === 'failed' &&
        (result.error.code === 'ORDER_LINK_INVALID' ? (
          <AlertState text={result.error.message}>
            <LoginLink />
          </AlertState>
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
              {order.deliveryMethod === 'pickup' ? (
                <Fact term={t('Pickup at')}>
                  <Lines lines={shop.pickupPlace} />
                </Fact>
              ) : (
                order.city !== undefined && <Fact term={t('Deliver to')}>{order.city}</Fact>
              )}
            </OrderDetails>
          </article>
          <div className="my-6 grid justify-items-start gap-3">
            <p>{t('For the invoice, or to change or cancel the order, please log in.')}</p>
            <LoginLink />
          </div>
        </>
      )}
      <ContactLine message={order && aboutOrderText(order.orderNumber)} shop={shop} />
    </>
  )
}

interface OrderLinkFactProps {
  order: Pick<Order, '_id' | 'orderNumber' | 'paidAt'>
  call: 'POST /orders/{id}/link' | 'POST /admin/orders/{id}/link'
}

/** Asks for the link only when pressed. */
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
  if (paidAt === null) return null
  const open = () => {
    setIsOpen(true)
    load(false)
  }
  const title = t('Link to order {number}', { number: orderNumber })
  return (
    <Fact term={t('Order link')}>
      <Button look="link" label={t('Show the link')} aria-label={title} onClick={open} />
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={title} shape="box">
        <div className="grid gap-4 px-4 pb-4">
          <Failure failure={failure} busy={busy} />
          {shown && (
            <>
              <p>
                {t(
                  'Whoever has this link can see the order until {date} without a login: what, ' +
                    'when and how far it is, but no name, address, phone number or invoice.',
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
              <div className="flex flex-wrap gap-3">
                <ShareLink url={shown.link} />
                <CopyButton text={shown.link} name={t('link')} />
              </div>
              <p role="status">
                {t(
                  shown.isNew
                    ? 'This is a new link. The old one no longer works.'
                    : 'Has it reached somebody it shouldn’t? A new link ends this one, also in the ' +
                        'emails and messages that you already have.'
                )}
              </p>
            </>
          )}
          <Button
            label={t('Make a new link')}
            busy={busy}
            className="justify-self-start"
            onClick={() => load(true)}
          />
        </div>
      </Dialog>
    </Fact>
  )
}

function ShareLink({ url }: { url: string }) {
  if (!('share' in navigator)) return null
  // Fails if the shopper closes the list of apps.
  const share = () => void navigator.share({ url }).catch(() => undefined)
  return <Button look="primary" label={t('Share')} onClick={share} />
}
