import type { CartEntry, QuotedLine } from '../contract/checkout.ts'
import { LOST_DISCOUNTS, createLine, type CartLine, type LostDiscount } from './cart-line.ts'

export function toCartEntries(lines: readonly CartLine[]): CartEntry[] {
  return lines.map(({ _id: product, quantity, dealId }) => ({
    product,
    quantity: quantity.value,
    ...(dealId && { dealId })
  }))
}

export function toCartLine({ product: _id, ...quoted }: QuotedLine): CartLine {
  const { name, image, picture, packSize, quantity, price, discount, dealId } = quoted
  const product = { _id, name, price, image, ...(picture && { picture }), ...(packSize && { packSize }) }
  const drawn = dealId !== undefined && discount !== undefined ? { dealId, discount } : {}
  return { ...createLine(product, quantity), ...drawn, ...findLostDiscount(quoted) }
}

function findLostDiscount({ dealId, problem, discount }: Omit<QuotedLine, 'product'>): { lost?: LostDiscount } {
  if (dealId === undefined || discount !== undefined) return {}
  return { lost: LOST_DISCOUNTS.find(lost => lost === problem) ?? 'discount_ended' }
}
