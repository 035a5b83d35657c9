import { useEffect, useRef } from 'react'
import {
  type DealView,
  formatDiscountedPrice,
  formatOffer,
  formatPriceRange,
  formatTimeLeft
} from '#lib/deal-view.ts'
import { inCart as inCartCount, MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { CARD } from '#lib/product-card.ts'
import { formatPack } from '#lib/product.ts'
import { addDealToCart, type DrawState, requestDiscount } from '#lib/stores/deals.ts'
import { ProductPicture } from '../catalog/ProductPicture.tsx'
import { Kolam, StillWaiting } from '../ui/States.tsx'
import { ButtonLink } from '../ui/Button.tsx'

interface FlashDealCardProps {
  deal: DealView
  drawState: DrawState | undefined
  msLeft: number | undefined
  inCart: boolean
  loggedIn: boolean
  eager: boolean
}

const SIZES = '(min-width: 1024px) 320px, (min-width: 640px) 50vw, calc(100vw - 2rem)'
const CHIP = 'absolute rounded-full px-3 py-1 text-sm font-semibold'

export function FlashDealCard({
  deal,
  drawState,
  msLeft,
  inCart,
  loggedIn,
  eager
}: FlashDealCardProps) {
  const { product } = deal
  const name = product?.name || MESSAGES.dealProductNameMissing
  return (
    // A click anywhere draws. Keyboard users have the button.
    <article
      className="card relative flex h-full flex-col overflow-hidden transition-shadow focus-within:shadow-lg hover:shadow-lg"
      onClick={({ target }) => {
        if (!(target as Element).closest('a, button')) void requestDiscount(deal)
      }}
    >
      <div className="relative aspect-video overflow-hidden sm:aspect-[4/3] bg-cream-deep">
        {product ? (
          <ProductPicture
            picture={product.picture}
            image={product.image}
            sizes={SIZES}
            maxWidth={720}
            eager={eager}
          />
        ) : (
          <Kolam className="mx-auto h-full w-auto py-8" />
        )}
        {product?.stock === 'out' && <span className={CARD.soldOut}>{MESSAGES.outOfStock}</span>}
        {inCart && <span className={CARD.inCart}>{inCartCount(1)}</span>}
        {msLeft !== undefined && (
          <span className={`${CHIP} bottom-2 left-2 bg-paper tabular-nums text-chilli`}>
            {formatTimeLeft(msLeft)} left
          </span>
        )}
      </div>
      <div className="flex flex-1 flex-col p-4">
        <h3 className="text-lg">
          {product ? (
            <a
              href={paths.product(product._id)}
              className="relative z-10 -my-2 inline-flex min-h-target items-center hover:text-chilli"
            >
              {name}
            </a>
          ) : (
            name
          )}
        </h3>
        {product && (
          <p className="mt-1 text-ink/70">
            <span className="sr-only">Original price</span> <s>{formatRupees(product.price)}</s>
            {product.packSize && ` · ${formatPack(product.packSize)}`}
          </p>
        )}
        <DealAction deal={deal} drawState={drawState} name={name} loggedIn={loggedIn} />
      </div>
    </article>
  )
}

interface DealActionProps {
  deal: DealView
  drawState: DrawState | undefined
  name: string
  loggedIn: boolean
}

type DiscountState = Extract<DrawState, { record: unknown }>

const CONTENT_CLASS = 'mb-3 mt-2 min-h-[4.75rem]'

function DealAction(props: DealActionProps) {
  const { drawState } = props
  const discountState = drawState && 'record' in drawState ? drawState : undefined
  const container = useRef<HTMLDivElement>(null)
  const requested = useRef(false)

  // The pressed button has disappeared.
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
            term="Your Discount"
            value={`${animating ? drawState.shown : discount}%`}
            pulsing={animating}
          />
          <Figure
            term="Your Price"
            value={animating || !product ? '…' : formatDiscountedPrice(product.price, discount)}
          />
        </dl>
        <p className="mt-1 text-sm text-ink/70">
          {used ? MESSAGES.dealUsed : `Valid for one pack until ${deal.until}`}
        </p>
      </div>
      {used ? (
        <ButtonLink label="My Orders" href={paths.orders} className="mt-auto w-full" />
      ) : (
        <button
          type="button"
          aria-label={`${label}: ${name}`}
          // A disabled button loses the focus.
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

// Animates the size, because a fading number is unreadable.
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
