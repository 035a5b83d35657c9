import {
  applyDiscount,
  multiply,
  splitByLargestRemainder,
  sumPaise,
  toPaise,
  type Paise
} from '../money.ts'
import type { CouponProblem } from '../contract/names.ts'

export type Coupon = ({ readonly percent: number } | { readonly amount: Paise }) & {
  /** Compared with the total of the cart without the coupon. */
  readonly minimum: Paise
  readonly products: readonly string[]
  /** Otherwise each pack keeps a price of at least MIN_PACK_PRICE. */
  readonly mayBeFree: boolean
}

interface CouponLine {
  readonly product: string
  readonly quantity: number
  /** List price × quantity. */
  readonly listTotal: Paise
  /** Price without the coupon, which a drawn discount or a sale may have lowered. */
  readonly total: Paise
}

const MIN_PACK_PRICE = toPaise(100)

/**
 * Returns what the coupon takes off the list total of each line, or why it takes nothing off.
 *
 * A line whose own price is as low keeps it, and its share goes to the other lines. Only one line
 * drops out at a time, because the shares of the others then grow. Nobody pays more than without
 * the coupon: a remaining line costs less than its own price, and a dropped line exactly that.
 */
export function splitCoupon(
  lines: readonly CouponLine[],
  coupon: Coupon
): readonly Paise[] | CouponProblem {
  if (sumPaise(lines.map(({ total }) => total)) < coupon.minimum) return 'minimum'
  let limits = lines.map(line => findLimit(line, coupon))
  if (limits.every(limit => limit === 0)) return 'no_items'
  while (limits.some(limit => limit > 0)) {
    const shares =
      'percent' in coupon
        ? takePercent(lines, limits, coupon.percent)
        : splitAmount(coupon.amount, lines, limits)
    const worst = findWorst(lines, limits, shares)
    if (worst === undefined) return shares
    limits = limits.map((limit, index) => (index === worst ? toPaise(0) : limit))
  }
  return 'no_gain'
}

function findLimit(
  { product, quantity, listTotal }: CouponLine,
  { products, mayBeFree }: Coupon
): Paise {
  if (!products.includes(product)) return toPaise(0)
  return mayBeFree
    ? listTotal
    : toPaise(Math.max(0, listTotal - multiply(MIN_PACK_PRICE, quantity)))
}

function takePercent(
  lines: readonly CouponLine[],
  limits: readonly Paise[],
  percent: number
): Paise[] {
  return lines.map(({ listTotal }, index) =>
    toPaise(Math.min(listTotal - applyDiscount(listTotal, percent), limits[index] ?? 0))
  )
}

/** By value or, if that makes a line too cheap, by what may come off the lines. */
function splitAmount(
  amount: Paise,
  lines: readonly CouponLine[],
  limits: readonly Paise[]
): Paise[] {
  const off = toPaise(Math.min(amount, sumPaise(limits)))
  const values = lines.map(({ listTotal }, index) => (limits[index] === 0 ? toPaise(0) : listTotal))
  const byValue = splitByLargestRemainder(off, values)
  return byValue.every((share, index) => share <= (limits[index] ?? 0))
    ? byValue
    : splitByLargestRemainder(off, limits)
}

function findWorst(
  lines: readonly CouponLine[],
  limits: readonly Paise[],
  shares: readonly Paise[]
): number | undefined {
  const losses = lines.map(({ listTotal, total }, index) =>
    limits[index] === 0 ? -1 : listTotal - (shares[index] ?? 0) - total
  )
  const largest = Math.max(...losses)
  return largest >= 0 ? losses.indexOf(largest) : undefined
}
