import type { Settings } from '../contract/settings.ts'
import { multiply, type Paise, splitByLargestRemainder, sumPaise, toPaise } from '../money.ts'

/** For example, 500 means 5%. */
export type BasisPoints = number & { readonly unit: 'basis points' }

export function toBasisPoints(percent: number): BasisPoints {
  return Math.round(percent * 100) as BasisPoints
}

const WHOLE = 10_000

export interface Tax {
  taxable: Paise
  cgst: Paise
  sgst: Paise
  igst: Paise
}

/**
 * `gross` includes the tax, and the four amounts add up to it. Within a state, the central and the
 * state tax are each the tax at half the rate, rounded.
 */
export function splitTax(gross: Paise, rate: BasisPoints, isInterState: boolean): Tax {
  const half = isInterState ? 0 : divideRounded(gross * rate, 2 * (WHOLE + rate))
  const igst = isInterState ? divideRounded(gross * rate, WHOLE + rate) : 0
  const [cgst, sgst] = [toPaise(half), toPaise(half)]
  return { taxable: toPaise(gross - 2 * half - igst), cgst, sgst, igst: toPaise(igst) }
}

/** Taxes a delivery fee like the goods, at each rate in proportion to their value. */
export function splitFee(
  fee: Paise,
  goods: readonly { rate: BasisPoints; value: Paise; listValue: Paise }[],
  isInterState: boolean
): TaxedLine[] {
  const rates = [...new Set(goods.map(({ rate }) => rate))].toSorted((a, b) => a - b)
  const isFree = goods.every(({ value }) => value === 0)
  const values = rates.map(rate =>
    sumPaise(
      goods.filter(line => line.rate === rate).map(line => (isFree ? line.listValue : line.value))
    )
  )
  const shares = splitByLargestRemainder(fee, values)
  return rates.flatMap((rate, index) => {
    const share = shares[index] ?? toPaise(0)
    return share === 0 ? [] : [{ rate, ...splitTax(share, rate, isInterState) }]
  })
}

function divideRounded(dividend: number, divisor: number) {
  const remainder = dividend % divisor
  return (dividend - remainder) / divisor + (2 * remainder >= divisor ? 1 : 0)
}

export interface TaxedLine extends Tax {
  rate: BasisPoints
}

export function sumByRate(lines: readonly TaxedLine[]): TaxedLine[] {
  const rates = [...new Set(lines.map(({ rate }) => rate))].toSorted((a, b) => a - b)
  return rates.map(rate => ({ rate, ...sumTaxes(lines.filter(line => line.rate === rate)) }))
}

export function sumTaxes(lines: readonly Tax[]): Tax {
  const sum = (part: keyof Tax) => sumPaise(lines.map(line => line[part]))
  return { taxable: sum('taxable'), cgst: sum('cgst'), sgst: sum('sgst'), igst: sum('igst') }
}

type TaxSettings = Settings['tax']
type TaxRule = Pick<TaxSettings['rates'][number], 'rate' | 'hsn' | 'from'>

export const OTHER_CATEGORIES = ''

/** `day` is a day in India. A rule for the product comes before its category's. */
export function findTaxRule(
  { rates, products }: Pick<TaxSettings, 'rates' | 'products'>,
  { product, category }: { product: string; category: string },
  day: string
): TaxRule | undefined {
  const ofCategory = (name: string): TaxRule[] => rates.filter(rule => rule.category === name)
  return (
    latest(
      products.filter(rule => rule.product === product),
      day
    ) ??
    latest(ofCategory(category), day) ??
    latest(ofCategory(OTHER_CATEGORIES), day)
  )
}

function latest(rules: readonly TaxRule[], day: string): TaxRule | undefined {
  return rules.filter(({ from }) => from <= day).toSorted((a, b) => (a.from < b.from ? 1 : -1))[0]
}

interface CreditableLine {
  quantity: number
  price: Paise
  coupon_discount: Paise
}

/** The last packs get the whole rest. */
export function shareOf(amount: Paise, packs: number, quantity: number): Paise {
  return toPaise(Math.floor((amount * packs) / quantity))
}

export function creditPacks(
  { quantity, price, coupon_discount }: CreditableLine,
  packs: number
): { coupon_discount: Paise; total: Paise } {
  const discount = shareOf(coupon_discount, packs, quantity)
  return { coupon_discount: discount, total: toPaise(multiply(price, packs) - discount) }
}
