import { api } from '../api.ts'
import type { Quote, QuotedLine } from '../contract/cart.ts'
import { MAX_CART_QUANTITY } from '../constants.ts'
import { $cart, setLines } from './cart.ts'
import { entriesOf, lineOf } from './cart-entries.ts'
import { isSameLine, type CartLine } from './cart-line.ts'
import { learn, learnGone, loadLive } from './live.ts'
import { $token } from './stored-session.ts'

/** Asks what the cart costs this shopper now. A shop that does not answer that may still say what its products cost. */
export async function requote(): Promise<void> {
  const lines = entriesOf($cart.get())
  if (lines.length === 0) return
  try {
    takeQuote(await api('POST /cart/quote', { body: { lines } }))
  } catch {
    await loadLive([...new Set(lines.map(({ product }) => product))])
  }
}

/** Corrects prices, stock and discounts of the cart by what the shop says; a discount that is gone leaves a plain line. */
export function takeQuote({ lines }: Pick<Quote, 'lines'>): void {
  const products = lines.filter(({ product }, at) => lines.findIndex(line => line.product === product) === at)
  const gone = products.filter(({ problem }) => problem === 'gone').map(({ product }) => product)
  learnGone(
    products.map(({ product }) => product),
    new Set(gone)
  )
  learn(...products.filter(({ problem }) => problem !== 'gone').map(toLive))
  // To a visitor the shop can't say whose discount it is.
  if ($token.get() !== undefined) settleDiscounts(lines)
}

function toLive({ product: id, listPrice: price, stock, most }: QuotedLine) {
  return { id, price, stock, ...(most < MAX_CART_QUANTITY && { left: most }) }
}

function settleDiscounts(quoted: readonly QuotedLine[]): void {
  const lines = $cart.get()
  const settled = lines.map(line => {
    if (line.discount === undefined) return line
    const now = quoted.find(({ product, dealId }) => product === line._id && dealId === line.dealId)
    if (!now || now.problem === 'gone') return line
    return now.discount === line.discount && now.price === line.price ? line : lineOf(now)
  })
  if (settled.some((line, at) => line !== lines[at])) setLines(joined(settled))
}

/** A line that lost its discount joins the plain one of its product. */
function joined(lines: readonly CartLine[]): CartLine[] {
  return lines.reduce<CartLine[]>((kept, line) => {
    const other = kept.find(candidate => isSameLine(candidate, line))
    if (!other) return [...kept, line]
    const value = Math.min(other.quantity.value + line.quantity.value, MAX_CART_QUANTITY)
    const lost = other.lost ?? line.lost
    const both = { ...other, ...(lost && { lost }), quantity: { ...other.quantity, value } }
    return kept.map(candidate => (candidate === other ? both : candidate))
  }, [])
}
