import { MAX_CART_QUANTITY } from './constants.ts'
import { paise, times, total, type Paise } from './money.ts'

/** price × (100 − percent) / 100, rounded half up to whole paise. */
export function discounted(price: Paise, percent: number): Paise {
  return paise(Math.floor((price * (100 - percent) + 50) / 100))
}

interface Priced {
  readonly price: Paise
  readonly count: number
}

export function cartTotal(lines: readonly Priced[]): Paise {
  return total(lines.map(line => times(line.price, line.count)))
}

/** The first three block the order; the other two only remove the discount. */
export const LINE_PROBLEMS = ['gone', 'out_of_stock', 'too_few', 'discount_ended', 'discount_used'] as const
export type LineProblem = (typeof LINE_PROBLEMS)[number]
const BLOCKING_PROBLEMS: readonly (LineProblem | undefined)[] = ['gone', 'out_of_stock', 'too_few']

export interface WantedLine {
  readonly product: string
  readonly quantity: number
  readonly dealId?: string | undefined
}

export interface DrawnDiscount {
  readonly product: string
  readonly percent: number
  readonly state: 'usable' | 'ended' | 'used'
}

export interface PricedLine extends WantedLine {
  readonly listPrice: Paise
  readonly price: Paise
  readonly discount?: number
  readonly total: Paise
  readonly most: number
  readonly problem?: LineProblem
}

export interface PricedCart {
  readonly lines: readonly PricedLine[]
  readonly total: Paise
  readonly canOrder: boolean
}

/** A product that is `gone` costs nothing and blocks the order. Lines of one product share its stock, in order. */
export function quote(
  wanted: readonly WantedLine[],
  products: ReadonlyMap<string, { readonly price: Paise; readonly stock: number }>,
  discounts: ReadonlyMap<string, DrawnDiscount>
): PricedCart {
  const left = new Map([...products].map(([id, { stock }]) => [id, stock]))
  const claimed = new Set<string>()
  const lines = wanted.map((line): PricedLine => {
    const product = products.get(line.product)
    if (!product) return { ...line, listPrice: paise(0), price: paise(0), total: paise(0), most: 0, problem: 'gone' }
    const inStock = left.get(line.product) ?? 0
    const maxQuantity = Math.min(inStock, MAX_CART_QUANTITY)
    left.set(line.product, Math.max(0, inStock - line.quantity))
    const { percent, problem } = discountOf(line, discounts, claimed)
    const price = percent === undefined ? product.price : discounted(product.price, percent)
    const stockProblem = maxQuantity === 0 ? 'out_of_stock' : line.quantity > maxQuantity ? 'too_few' : undefined
    const lineProblem = stockProblem ?? problem
    return {
      ...line,
      listPrice: product.price,
      price,
      ...(percent !== undefined && { discount: percent }),
      total: times(price, line.quantity),
      most: maxQuantity,
      ...(lineProblem && { problem: lineProblem })
    }
  })
  return {
    lines,
    total: total(lines.map(line => line.total)),
    canOrder: lines.length > 0 && lines.every(({ problem }) => !BLOCKING_PROBLEMS.includes(problem))
  }
}

function discountOf(
  { product, quantity, dealId }: WantedLine,
  discounts: ReadonlyMap<string, DrawnDiscount>,
  claimed: Set<string>
): { percent?: number; problem?: LineProblem } {
  if (dealId === undefined) return {}
  const drawn = discounts.get(dealId)
  if (!drawn || drawn.product !== product || drawn.state === 'ended') return { problem: 'discount_ended' }
  if (drawn.state === 'used' || quantity !== 1 || claimed.has(dealId)) return { problem: 'discount_used' }
  claimed.add(dealId)
  return { percent: drawn.percent }
}
