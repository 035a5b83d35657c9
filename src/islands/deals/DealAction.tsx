import { useEffect, useRef } from 'react'
import { offerOf, personalPrice, type DealView } from '#lib/deal-view.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { addDealToCart, requestDiscount, type Personal } from '#lib/stores/discounts.ts'

interface DealActionProps {
  deal: DealView
  own: Personal | undefined
  name: string
  loggedIn: boolean
}

type Drawn = Extract<Personal, { record: unknown }>

/** Both faces are as tall, so that a card stays as it is when its discount arrives. */
const FACE = 'mb-3 mt-2 min-h-[4.75rem]'

/** What a shopper may do: ask for the discount, and then put the pack in the cart. */
export function DealAction(props: DealActionProps) {
  const { own } = props
  const drawn = own && 'record' in own ? own : undefined
  const whole = useRef<HTMLDivElement>(null)
  const asked = useRef(false)

  // The button that was pressed has gone; what comes next takes its focus, unless that has moved on.
  useEffect(() => {
    if (!drawn || !asked.current || document.activeElement !== document.body) return
    whole.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [drawn !== undefined])

  const ask = () => {
    asked.current = true
    void requestDiscount(props.deal)
  }
  return (
    <div ref={whole} className="flex flex-1 flex-col">
      <p role="status" className="sr-only">
        {own?.state === 'generating' && MESSAGES.dealGenerating}
      </p>
      {drawn ? <Discount {...props} own={drawn} /> : <Offer {...props} onAsk={ask} />}
    </div>
  )
}

function Offer({ deal, own, name, loggedIn, onAsk }: DealActionProps & { onAsk: () => void }) {
  const generating = own?.state === 'generating'
  const label = generating ? MESSAGES.dealGenerating : loggedIn ? MESSAGES.dealClickHint : MESSAGES.dealLoginHint
  return (
    <>
      <div className={FACE}>
        <p className="font-semibold text-chilli first-letter:uppercase">{offerOf(deal)}</p>
        {own?.state === 'failed' && <p className="text-sm">{MESSAGES.dealDrawFailed}</p>}
      </div>
      <button
        type="button"
        aria-label={`${label}: ${name}`}
        aria-disabled={generating}
        className="button-quiet mt-auto w-full px-2 after:absolute after:inset-0 aria-disabled:cursor-progress aria-disabled:opacity-70 [@media(scripting:none)]:hidden"
        onClick={onAsk}
      >
        {label}
      </button>
    </>
  )
}

function Discount({ deal, own, name }: DealActionProps & { own: Drawn }) {
  const { discount, used } = own.record
  const { product } = deal
  const animating = own.state === 'animating'
  return (
    <>
      <div className={FACE} aria-hidden={animating}>
        <dl className="grid grid-cols-2 gap-x-3">
          <Figure term={MESSAGES.dealYourDiscount} value={`${animating ? own.shown : discount}%`} beating={animating} />
          <Figure
            term={MESSAGES.dealYourPrice}
            value={animating || !product ? '…' : personalPrice(product.price, discount)}
          />
        </dl>
        <p className="mt-1 text-sm text-ink/70">{used ? MESSAGES.dealUsed : `${MESSAGES.dealOnePack} ${deal.until}`}</p>
      </div>
      {used ? (
        <a href={paths.orders} className="button-quiet mt-auto w-full">
          My Orders
        </a>
      ) : (
        <button
          type="button"
          aria-label={`${MESSAGES.addToCart}: ${name}`}
          // Not disabled while it waits: it would lose the focus.
          aria-disabled={animating}
          disabled={!product || product.stock === 'out'}
          className="button-primary mt-auto w-full aria-disabled:cursor-progress aria-disabled:bg-ink/10 aria-disabled:text-ink/70"
          onClick={() => animating || addDealToCart(deal)}
        >
          {product?.stock === 'out' ? MESSAGES.outOfStock : MESSAGES.addToCart}
        </button>
      )}
    </>
  )
}

// It beats rather than fades, so that it can be read all the while.
function Figure({ term, value, beating = false }: { term: string; value: string; beating?: boolean }) {
  return (
    <div>
      <dt className="text-sm text-ink/70">{term}</dt>
      <dd
        className={`w-fit origin-left text-xl font-semibold tabular-nums text-chilli ${beating ? 'animate-[beat_500ms_ease-in-out_infinite]' : ''}`}
      >
        {value}
      </dd>
    </div>
  )
}
