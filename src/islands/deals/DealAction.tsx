import { useEffect, useRef } from 'react'
import {
  formatDiscountedPrice,
  formatOffer,
  formatPriceRange,
  type DealView
} from '#lib/deal-view.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { addDealToCart, requestDiscount, type DrawState } from '#lib/stores/discounts.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { StillWaiting } from '../ui/Loading.tsx'

interface DealActionProps {
  deal: DealView
  drawState: DrawState | undefined
  name: string
  loggedIn: boolean
}

type DiscountState = Extract<DrawState, { record: unknown }>

const CONTENT_CLASS = 'mb-3 mt-2 min-h-[4.75rem]'

export function DealAction(props: DealActionProps) {
  const { drawState } = props
  const discountState = drawState && 'record' in drawState ? drawState : undefined
  const container = useRef<HTMLDivElement>(null)
  const requested = useRef(false)

  // The pressed button has disappeared, so move the focus to the next control.
  useEffect(() => {
    if (!discountState || !requested.current || document.activeElement !== document.body) return
    container.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [discountState !== undefined])

  const request = () => {
    requested.current = true
    void requestDiscount(props.deal)
  }
  return (
    <div ref={container} className="flex flex-1 flex-col">
      <p role="status" className="sr-only">
        {drawState?.state === 'generating' && MESSAGES.dealGenerating}
      </p>
      {discountState ? (
        <Discount {...props} drawState={discountState} />
      ) : (
        <Offer {...props} onRequest={request} />
      )}
    </div>
  )
}

function Offer({
  deal,
  drawState,
  name,
  loggedIn,
  onRequest
}: DealActionProps & { onRequest: () => void }) {
  const generating = drawState?.state === 'generating'
  const label = generating
    ? MESSAGES.dealGenerating
    : loggedIn
      ? MESSAGES.dealClickHint
      : MESSAGES.dealLoginHint
  return (
    <>
      <div className={CONTENT_CLASS}>
        {deal.product && (
          <p className="text-lg font-semibold text-chilli">
            {formatPriceRange(deal.product.price, deal.percent)}
          </p>
        )}
        <p>{formatOffer(deal)}</p>
        {generating && (
          <div className="relative z-10">
            <StillWaiting />
          </div>
        )}
        {drawState?.state === 'failed' && <p className="text-sm">{MESSAGES.dealDrawFailed}</p>}
      </div>
      <button
        type="button"
        aria-label={`${label}: ${name}`}
        aria-disabled={generating}
        className="button-quiet mt-auto w-full px-2 after:absolute after:inset-0 aria-disabled:cursor-progress aria-disabled:opacity-70 [@media(scripting:none)]:hidden"
        onClick={onRequest}
      >
        {label}
      </button>
    </>
  )
}

function Discount({ deal, drawState, name }: DealActionProps & { drawState: DiscountState }) {
  const { discount, used } = drawState.record
  const { product } = deal
  const animating = drawState.state === 'animating'
  const label = product?.stock === 'out' ? MESSAGES.outOfStock : MESSAGES.addToCart
  return (
    <>
      <div className={CONTENT_CLASS} aria-hidden={animating}>
        <dl className="grid grid-cols-2 gap-x-3">
          <Figure
            term={MESSAGES.dealYourDiscount}
            value={`${animating ? drawState.shown : discount}%`}
            pulsing={animating}
          />
          <Figure
            term={MESSAGES.dealYourPrice}
            value={animating || !product ? '…' : formatDiscountedPrice(product.price, discount)}
          />
        </dl>
        <p className="mt-1 text-sm text-ink/70">
          {used ? MESSAGES.dealUsed : `${MESSAGES.dealOnePack} ${deal.until}`}
        </p>
      </div>
      {used ? (
        <ButtonLink label="My Orders" href={paths.orders} className="mt-auto w-full" />
      ) : (
        <button
          type="button"
          aria-label={`${label}: ${name}`}
          // During the animation only `aria-disabled` is set, because a disabled button loses the
          // focus.
          aria-disabled={animating}
          disabled={!product || product.stock === 'out'}
          className="button-primary mt-auto w-full aria-disabled:cursor-progress aria-disabled:bg-ink/10 aria-disabled:text-ink/70"
          onClick={() => animating || addDealToCart(deal)}
        >
          {label}
        </button>
      )}
    </>
  )
}

// The animation changes the size instead of the opacity, so that the number stays readable.
function Figure({
  term,
  value,
  pulsing = false
}: {
  term: string
  value: string
  pulsing?: boolean
}) {
  return (
    <div>
      <dt className="text-sm text-ink/70">{term}</dt>
      <dd
        className={`w-fit origin-left text-xl font-semibold tabular-nums text-chilli ${pulsing ? 'animate-[beat_500ms_ease-in-out_infinite]' : ''}`}
      >
        {value}
      </dd>
    </div>
  )
}
