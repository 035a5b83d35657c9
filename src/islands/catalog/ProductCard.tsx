import { memo } from 'react'
import { cardToCartProduct, isLowestPrice, type CardProduct } from '#lib/catalog-filter.ts'
import { DIETARY_LABELS, type Dietary } from '#lib/constants.ts'
import { inCart, lowStockText, maxDiscountText, MESSAGES, sizesText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { CARD, CARD_MAX_WIDTH, CARD_SIZES } from '#lib/product-card.ts'
import { formatPack, formatUnitPrice } from '#lib/product.ts'
import { addToCart } from '#lib/stores/cart.ts'
import { Icon } from '../ui/Button.tsx'
import { ProductPicture } from './ProductPicture.tsx'

interface ProductCardProps {
  product: CardProduct
  quantityInCart: number
  /** Discount of the running deal, in percent. */
  deal: number | undefined
  left: number | undefined
  eager: boolean
}

/** Same markup as components/catalog/ProductCard.astro. */
export const ProductCard = memo(function ProductCard(props: ProductCardProps) {
  const { product, quantityInCart, deal, left, eager } = props
  const { id, name, nameTamil, description, picture, image, stock, sizes, quantity } = product
  return (
    <article className={CARD.card}>
      <div className={CARD.frame}>
        <ProductPicture
          picture={picture}
          image={image}
          sizes={CARD_SIZES}
          maxWidth={CARD_MAX_WIDTH}
          eager={eager}
        />
        {stock === 'out' && <span className={CARD.soldOut}>{MESSAGES.outOfStock}</span>}
        {deal !== undefined && <span className={CARD.deal}>{maxDiscountText(deal)}</span>}
      </div>
      <div className={CARD.body}>
        <h3 className={CARD.heading}>
          <a className={CARD.link} href={paths.product(id)}>
            {name}
          </a>
        </h3>
        <p lang="ta" className={CARD.tamil}>
          {nameTamil}
        </p>
        <p className={CARD.description}>{description}</p>
        <Price product={product} left={left} />
        <button
          type="button"
          className={CARD.button}
          disabled={stock === 'out'}
          aria-label={`${MESSAGES.addToCart}: ${sizes ? `${name}, ${formatPack(quantity)}` : name}`}
          onClick={() => addToCart(cardToCartProduct(product))}
        >
          {MESSAGES.addToCart}
        </button>
        {quantityInCart > 0 && <span className={CARD.inCart}>{inCart(quantityInCart)}</span>}
      </div>
    </article>
  )
})

function Price({ product, left }: Pick<ProductCardProps, 'product' | 'left'>) {
  const { price, listPrice, quantity, dietary, stock, sizes } = product
  return (
    <p className={CARD.facts}>
      <DietMark dietary={dietary} />
      {isLowestPrice(product) && <span className={CARD.from}>from</span>}
      <span className={CARD.price}>{formatRupees(price)}</span>
      {listPrice !== undefined && (
        <span className="text-sm text-ink/70">
          <span className="sr-only">{MESSAGES.insteadOf}</span> <s>{formatRupees(listPrice)}</s>
        </span>
      )}
      <span className={CARD.pack}>
        {formatPack(quantity)}
        {sizes && ` · ${sizesText(sizes.length)}`}
      </span>
      <span className={CARD.note}>
        {stock === 'low' ? (
          <span className={CARD.low}>
            {left === undefined ? MESSAGES.fewLeft : lowStockText(left)}
          </span>
        ) : (
          <span className={CARD.unitPrice}>{formatUnitPrice(price, quantity)}</span>
        )}
      </span>
    </p>
  )
}

/** Same markup as components/catalog/DietMark.astro. */
function DietMark({ dietary }: { dietary: Dietary }) {
  const label = DIETARY_LABELS[dietary]
  return (
    <span className="inline-flex items-center gap-2 self-center">
      <span className={CARD.mark} title={label} aria-hidden="true">
        {dietary === 'vegan' ? (
          <Icon name="leaf" className="size-3 text-leaf" />
        ) : (
          <span className={CARD.dot} />
        )}
      </span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
