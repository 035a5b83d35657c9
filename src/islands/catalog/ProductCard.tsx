import { createElement, memo } from 'react'
import type { CartProduct } from '#lib/cart/line.ts'
import { type CardProduct, cardToCartProduct, isLowestPrice } from '#lib/catalog-filter.ts'
import { inCart, lowStockText, maxDiscountText, MESSAGES, sizesText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { CARD, CARD_MAX_WIDTH, CARD_SIZES, toCardText } from '#lib/product-card.ts'
import { formatPack, formatUnitPrice } from '#lib/product.ts'
import { DietMark } from './DietMark.tsx'
import { ProductPicture } from './ProductPicture.tsx'

interface ProductCardProps {
  product: CardProduct
  /** In percent. */
  deal: number | undefined
  left?: number | undefined
  quantityInCart?: number
  eager?: boolean
  /** Without it, the card is static, for elements/live-catalog.ts and add-to-cart.ts. */
  onAdd?: (product: CartProduct) => void
}

export const ProductCard = memo(function ProductCard(props: ProductCardProps) {
  const { product, deal, left, quantityInCart = 0, eager = false, onAdd } = props
  const { id, name, nameTamil, description, picture, image, dietary, stock } = product
  const { price, listPrice, sizes, quantity } = product
  const pack = formatPack(quantity)
  const isStatic = onAdd === undefined
  const add = (
    <>
      <button
        type="button"
        data-add={isStatic || undefined}
        className="button relative z-10 mt-2 w-full bg-cream-deep px-2 text-chilli hover:bg-chilli hover:text-paper disabled:cursor-not-allowed disabled:bg-ink/10 disabled:text-ink/70 [@media(scripting:none)]:hidden"
        disabled={stock === 'out'}
        aria-label={`${MESSAGES.addToCart}: ${sizes ? `${name}, ${pack}` : name}`}
        onClick={onAdd && (() => onAdd(cardToCartProduct(product)))}
      >
        {MESSAGES.addToCart}
      </button>
      {(isStatic || quantityInCart > 0) && (
        <span className={CARD.inCart} data-in-cart={isStatic || undefined} hidden={isStatic}>
          {inCart(quantityInCart)}
        </span>
      )}
    </>
  )
  const part = (name: string, className: string, text: string, shown: boolean) =>
    (isStatic || shown) && (
      <span className={className} data-live={isStatic ? name : undefined} hidden={!shown}>
        {text}
      </span>
    )
  return (
    <article
      className="card group relative flex h-full flex-col overflow-hidden transition-shadow focus-within:shadow-lg hover:shadow-lg"
      data-live-id={isStatic ? id : undefined}
    >
      <div className="relative aspect-[4/5] w-full overflow-hidden bg-cream-deep">
        <ProductPicture
          picture={picture}
          image={image}
          sizes={CARD_SIZES}
          maxWidth={CARD_MAX_WIDTH}
          eager={eager}
        />
        {part('out', CARD.soldOut, MESSAGES.outOfStock, stock === 'out')}
        <span className="absolute right-2 top-2 grid place-items-center rounded bg-paper/90 p-0.5">
          <DietMark dietary={dietary} />
        </span>
        {part('deal', CARD.deal, maxDiscountText(deal ?? 0), deal !== undefined)}
      </div>
      <div className="flex flex-1 flex-col p-2.5 sm:p-4">
        <h3 className="text-base leading-snug sm:text-lg sm:leading-snug">
          <a className="after:absolute after:inset-0 hover:text-chilli" href={paths.product(id)}>
            {name}
          </a>
        </h3>
        {nameTamil !== '' && (
          <p lang="ta" className="truncate text-[0.85em] leading-normal text-ink/70">
            {nameTamil}
          </p>
        )}
        {description !== '' && (
          <p className="mt-0.5 max-h-[2lh] overflow-hidden text-sm text-ink/70">
            {toCardText(description)}
          </p>
        )}
        <p className="mt-auto flex flex-wrap items-baseline gap-x-1 pt-1.5 sm:gap-x-1.5">
          <span className="text-sm">{`${pack} · `}</span>
          {isLowestPrice(product) && <span className="text-sm">from </span>}
          {part('price', 'font-semibold sm:text-lg', formatRupees(price), true)}
          <ListPrice listPrice={listPrice} />
        </p>
        <p className="flex h-[1lh] flex-wrap gap-x-2 overflow-hidden text-sm text-ink/70">
          {part(
            'low',
            'font-semibold text-chilli',
            left === undefined ? MESSAGES.fewLeft : lowStockText(left),
            stock === 'low'
          )}
          {part('unit-price', '', formatUnitPrice(price, quantity) ?? '', true)}
          {sizes && <span>{sizesText(sizes.length)}</span>}
        </p>
        {isStatic
          ? createElement(
              'add-to-cart',
              {
                'data-product': JSON.stringify(cardToCartProduct(product)),
                'data-sizes': sizes?.join(' ')
              },
              add
            )
          : add}
      </div>
    </article>
  )
})

export function ListPrice({ listPrice }: Pick<CardProduct, 'listPrice'>) {
  if (listPrice === undefined) return null
  return (
    <span className="text-sm text-ink/70" data-live="sale">
      <span className="sr-only">{MESSAGES.insteadOf} </span>
      <s data-live="list-price">{formatRupees(listPrice)}</s>
    </span>
  )
}
