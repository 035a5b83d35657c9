import { useState } from 'react'
import { api } from '#lib/api.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Failure } from '../ui/Buttons.tsx'
import { AlertState, Loading } from '../ui/States.tsx'
import { useAttempt, useGuard, useHydrated, useLoad } from '../ui/hooks.ts'

export function StockAlertPage() {
  if (!useHydrated()) return <Loading rows={1} />
  const token = new URLSearchParams(location.hash.slice(1)).get('stop')
  const product = new URLSearchParams(location.search).get('product')
  if (token !== null) return <Stop token={token} />
  return product ? (
    <Ask id={product} />
  ) : (
    <AlertState text={MESSAGES.stockAlertLinkInvalid}>{PRODUCTS_LINK}</AlertState>
  )
}

/** Asks first: mail programs open links to check them. */
function Stop({ token }: { token: string }) {
  const [stopped, setStopped] = useState('')
  const { busy, failure, run } = useAttempt({ title: 'We couldn’t stop the emails' })
  const stop = () =>
    run(async () => {
      const request = { query: { token } }
      const reply = await api('POST /stock-alerts/stop', request, { isRepeatable: true })
      setStopped(reply.message)
    })

  return (
    <section className="card mx-auto grid max-w-lg gap-4 p-5 text-lg">
      {!stopped && (
        <>
          <p>Do you want no more emails about products that are back in stock?</p>
          <Failure failure={failure} busy={busy} />
          <Button
            look="primary"
            label="Stop these emails"
            busy={busy}
            className="w-full"
            onClick={() => void stop()}
          />
        </>
      )}
      <p role="status" className="font-semibold text-leaf empty:hidden">
        {stopped}
      </p>
      {stopped && PRODUCTS_LINK}
    </section>
  )
}

const PRODUCTS_LINK = <ButtonLink look="primary" label="See our products" href={paths.products} />

function Ask({ id }: { id: string }) {
  const session = useGuard()
  const [product] = useLoad(id, () => api('GET /products/{id}', { params: { id } }))
  if (product.state === 'failed')
    return <AlertState text={product.error.message}>{PRODUCTS_LINK}</AlertState>
  if (session.state !== 'authenticated' || product.state === 'loading') return <Loading rows={1} />
  return <AskForm product={product.value} email={session.user.email} />
}

function AskForm({ product, email }: { product: Product; email: string }) {
  const [asked, setAsked] = useState('')
  const { busy, failure, run } = useAttempt({ title: 'We couldn’t note that' })
  const ask = () =>
    run(async () => {
      const request = { params: { id: product.id } }
      const reply = await api('POST /products/{id}/stock-alert', request, { isRepeatable: true })
      setAsked(reply.message)
    })
  const isSoldOut = product.stock === 0

  return (
    <section className="card mx-auto grid max-w-lg gap-4 p-5 text-lg">
      <p>
        <strong>
          {product.name}, {formatPack(product.quantity)}
        </strong>{' '}
        {isSoldOut ? 'is out of stock at the moment.' : 'is in stock. You can order it now.'}
      </p>
      {isSoldOut && !asked && (
        <>
          <p>We’ll send one email to {email} when you can order it again.</p>
          <Failure failure={failure} busy={busy} />
          <Button
            look="primary"
            label={MESSAGES.stockAlertAsk}
            busy={busy}
            className="w-full"
            onClick={() => void ask()}
          />
        </>
      )}
      <p role="status" className="font-semibold text-leaf empty:hidden">
        {asked}
      </p>
      {(asked || !isSoldOut) && (
        <ButtonLink label={`Back to ${product.name}`} href={paths.product(product.id)} />
      )}
    </section>
  )
}
