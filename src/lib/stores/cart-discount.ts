import { cartItemAddedText, MESSAGES } from '../messages.ts'
import { fromRupees, toRupees } from '../money.ts'
import { discounted } from '../pricing.ts'
import { $cart, rejectOverLimit, setLines } from './cart.ts'
import { isSameLine, newLine, type CartLine, type CartProduct, type DrawnDiscount } from './cart-line.ts'
import { notify } from './toasts.ts'

/** Replaces a line with the discount of an earlier deal. */
export function addDiscounted(product: CartProduct, drawn: DrawnDiscount): void {
  const lines = $cart.get()
  const present = lines.find(line => isSameLine(line, { _id: product._id, discount: drawn.discount }))
  if (present?.dealId === drawn.dealId) {
    notify({ title: MESSAGES.cartDiscountLimit, kind: 'destructive', about: product._id })
    return
  }
  if (!present && rejectOverLimit(product._id, 1)) return
  const line = discountedLine(product, drawn)
  setLines(present ? lines.map(other => (other === present ? line : other)) : [...lines, line])
  notify({ title: MESSAGES.dealAdded, text: cartItemAddedText(product.name), about: product._id })
}

function discountedLine(product: CartProduct, { dealId, discount }: DrawnDiscount): CartLine {
  const price = toRupees(discounted(fromRupees(product.price), discount))
  return { ...newLine(product, 1), price, discount, dealId }
}
