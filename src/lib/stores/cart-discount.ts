import { cartItemAddedText, MESSAGES } from '../messages.ts'
import { fromRupees, toRupees } from '../money.ts'
import { applyDiscount } from '../pricing.ts'
import { $cart, rejectOverLimit, setLines } from './cart.ts'
import { isSameLine, createLine, type CartLine, type CartProduct, type DrawnDiscount } from './cart-line.ts'
import { notify } from './toasts.ts'

/** If the cart has this product with a discount from an earlier deal, replaces that line. */
export function addDiscountedProduct(product: CartProduct, drawn: DrawnDiscount): void {
  const lines = $cart.get()
  const existing = lines.find(line => isSameLine(line, { _id: product._id, discount: drawn.discount }))
  if (existing?.dealId === drawn.dealId) {
    notify({ title: MESSAGES.cartDiscountLimit, kind: 'destructive', topic: product._id })
    return
  }
  if (!existing && rejectOverLimit(product._id, 1)) return
  const line = toDiscountedLine(product, drawn)
  setLines(existing ? lines.map(other => (other === existing ? line : other)) : [...lines, line])
  notify({ title: MESSAGES.dealAdded, text: cartItemAddedText(product.name), topic: product._id })
}

function toDiscountedLine(product: CartProduct, { dealId, discount }: DrawnDiscount): CartLine {
  const price = toRupees(applyDiscount(fromRupees(product.price), discount))
  return { ...createLine(product, 1), price, discount, dealId }
}
