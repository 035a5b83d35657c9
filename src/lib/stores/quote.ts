import { computed } from 'nanostores'
import { api } from '../api.ts'
import { mergeLines, toCartEntries, toCartLine } from '../cart/line.ts'
import { toCartView } from '../cart/view.ts'
import { MAX_CART_QUANTITY } from '../constants.ts'
import type { LiveProduct } from '../contract/catalog.ts'
import type { Quote, QuotedLine } from '../contract/checkout.ts'
import { $cart, setLines } from './cart.ts'
import { $goneProducts, $liveProducts, loadLiveProducts, updateGoneProducts, updateLiveProducts } from './catalog.ts'
import { $token } from './session.ts'

export const $cartView = computed([$cart, $liveProducts, $goneProducts], (lines, live, gone) =>
  toCartView(lines, live, gone)
)

export async function refreshQuote(): Promise<void> {
  const lines = toCartEntries($cart.get())
  if (lines.length === 0) return
  try {
    applyQuote(await api('POST /cart/quote', { body: { lines } }))
  } catch {
    await loadLiveProducts([...new Set(lines.map(({ product }) => product))])
  }
}

export function applyQuote({ lines }: Pick<Quote, 'lines'>): void {
  const products = lines.filter(({ product }, index) => lines.findIndex(line => line.product === product) === index)
  const gone = products.filter(({ problem }) => problem === 'gone').map(({ product }) => product)
  updateGoneProducts(
    products.map(({ product }) => product),
    new Set(gone)
  )
  updateLiveProducts(...products.filter(({ problem }) => problem !== 'gone').map(toLiveProduct))
  // Without a session, the quote has no discounts, because the server does not know the shopper.
  if ($token.get() !== undefined) updateDiscountedLines(lines)
}

function toLiveProduct({ product: id, listPrice, salePrice, stock, most }: QuotedLine): LiveProduct {
  return {
    id,
    price: salePrice ?? listPrice,
    ...(salePrice !== undefined && { listPrice }),
    stock,
    ...(most < MAX_CART_QUANTITY && { left: most })
  }
}

function updateDiscountedLines(quoted: readonly QuotedLine[]): void {
  const lines = $cart.get()
  const updated = lines.map(line => {
    if (line.discount === undefined) return line
    const quotedLine = quoted.find(({ product, dealId }) => product === line._id && dealId === line.dealId)
    if (!quotedLine || quotedLine.problem === 'gone') return line
    const isUnchanged = quotedLine.discount === line.discount && quotedLine.price === line.price
    return isUnchanged ? line : toCartLine(quotedLine)
  })
  if (updated.some((line, index) => line !== lines[index])) setLines(mergeLines(updated))
}
