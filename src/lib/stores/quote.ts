import { computed } from 'nanostores'
import { api } from '../api.ts'
import type { Coupon } from '../cart/pricing.ts'
import { toCartEntries, toCartLine } from '../cart/entries.ts'
import { mergeEqualLines } from '../cart/line.ts'
import { toCartView } from '../cart/view.ts'
import { couponProblemText } from '../checkout/messages.ts'
import { MAX_CART_QUANTITY } from '../constants.ts'
import type { LiveProduct } from '../contract/catalog.ts'
import { langOf } from '../contract/texts.ts'
import type { CouponTerms, Quote, QuotedCoupon, QuotedLine } from '../contract/checkout.ts'
import { ShopError } from '../errors.ts'
import { formatRupees, fromRupees } from '../money.ts'
import { $cart, setLines } from './cart.ts'
import {
  $goneProducts,
  $liveProducts,
  loadLiveProducts,
  startLiveRequest,
  updateGoneProducts,
  updateLiveProducts
} from './catalog.ts'
import { $coupon, loseCoupon, setCoupon } from './coupon.ts'
import { $offer } from './delivery.ts'
import { createLatest } from './load-state.ts'
import { $token, checkSession } from './session.ts'

export const $cartView = computed(
  [$cart, $liveProducts, $goneProducts, $coupon, $offer],
  (lines, live, gone, coupon, offer) =>
    toCartView(lines, live, gone, coupon?.terms && toPricedCoupon(coupon.terms), offer)
)

const startRefresh = createLatest()

export async function refreshQuote(): Promise<void> {
  const lines = toCartEntries($cart.get())
  if (lines.length === 0) return
  const isLatest = startRefresh()
  const request = startLiveRequest()
  try {
    const quote = await requestQuote($coupon.get()?.code)
    if (isLatest()) applyQuote(quote, request)
  } catch {
    await loadLiveProducts([...new Set(lines.map(({ product }) => product))])
  }
}

/** Throws ShopError for the field `coupon`. */
export async function applyCoupon(coupon: string): Promise<void> {
  const quote = await requestQuote(coupon)
  applyQuote(quote)
  const { code = '', terms, problem } = quote.coupon ?? {}
  if (problem === undefined && terms) return setCoupon({ code, terms })
  const text = couponProblemText(problem ?? 'unknown', formatRupees(terms?.minimum ?? 0))
  throw new ShopError('INVALID_INPUT', { fields: { coupon: text } })
}

/** Discounts belong to an account: asks again after a change of session. */
async function requestQuote(coupon: string | undefined): Promise<Quote> {
  for (;;) {
    const token = $token.get()
    const lines = toCartEntries($cart.get())
    const body = { lines, ...(coupon !== undefined && { coupon }) }
    const quote = await api('POST /cart/quote', { body }, { isRepeatable: true })
    // An outdated session gets a visitor's answer.
    await checkSession()
    if (token === $token.get()) return quote
  }
}

/** One that does not fit stays: the shopper may change the cart. */
function updateCoupon({ code, terms, problem }: QuotedCoupon) {
  if ($coupon.get()?.code !== code) return
  if (terms) setCoupon({ code, terms })
  else loseCoupon({ code, problem })
}

/** The terms have either `percent` or `amount`. */
function toPricedCoupon({ percent, amount = 0, minimum, ...terms }: CouponTerms): Coupon {
  const off = percent === undefined ? { amount: fromRupees(amount) } : { percent }
  return { ...terms, ...off, minimum: fromRupees(minimum) }
}

export function applyQuote(
  { lines, coupon }: Pick<Quote, 'lines' | 'coupon'>,
  request?: number
): void {
  const products = lines.filter(
    ({ product }, index) => lines.findIndex(line => line.product === product) === index
  )
  const gone = products.filter(({ problem }) => problem === 'gone').map(({ product }) => product)
  updateGoneProducts(
    products.map(({ product }) => product),
    new Set(gone)
  )
  const available = products.filter(({ problem }) => problem !== 'gone')
  updateLiveProducts(available.map(toLiveProduct), request)
  if (coupon) updateCoupon(coupon)
  updateNames(lines)
  // A visitor's quote has no discounts.
  if ($token.get() !== undefined) updateDiscountedLines(lines)
}

function toLiveProduct({
  product: id,
  listPrice,
  salePrice,
  stock,
  most
}: QuotedLine): LiveProduct {
  return {
    id,
    price: salePrice ?? listPrice,
    ...(salePrice !== undefined && { listPrice }),
    stock,
    ...(most < MAX_CART_QUANTITY && { left: most })
  }
}

/** A line has the name of the page on which it was added, which may be in another language. */
function updateNames(quoted: readonly QuotedLine[]) {
  const lines = $cart.get()
  if (lines.every(({ name }) => langOf(name) === undefined)) return
  const names = new Map(quoted.map(({ product, name }) => [product, name]))
  const named = lines.map(line => ({ ...line, name: names.get(line._id) || line.name }))
  if (named.some(({ name }, index) => name !== lines[index]?.name)) setLines(named)
}

function updateDiscountedLines(quoted: readonly QuotedLine[]) {
  const lines = $cart.get()
  const updated = lines.map(line => {
    if (line.discount === undefined) return line
    const quotedLine = quoted.find(
      ({ product, dealId }) => product === line._id && dealId === line.dealId
    )
    if (!quotedLine || quotedLine.problem === 'gone') return line
    const isUnchanged = quotedLine.discount === line.discount && quotedLine.price === line.price
    return isUnchanged ? line : toCartLine(quotedLine)
  })
  if (updated.some((line, index) => line !== lines[index])) setLines(mergeEqualLines(updated))
}
