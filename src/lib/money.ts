import { DEAL_PERCENT } from './constants.ts'

/** For example, 18050 means ₹180.50. */
export type Paise = number & { readonly unit: 'paise' }

export function toPaise(amount: number): Paise {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`${amount} is not a whole number of paise`)
  return amount as Paise
}

/** Rounds half a paisa up. 1.005 * 100 is 100.49999999999999 without `toFixed`. */
export function fromRupees(rupees: number): Paise {
  return toPaise(Math.round(Number((rupees * 100).toFixed(4))))
}

export function toRupees(amount: Paise): number {
  return amount / 100
}

export function multiply(price: Paise, count: number): Paise {
  return toPaise(price * count)
}

/** Rounds half a paisa up. `percent` has at most two decimals. */
export function applyDiscount(price: Paise, percent: number): Paise {
  const rest = 10_000 - Math.round(percent * 100)
  return toPaise(Math.floor((price * rest + 5000) / 10_000))
}

export function percentOff(price: number, reduced: number): number {
  return Math.round((1 - reduced / price) * 100)
}

export function toFee(goods: Paise, usualFee: Paise, freeAbove: Paise | null): Paise {
  return freeAbove !== null && goods >= freeAbove ? toPaise(0) : usualFee
}

export function sumPaise(amounts: readonly Paise[]): Paise {
  return toPaise(amounts.reduce<number>((sum, amount) => sum + amount, 0))
}

/** '₹1,23,456.78'. `Intl.NumberFormat` would take 50 to 100 ms on a slow phone. */
export function formatRupees(rupees: number): string {
  const [whole = '', decimals] = Math.abs(rupees).toFixed(2).split('.')
  const grouped = whole.replace(/\B(?=(\d\d)*\d{3}$)/g, ',')
  return `${rupees < 0 ? '-' : ''}₹${grouped}.${decimals}`
}

export function formatPaise(amount: Paise): string {
  return formatRupees(toRupees(amount))
}

export function formatPriceRange(price: number, percent: number): string {
  const ends = [percent, Math.min(percent, DEAL_PERCENT.lowestDraw)]
  return [...new Set(ends.map(each => formatDiscountedPrice(price, each)))].join('–')
}

export function formatDiscountedPrice(price: number, percent: number): string {
  return formatPaise(applyDiscount(fromRupees(price), percent))
}

export function splitByLargestRemainder(sum: Paise, weights: readonly Paise[]): Paise[] {
  const all = sumPaise(weights)
  const parts = weights.map((weight, index) => {
    // The product can exceed the largest safe integer.
    const product = BigInt(sum) * BigInt(weight)
    return { index, share: Number(product / BigInt(all)), rest: Number(product % BigInt(all)) }
  })
  const left = sum - parts.reduce((total, { share }) => total + share, 0)
  const rounded = new Set(
    [...parts].sort((a, b) => b.rest - a.rest || a.index - b.index).slice(0, left)
  )
  return parts.map(part => toPaise(part.share + (rounded.has(part) ? 1 : 0)))
}
