import { MAX_CART_QUANTITY } from '../constants.ts'
import { toPaise, multiply, sumPaise, type Paise } from '../money.ts'

export function applyDiscount(price: Paise, percent: number): Paise {
  return toPaise(Math.floor((price * (100 - percent) + 50) / 100))
}

interface Priced {
  readonly price: Paise
  readonly count: number
}

export function sumLines(lines: readonly Priced[]): Paise {
  return sumPaise(lines.map(line => multiply(line.price, line.count)))
}

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

/** Lines of the same product share its stock. Earlier lines get it first. */
export function priceCart(
  wanted: readonly WantedLine[],
  products: ReadonlyMap<string, { readonly price: Paise; readonly stock: number }>,
  discounts: ReadonlyMap<string, DrawnDiscount>
): PricedCart {
  const remaining = new Map([...products].map(([id, { stock }]) => [id, stock]))
  const usedDeals = new Set<string>()
  const lines = wanted.map((line): PricedLine => {
    const product = products.get(line.product)
    if (!product)
      return { ...line, listPrice: toPaise(0), price: toPaise(0), total: toPaise(0), most: 0, problem: 'gone' }
    const inStock = remaining.get(line.product) ?? 0
    const maxQuantity = Math.min(inStock, MAX_CART_QUANTITY)
    remaining.set(line.product, Math.max(0, inStock - line.quantity))
    const { percent, problem } = findDiscount(line, discounts, usedDeals)
    const price = percent === undefined ? product.price : applyDiscount(product.price, percent)
    const stockProblem = maxQuantity === 0 ? 'out_of_stock' : line.quantity > maxQuantity ? 'too_few' : undefined
    const lineProblem = stockProblem ?? problem
    return {
      ...line,
      listPrice: product.price,
      price,
      ...(percent !== undefined && { discount: percent }),
      total: multiply(price, line.quantity),
      most: maxQuantity,
      ...(lineProblem && { problem: lineProblem })
    }
  })
  return {
    lines,
    total: sumPaise(lines.map(line => line.total)),
    canOrder: lines.length > 0 && lines.every(({ problem }) => !BLOCKING_PROBLEMS.includes(problem))
  }
}

function findDiscount(
  { product, quantity, dealId }: WantedLine,
  discounts: ReadonlyMap<string, DrawnDiscount>,
  usedDeals: Set<string>
): { percent?: number; problem?: LineProblem } {
  if (dealId === undefined) return {}
  const drawn = discounts.get(dealId)
  if (!drawn || drawn.product !== product || drawn.state === 'ended') return { problem: 'discount_ended' }
  if (drawn.state === 'used' || quantity !== 1 || usedDeals.has(dealId)) return { problem: 'discount_used' }
  usedDeals.add(dealId)
  return { percent: drawn.percent }
}
