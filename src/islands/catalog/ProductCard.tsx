import { createElement, memo } from 'react'
import type { CartProduct } from '#lib/cart/line.ts'
import type { Dietary } from '#lib/constants.ts'
import { type CardProduct, cardToCartProduct, isLowestPrice } from '#lib/catalog/cards.ts'
import { langOf, t } from '#lib/contract/texts.ts'
import {
  DIETARY_LABELS,
  inCart,
  lowStockText,
  maxDiscountText,
  MESSAGES,
  sizesText
} from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import {
  formatPack,
  formatUnitPrice,
  CARD,
  CARD_MAX_WIDTH,
  CARD_SIZES,
  shorten,
  toCardText
} from '#lib/product.ts'
import { Icon } from '../ui/Button.tsx'
import { Picture } from '../ui/Picture.tsx'

interface ProductCardProps {
  product: CardProduct
  /** In percent. */
  deal: number | undefined
  left?: number | undefined
  quantityInCart?: number
  eager?: boolean
  /** `small` has its picture at the left, and neither Tamil name nor description. */
  look?: keyof typeof LOOKS
  /** Shown under the pointer, and loaded only then. */
  secondPicture?: CardProduct['picture']
  /** Without it, the card is static, for elements/live-catalog.ts and add-to-cart.ts. */
  onAdd?: (product: CartProduct) => void
}

const LOOKS = {
  list: {
    sizes: CARD_SIZES,
    card: 'flex-col',
    frame: 'aspect-[4/5] w-full',
    body: 'p-2.5 sm:p-4',
    heading: 'text-base sm:text-lg',
    details: '',
    foot: '',
    button: 'mt-2 w-full px-1 max-[359px]:text-sm'
  },
  large: {
    sizes: '(min-width: 1280px) 300px, 50vw',
    card: 'flex-col max-sm:rounded-none xl:row-span-2 xl:grid xl:grid-rows-[subgrid]',
    frame: 'aspect-[4/5] w-full sm:aspect-square xl:aspect-auto xl:min-h-44',
    body: 'p-2.5 xl:p-3',
    heading: 'text-base sm:text-lg',
    details: 'xl:hidden',
    foot: 'xl:flex xl:items-center xl:justify-between xl:gap-x-2',
    button:
      'mt-2 w-full px-1 max-[359px]:text-sm ' +
      'xl:mt-0 xl:w-auto xl:shrink-0 xl:whitespace-nowrap xl:px-3'
  },
  small: {
    sizes: '96px',
    card: '',
    frame: 'w-24 shrink-0',
    body: 'justify-center px-2.5 py-2',
    heading: 'pr-5 text-[min(1rem,7vw)]',
    details: '',
    foot: 'flex flex-wrap items-center justify-between gap-x-2 sm:flex-nowrap xl:block xl:pt-0',
    button: 'px-3 text-sm sm:whitespace-nowrap'
  }
}
const PICTURE = 'absolute inset-0 h-full w-full object-cover'

