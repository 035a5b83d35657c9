import { type ReactNode, useState } from 'react'
import { api } from '#lib/api.ts'
import type { Done } from '#lib/contract/accounts.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { rich, t } from '#lib/contract/texts.ts'
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
    <AlertState text={MESSAGES.stockAlertLinkInvalid}>
      <ProductsLink />
    </AlertState>
  )
}

/** Asks first: mail programs open links to check them. */
function Stop({ token }: { token: string }) {
  return (
    <section className={CARD}>
      <OneTap
        question={t('Do you want no more emails about products that are back in stock?')}
        label={t('Stop these emails')}
        problem={t('We couldn’t stop the emails')}
        send={() => api('POST /stock-alerts/stop', { query: { token } }, { isRepeatable: true })}
      >
        <ProductsLink />
      </OneTap>
    </section>
  )
}

const CARD = 'card mx-auto grid max-w-lg gap-4 p-5 text-lg'
const ProductsLink = () => (
  <ButtonLink look="primary" label={t('See our products')} href={paths.products} />
)

function Ask({ id }: { id: string }) {
  const session = useGuard()
  const [product] = useLoad(id, () => api('GET /products/{id}', { params: { id } }))
  if (product.state === 'failed')
    return (
      <AlertState text={product.error.message}>
        <ProductsLink />
      </AlertState>
    )
  if (session.state !== 'authenticated' || product.state === 'loading') return <Loading rows={1} />
  return <AskForm product={product.value} email={session.user.email} />
}

function AskForm({ product, email }: { product: Product; email: string }) {
  const { id, name, stock, quantity } = product
  const productName = (
    <strong key="name">
      {name}, {formatPack(quantity)}
    </strong>
  )
  const link = <ButtonLink label={t('Back to {name}', { name })} href={paths.product(id)} />
  return (
    <section className={CARD}>
      <p>
        {stock === 0
          ? rich('{name} is out of stock at the moment.', { name: productName })
          : rich('{name} is in stock. You can order it now.', { name: productName })}
      </p>
      {stock === 0 ? (
        <OneTap
          question={t('We’ll send one email to {email} when you can order it again.', { email })}
          label={MESSAGES.stockAlertAsk}
          problem={t('We couldn’t note that')}
          send={() =>
            api('POST /products/{id}/stock-alert', { params: { id } }, { isRepeatable: true })
          }
        >
          {link}
        </OneTap>
      ) : (
        link
      )}
    </section>
  )
}

interface OneTapProps {
  question: string
  label: string
  problem: string
  send: () => Promise<Done>
  /** Replaces the question after the tap. */
  children: ReactNode
}

function OneTap({ question, label, problem, send, children }: OneTapProps) {
  const [answer, setAnswer] = useState('')
  const { busy, failure, run } = useAttempt({ title: problem })
  return (
    <>
      {!answer && (
        <>
          <p>{question}</p>
          <Failure failure={failure} busy={busy} />
          <Button
            look="primary"
            label={label}
            busy={busy}
            className="w-full"
            onClick={() => void run(async () => setAnswer((await send()).message))}
          />
        </>
      )}
      <p role="status" className="font-semibold text-leaf empty:hidden">
        {answer}
      </p>
      {answer && children}
    </>
  )
}
