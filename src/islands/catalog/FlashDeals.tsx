import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { KOLAM } from '#lib/art/icons.ts'
import type { CartLine } from '#lib/cart/line.ts'
import { t } from '#lib/contract/texts.ts'
import { type ClosedDays, isClosedOn } from '#lib/delivery/calendar.ts'
import { formatTimeLeft, runningDeals, type DealView } from '#lib/catalog/deal-view.ts'
import { dealOfferText, inCart, MESSAGES } from '#lib/messages.ts'
import { formatDiscountedPrice, formatPriceRange, formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatPack, CARD } from '#lib/product.ts'
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
import { Picture } from '../ui/Picture.tsx'

const NO_LINES: readonly CartLine[] = []
const SIZES = '(min-width: 640px) 300px, 50vw'

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
        {t('Running Deals')}
      </h2>
      <RetryNotice
        title={t('Failed to load flash deals. Please try again later.')}
        text={failure}
        onRetry={() => void loadDeals()}
      />
      {loaded === undefined && failure === undefined && <StillWaiting />}
      <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4 lg:gap-6">
        {deals.map((deal, index) => (
          <li key={deal.id} className="only:col-[1/-1] sm:only:col-auto">
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
          <ButtonLink look="primary" label={t('See our products')} href={paths.products} />
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
  const { deal, name, drawState, isClosed } = props
  const { product } = deal
  const drawn = drawState && 'record' in drawState ? drawState : undefined
  return (
    // A click anywhere draws. Keyboard users have the button.
    <article
      className="card relative flex h-full flex-col overflow-hidden transition-shadow focus-within:shadow-lg hover:shadow-lg"
      onClick={({ target }) => {
        if (!isClosed && !(target as Element).closest('a, button')) void requestDiscount(deal)
      }}
    >
      <div className="relative aspect-[4/5] overflow-hidden bg-peacock-deep sm:aspect-square">
        {product ? (
          <Picture
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
        {!isInCart && msLeft !== undefined && (
          <span className="badge-light absolute left-2 top-2 mr-2">
            {t('{time} left', { time: formatTimeLeft(msLeft) })}
          </span>
        )}
        <Figures {...deal} drawn={drawn} />
      </div>
      <div className="flex flex-1 flex-col p-3 sm:p-4">
        <h3 className="text-lg leading-snug">
          {product ? (
            <a
              href={paths.product(product._id)}
              className="relative z-10 -mb-1 -mt-2 inline-flex min-h-target items-center hover:text-chilli"
            >
              {name}
            </a>
          ) : (
            name
          )}
        </h3>
        {product && (
          <p className="mt-1 text-ink/70">
            <span className="sr-only">{t('Original price')}</span>{' '}
            <s>{formatRupees(product.price)}</s>
            {product.packSize && ` · ${formatPack(product.packSize)}`}
          </p>
        )}
        <p role="status" className="sr-only">
          {drawState?.state === 'generating' && MESSAGES.dealGenerating}
        </p>
        {drawn ? <CartButton {...props} drawn={drawn} /> : <DrawButton {...props} />}
      </div>
    </article>
  )
}

type Drawn = Extract<DrawState, { record: unknown }>

/** Over the foot of the picture, so that a drawn discount moves nothing. */
function Figures({ product, percent, drawn }: DealView & { drawn: Drawn | undefined }) {
  const animating = drawn?.state === 'animating'
  return (
    <div className={`${FOOT} ${drawn ? 'bg-peacock pt-4' : 'festive-veil pt-8'}`}>
      {drawn && (
        <img {...KOLAM} className="absolute -bottom-10 -right-10 size-36 max-w-none opacity-50" />
      )}
      {drawn ? (
        <dl className="relative sm:flex sm:gap-x-6" aria-hidden={animating}>
          <div className={PAIR}>
            <dt className="text-sm">{t('Your Discount')}</dt>
            <dd className={`${FIGURE} text-2xl text-turmeric sm:text-3xl ${animating ? BEAT : ''}`}>
              {`${animating ? drawn.shown : drawn.record.discount}%`}
            </dd>
          </div>
          <div className={PAIR}>
            <dt className="text-sm">{t('Your Price')}</dt>
            <dd className={`${FIGURE} text-lg sm:text-xl`}>
              {animating || !product
                ? '…'
                : formatDiscountedPrice(product.price, drawn.record.discount)}
            </dd>
          </div>
        </dl>
      ) : (
        percent > 0 && (
          <>
            <p className="text-sm">{dealOfferText(percent)}</p>
            {product && <p className="font-semibold">{formatPriceRange(product.price, percent)}</p>}
          </>
        )
      )}
    </div>
  )
}

const FOOT = 'absolute inset-x-0 bottom-0 overflow-hidden px-3 pb-3 text-cream'
const PAIR = 'flex flex-wrap items-baseline justify-between gap-x-1 sm:block'
const FIGURE = 'w-fit origin-left font-serif font-semibold'
// Animates the size, because a fading number is unreadable.
const BEAT = 'animate-[beat_500ms_ease-in-out_infinite]'
/** Two lines on phones. */
const NOTE_CLASS = 'mb-3 mt-1 min-h-10 text-sm text-ink/70 sm:min-h-5'

function DrawButton({ deal, drawState, name, loggedIn, isClosed }: DealProps) {
  const generating = drawState?.state === 'generating'
  const hint = t(loggedIn ? 'Click to get your discount' : 'Login to get discount')
  const label = generating ? MESSAGES.dealGenerating : hint
  return (
    <>
      <div className={NOTE_CLASS}>
        {drawState?.state === 'failed'
          ? MESSAGES.dealDrawFailed
          : t('Until {time}', { time: deal.until })}
        {generating && (
          <div className="relative z-10">
            <StillWaiting />
          </div>
        )}
      </div>
      {isClosed ? (
        <p className="mt-auto min-h-target font-semibold">
          {t('No discounts while we are closed')}
        </p>
      ) : (
        <button
          type="button"
          aria-label={`${label}: ${name}`}
          aria-disabled={generating}
          className="button-primary mt-auto w-full px-2 leading-5 after:absolute after:inset-0 aria-disabled:cursor-progress aria-disabled:opacity-70 [@media(scripting:none)]:hidden"
          onClick={() => void requestDiscount(deal)}
        >
          {label}
        </button>
      )}
    </>
  )
}

function CartButton({ deal, drawn, name }: DealProps & { drawn: Drawn }) {
  const { product } = deal
  const { used } = drawn.record
  const animating = drawn.state === 'animating'
  const label = product?.stock === 'out' ? MESSAGES.outOfStock : MESSAGES.addToCart
  return (
    <>
      <p className={NOTE_CLASS} aria-hidden={animating}>
        {used ? MESSAGES.dealUsed : t('For one pack, until {time}', { time: deal.until })}
      </p>
      {used ? (
        <ButtonLink label={t('My Orders')} href={paths.orders} className="mt-auto w-full" />
      ) : (
        <button
          type="button"
          aria-label={`${label}: ${name}`}
          // A disabled button loses the focus.
          aria-disabled={animating}
          disabled={!product || product.stock === 'out'}
          className="button-primary mt-auto w-full px-2 aria-disabled:cursor-progress aria-disabled:bg-ink/10 aria-disabled:text-ink/70"
          onClick={() => animating || addDealToCart(deal)}
        >
          {label}
        </button>
      )}
    </>
  )
}
