import { formatTimeLeft, type DealView } from '#lib/deal-view.ts'
import { inCart as inCartCount, MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { CARD } from '#lib/product-card.ts'
import { formatPack } from '#lib/product.ts'
import { requestDiscount, type DrawState } from '#lib/stores/discounts.ts'
import { ProductPicture } from '../catalog/ProductPicture.tsx'
import { Kolam } from '../ui/EmptyState.tsx'
import { DealAction } from './DealAction.tsx'

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
    // A click anywhere on the card draws the discount. Keyboard users can use the button.
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
