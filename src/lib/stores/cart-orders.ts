import type { CartEntry } from '../contract/checkout.ts'
import { MAX_CART_QUANTITY } from '../constants.ts'
import { $cart, setLines } from './cart.ts'
import { isSameLine, type CartLine } from './cart-line.ts'

export function addLines(added: readonly CartLine[]): void {
  const lines = added.reduce<readonly CartLine[]>((all, line) => {
    const existing = all.find(other => isSameLine(other, line))
    if (!existing) return [...all, line]
    const value = Math.min(existing.quantity.value + line.quantity.value, MAX_CART_QUANTITY)
    return all.map(other => (other === existing ? { ...line, quantity: { ...line.quantity, value } } : other))
  }, $cart.get())
  setLines(lines)
}

export function removeOrderedItems(ordered: readonly CartEntry[]): void {
  const orderedCount = ({ _id, dealId }: CartLine): number =>
    ordered.find(entry => entry.product === _id && entry.dealId === dealId)?.quantity ?? 0
  const remaining = $cart.get().map(line => {
    const value = line.quantity.value - orderedCount(line)
    return value === line.quantity.value ? line : { ...line, quantity: { ...line.quantity, value } }
  })
  setLines(remaining.filter(({ quantity }) => quantity.value > 0))
}