export const ProductCard = memo(function ProductCard(props: ProductCardProps) {
  const { product, deal, left, quantityInCart = 0, eager = false, onAdd } = props
  const { look = 'list', secondPicture } = props
  const { id, name, nameTamil, description, picture, image, dietary, stock } = product
  const { price, listPrice, sizes, quantity } = product
  const pack = formatPack(quantity)
  const isStatic = onAdd === undefined
  const style = LOOKS[look]
  const add = (
    <>
      <button
        type="button"
        data-add={isStatic || undefined}
        className={`button relative z-10 bg-cream-deep text-chilli hover:bg-chilli hover:text-paper disabled:cursor-not-allowed disabled:bg-ink/10 disabled:text-ink/70 [@media(scripting:none)]:hidden ${style.button}`}
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
      className={`card group relative flex h-full overflow-hidden transition-shadow focus-within:shadow-lg hover:shadow-lg ${style.card}`}
      data-live-id={isStatic ? id : undefined}
    >
      <div className={`relative overflow-hidden bg-cream-deep ${style.frame}`}>
        <Picture
          picture={picture}
          image={image}
          sizes={style.sizes}
          maxWidth={look === 'small' ? 240 : CARD_MAX_WIDTH}
          eager={eager}
          framed
          className={PICTURE}
        />
        {secondPicture && (
          <Picture
            picture={secondPicture}
            sizes={style.sizes}
            maxWidth={480}
            transparent
            framed
            className={`${PICTURE} hidden [@media(hover:hover)]:group-hover:block`}
          />
        )}
        {part('out', CARD.soldOut, MESSAGES.outOfStock, stock === 'out')}
        {part('deal', CARD.deal, maxDiscountText(deal ?? 0), deal !== undefined)}
      </div>
      <span className="absolute right-2 top-2 grid place-items-center rounded bg-paper/90 p-0.5">
        <DietMark dietary={dietary} />
      </span>
      <div className={`flex flex-1 flex-col [container-type:inline-size] ${style.body}`}>
        <h3 className={`leading-snug ${style.heading}`}>
          <a
            lang={langOf(name)}
            className="after:absolute after:inset-0 hover:text-chilli"
            href={paths.product(id)}
          >
            {name}
          </a>
        </h3>
        {look !== 'small' && nameTamil !== '' && (
          <p
            lang={langOf(nameTamil)}
            className={`leading-normal text-ink/70 ${style.details}`}
            style={{ fontSize: `clamp(0.7rem, ${Math.round(160 / nameTamil.length)}cqi, 0.85em)` }}
          >
            {nameTamil}
          </p>
        )}
        {look !== 'small' && description !== '' && (
          <p lang={langOf(description)} className="mt-0.5 text-sm text-ink/70">
            <span className="sm:hidden">{toCardText(description)}</span>
            <span className="line-clamp-2 max-sm:hidden">{shorten(description, 56)}</span>
          </p>
        )}
        <div className={`mt-auto pt-1.5 ${style.foot}`}>
          <div className="min-w-0">
            <p className="flex flex-wrap items-baseline gap-x-1 sm:gap-x-1.5">
              <span className="text-sm">{`${pack} · `}</span>
              {isLowestPrice(product) && <span className="text-sm">{`${t('from||price')} `}</span>}
              {part('price', 'font-semibold sm:text-lg', formatRupees(price), true)}
              <ListPrice listPrice={listPrice} />
            </p>
            {look !== 'small' && (
              <p
                className={`flex h-[1lh] flex-wrap gap-x-2 overflow-hidden text-sm text-ink/70 ${style.details}`}
              >
                {part(
                  'low',
                  'font-semibold text-chilli',
                  left === undefined ? MESSAGES.fewLeft : lowStockText(left),
                  stock === 'low'
                )}
                {part('unit-price', '', formatUnitPrice(price, quantity) ?? '', true)}
                {sizes && <span>{sizesText(sizes.length)}</span>}
              </p>
            )}
          </div>
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

interface DietMarkProps {
  dietary: Dietary
  withLabel?: boolean
}

/** The mark that Indian law asks for: a green dot in a square, or a leaf for vegan food. */
export function DietMark({ dietary, withLabel = false }: DietMarkProps) {
  const label = DIETARY_LABELS[dietary]
  return (
    <span className="inline-flex items-center gap-2 self-center">
      <span
        className="inline-grid size-4 shrink-0 place-items-center rounded-sm border-2 border-leaf"
        title={label}
        aria-hidden="true"
      >
        {dietary === 'vegan' ? (
          <Icon name="leaf" className="size-3 text-leaf" />
        ) : (
          <span className="size-1.5 rounded-full bg-leaf forced-colors:bg-[CanvasText]" />
        )}
      </span>
      <span className={withLabel ? 'font-semibold text-leaf' : 'sr-only'}>{label}</span>
    </span>
  )
}
