import type { CartProduct } from '#lib/cart/line.ts'
import { MESSAGES } from '#lib/messages.ts'
import { fromRupees, sumPaise, type Paise } from '#lib/money.ts'
import {
  addPacks,
  cartItemAddedText,
  findLimitText,
  notifyAdded,
  toCurrent
} from '#lib/stores/cart.ts'
import { $liveProducts } from '#lib/stores/catalog.ts'

interface Box {
  lines: { product: CartProduct; problem: string | undefined }[]
  /** Those without a problem. */
  added: CartProduct[]
  total: Paise
}

/** One pack of each product, at the prices of now. */
export function findBox(products: readonly CartProduct[]): Box {
  const live = $liveProducts.get()
  const lines = products.map(product => {
    const isOut = live.get(product._id)?.stock === 'out'
    const problem = isOut ? MESSAGES.outOfStock : findLimitText(product._id, 1)
    return { product: toCurrent(product), problem }
  })
  const added = lines.flatMap(({ product, problem }) => (problem === undefined ? product : []))
  return { lines, added, total: sumPaise(added.map(({ price }) => fromRupees(price))) }
}

export function addBoxToCart(name: string, products: readonly CartProduct[]): void {
  for (const product of findBox(products).added) addPacks(product, 1)
  notifyAdded(MESSAGES.cartItemAdded, cartItemAddedText(name), name)
}
