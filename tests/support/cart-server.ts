import { isSameCart } from '#lib/cart/entries.ts'
import type {
  CartChange,
  CartEntry,
  QuotedCoupon,
  QuotedLine,
  QuoteRequest,
  ServerCart
} from '#lib/contract/checkout.ts'
import { errorReply } from './session.ts'

export type CartServer = ReturnType<typeof createCartServer>

/** A fake cart API that keeps the cart in memory. */
export function createCartServer(
  lines: CartEntry[] = [],
  otherReplies: Record<string, (url: string) => Response | Promise<Response>> = {}
) {
  let cart: ServerCart = { lines, version: lines.length > 0 ? 1 : 0 }
  const drafts = new Map<string, Partial<QuotedLine>>()
  const actions = new Map<string, () => void>()
  let coupon: QuotedCoupon | undefined

  function change(next: CartEntry[]) {
    cart = isSameCart(next, cart.lines) ? cart : { lines: next, version: cart.version + 1 }
    return Response.json(cart)
  }

  function put({ lines, version }: CartChange) {
    return version === cart.version
      ? change(lines)
      : errorReply(409, { code: 'CART_CHANGED', message: 'Changed.' })()
  }

  const server = {
    isDown: false,
    calls: [] as string[],
    cart: () => cart,
    changeOnOtherDevice: (next: CartEntry[]) => void change(next),
    setQuote: (product: string, draft: Partial<QuotedLine>) =>
      void drafts.set(product, { ...drafts.get(product), ...draft }),
    /** Sent with the quote if the request has a coupon. */
    setCoupon: (quoted: QuotedCoupon) => void (coupon = quoted),
    /** Runs the action once, just before the next reply to this call. */
    beforeNext: (call: string, action: () => void) => void actions.set(call, action),
    async send(url: string, { method = 'GET', body }: RequestInit) {
      const call = `${method} ${url.replace('/api', '')}`
      server.calls.push(call)
      if (server.isDown) throw new TypeError('fetch failed')
      actions.get(call)?.()
      actions.delete(call)
      const request: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
      if (call === 'GET /cart') return Response.json(cart)
      if (call === 'PUT /cart') return put(request as CartChange)
      if (call === 'DELETE /cart') return change([])
      if (call === 'POST /cart/quote') {
        const { lines, coupon: code } = request as QuoteRequest
        return Response.json({ ...quoteOf(lines, drafts), ...(code !== undefined && { coupon }) })
      }
      const reply = otherReplies[call] ?? otherReplies[call.replace(/\?.*/, '')]
      if (!reply) throw new TypeError('fetch failed')
      return reply(url)
    }
  }
  return server
}

function quoteOf(entries: readonly CartEntry[], drafts: ReadonlyMap<string, Partial<QuotedLine>>) {
  const lines = entries.map(({ product, quantity, dealId }): QuotedLine => {
    const listPrice = drafts.get(product)?.listPrice ?? 100
    return {
      product,
      quantity,
      listPrice,
      price: listPrice,
      total: listPrice * quantity,
      stock: 'in',
      most: 99,
      name: product,
      image: `${product}.jpg`,
      packSize: { value: 250, unit: 'g', type: 'weight' },
      ...(dealId !== undefined && { dealId }),
      ...drafts.get(product)
    }
  })
  const isBlocked = lines.some(({ problem }) => problem && !problem.startsWith('discount'))
  const total = lines.reduce((sum, line) => sum + line.total, 0)
  return {
    lines,
    total,
    canOrder: lines.length > 0 && !isBlocked,
    serverTime: '2026-11-21T04:00:00.000Z'
  }
}
