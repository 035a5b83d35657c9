import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { KOLAM } from '#lib/art/icons.ts'
import type { CartLine } from '#lib/cart/line.ts'
import { type ClosedDays, isClosedOn } from '#lib/delivery/calendar.ts'
import { formatOffer, formatTimeLeft, runningDeals, type DealView } from '#lib/deal-view.ts'
import { inCart, MESSAGES } from '#lib/messages.ts'
import { formatDiscountedPrice, formatPriceRange, formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { CARD } from '#lib/product-card.ts'
import { formatPack } from '#lib/product.ts'
import { $cart } from '#lib/stores/cart.ts'
import {
  $discounts,
  $flashDeals,
  $shopperId,
  addDealToCart,
  loadDeals,
  requestDiscount,
  restoreDiscounts,
  watchDeals,
  type DrawState
} from '#lib/stores/deals.ts'
import { $now } from '#lib/stores/shop-clock.ts'
import { toDayInIndia } from '#lib/time.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { useHydrated } from '../ui/hooks.ts'
import { EmptyState, RetryNotice, StillWaiting } from '../ui/States.tsx'
import { ProductPicture } from './ProductPicture.tsx'

const NO_LINES: readonly CartLine[] = []
const SIZES = '(min-width: 1024px) 320px, (min-width: 640px) 50vw, calc(100vw - 2rem)'
const CONTENT_CLASS = 'mb-3 mt-2 min-h-[4.75rem]'

interface FlashDealsProps {
  deals: readonly DealView[]
  closed: ClosedDays
}

export function FlashDeals({ deals: prebuilt, closed }: FlashDealsProps) {
  const { deals: loaded, failure } = useStore($flashDeals, { ssr: 'initial' })
  const discounts = useStore($discounts, { ssr: 'initial' })
  const now = useStore($now, { ssr: 'initial' })
  // Like the prebuilt HTML. `ssr: 'initial'` would start with the stored cart.
  const lines = useStore($cart, { ssr: () => NO_LINES })
  const storedId = useStore($shopperId)
  const hydrated = useHydrated()
  const shopperId = hydrated ? storedId : undefined
  const isClosed = hydrated && isClosedOn(closed, toDayInIndia(now ?? Date.now()))
  const known = loaded ?? prebuilt
  const deals = now === undefined ? known : runningDeals(known, now)

  useEffect(watchDeals, [])
  useEffect(() => {
    if (hydrated) void restoreDiscounts()
  }, [hydrated, shopperId])

  return (
    <section aria-labelledby="running-deals">
      <h2 id="running-deals" className="sr-only">
        Running Deals
      </h2>
      <RetryNotice title={MESSAGES.dealsFailed} text={failure} onRetry={() => void loadDeals()} />
      {loaded === undefined && failure === undefined && <StillWaiting />}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 lg:gap-6">
        {deals.map((deal, index) => (
          <li key={deal.id}>
            <FlashDealCard
              deal={deal}
              name={deal.product?.name || MESSAGES.dealProductNameMissing}
              drawState={discounts.get(deal.id)}
              msLeft={now === undefined ? undefined : Date.parse(deal.endTime) - now}
              isInCart={lines.some(({ dealId }) => dealId === deal.id)}
              loggedIn={shopperId !== undefined}
              isClosed={isClosed}
              eager={index === 0}
            />
          </li>
        ))}
      </ul>
      {deals.length === 0 && failure === undefined && (
        <EmptyState text={MESSAGES.dealsNone}>
          <ButtonLink look="primary" label="See our products" href={paths.products} />
        </EmptyState>
      )}
    </section>
  )
}

interface DealProps {
  deal: DealView
  name: string
  drawState: DrawState | undefined
  loggedIn: boolean
  isClosed: boolean
}

interface FlashDealCardProps extends DealProps {
  msLeft: number | undefined
  isInCart: boolean
  eager: boolean
}

function FlashDealCard({ msLeft, isInCart, eager, ...props }: FlashDealCardProps) {
  const { deal, name, isClosed } = props
  const { product } = deal
  return (
    // A click anywhere draws. Keyboard users have the button.
    <article
      className="card relative flex h-full flex-col overflow-hidden transition-shadow focus-within:shadow-lg hover:shadow-lg"
      onClick={({ target }) => {
        if (!isClosed && !(target as Element).closest('a, button')) void requestDiscount(deal)
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
          <img {...KOLAM} className="mx-auto h-full w-auto py-8" />
        )}
        {product?.stock === 'out' && <span className={CARD.soldOut}>{MESSAGES.outOfStock}</span>}
        {isInCart && <span className={CARD.inCart}>{inCart(1)}</span>}
        {msLeft !== undefined && (
          <span className="absolute rounded-full px-3 py-1 text-sm font-semibold bottom-2 left-2 bg-paper tabular-nums text-chilli">
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
        <DealAction {...props} />
      </div>
    </article>
  )
}

type DiscountState = Extract<DrawState, { record: unknown }>

function DealAction(props: DealProps) {
  const { drawState } = props
  const discountState = drawState && 'record' in drawState ? drawState : undefined
  return (
    <div className="flex flex-1 flex-col">
      <p role="status" className="sr-only">
        {drawState?.state === 'generating' && MESSAGES.dealGenerating}
      </p>
      {discountState ? <Discount {...props} drawState={discountState} /> : <Offer {...props} />}
    </div>
  )
}

function Offer({ deal, drawState, name, loggedIn, isClosed }: DealProps) {
  const generating = drawState?.state === 'generating'
  const hint = loggedIn ? MESSAGES.dealClickHint : MESSAGES.dealLoginHint
  const label = generating ? MESSAGES.dealGenerating : hint
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
      {isClosed ? (
        <p className="mt-auto min-h-target font-semibold">No discounts while we are closed</p>
      ) : (
        <button
          type="button"
          aria-label={`${label}: ${name}`}
          aria-disabled={generating}
          className="button-quiet mt-auto w-full px-2 after:absolute after:inset-0 aria-disabled:cursor-progress aria-disabled:opacity-70 [@media(scripting:none)]:hidden"
          onClick={() => void requestDiscount(deal)}
        >
          {label}
        </button>
      )}
    </>
  )
}

function Discount({ deal, drawState, name }: DealProps & { drawState: DiscountState }) {
  const { discount, used } = drawState.record
  const { product } = deal
  const animating = drawState.state === 'animating'
  const label = product?.stock === 'out' ? MESSAGES.outOfStock : MESSAGES.addToCart
  // Animates the size, because a fading number is unreadable.
  const beat = animating ? 'animate-[beat_500ms_ease-in-out_infinite]' : ''
  return (
    <>
      <div className={CONTENT_CLASS} aria-hidden={animating}>
        <dl className="grid grid-cols-2 gap-x-3">
          <div>
            <dt className="text-sm text-ink/70">Your Discount</dt>
            <dd className={`${FIGURE} ${beat}`}>{`${animating ? drawState.shown : discount}%`}</dd>
          </div>
          <div>
            <dt className="text-sm text-ink/70">Your Price</dt>
            <dd className={FIGURE}>
              {animating || !product ? '…' : formatDiscountedPrice(product.price, discount)}
            </dd>
          </div>
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

const FIGURE = 'w-fit origin-left text-xl font-semibold tabular-nums text-chilli'
