import { api } from '../api.ts'
import { isSameCart, mergeChanges, unionOf } from '../cart-merge.ts'
import { CART_LIMITS } from '../constants.ts'
import type { CartEntry, ServerCart } from '../contract/cart.ts'
import { logFailure } from '../log.ts'
import { CHECKOUT_MESSAGES } from '../checkout/messages.ts'
import { ShopError } from '../shop-error.ts'
import { CART_REST, LIVE_CATALOG_AGE } from '../time.ts'
import { $cart, clearCart, setLines } from './cart.ts'
import { $agreed, keepAgreed, type Agreed } from './cart-agreed.ts'
import { entriesOf, lineOf } from './cart-entries.ts'
import { startSession } from './session-check.ts'
import { $token } from './stored-session.ts'

const MOST_ROUNDS = 4

let running: Promise<void> | undefined
let again = false

/**
 * Keeps the cart of who is logged in the same here and at the shop: when a page opens, when somebody logs in, when the
 * cart changes and when the tab is looked at again. A shop that can't be reached is asked another time.
 */
export async function startCartSync(): Promise<() => void> {
  await startSession()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (): void => void (document.visibilityState === 'visible' && syncCart())
  const leave = [
    $token.subscribe(() => isFresh() || void syncCart()),
    $cart.listen(() => {
      clearTimeout(timer)
      timer = setTimeout(() => isAgreed() || void syncCart(), CART_REST)
    })
  ]
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    for (const stop of leave) stop()
    document.removeEventListener('visibilitychange', look)
  }
}

/** Brings both carts together; one that is under way is followed by another. */
export function syncCart(): Promise<void> {
  if (running) {
    again = true
    return running
  }
  running = bringTogether()
    .catch((error: unknown) => {
      if (!(error instanceof ShopError)) throw error
    })
    .finally(() => {
      running = undefined
      if (!again) return
      again = false
      void syncCart()
    })
  return running
}

/** Empties the cart; of who is logged in the shop's first, and whatever it answers. */
export async function clearEverywhere(clear: () => void = clearCart): Promise<void> {
  const session = sessionNow()
  const asked = session === undefined ? undefined : api('DELETE /cart')
  clear()
  try {
    const cart = await asked
    if (cart && session !== undefined) agree(session, cart)
  } catch (error) {
    logFailure(CHECKOUT_MESSAGES.cartClearFailed, error)
  }
}

async function bringTogether(): Promise<void> {
  const session = sessionNow()
  if (session === undefined) return
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const theirs = await api('GET /cart')
    const mine = entriesOf($cart.get())
    const base = agreedIn(session)
    const both = base ? mergeChanges(base.lines, mine, theirs.lines) : unionOf(mine, theirs.lines)
    const kept = await tell(both.slice(0, CART_LIMITS.lines), theirs)
    if (!kept) continue
    if (sessionNow() === session) await adopt(session, mine, kept)
    return
  }
}

/** Gives the shop a cart that is not its own; nothing when somebody else was faster. */
async function tell(lines: CartEntry[], { lines: theirs, version }: ServerCart): Promise<ServerCart | undefined> {
  if (isSameCart(lines, theirs)) return { lines, version }
  try {
    return await api('PUT /cart', { body: { lines, version } })
  } catch (error) {
    if (error instanceof ShopError && error.code === 'CART_CHANGED') return undefined
    throw error
  }
}

/** Shows what was agreed on, with what the shopper has changed since it was sent. */
async function adopt(session: string, sent: readonly CartEntry[], cart: ServerCart): Promise<void> {
  const known = entriesOf($cart.get())
  const unknown = cart.lines.filter(entry => !known.some(other => isSameEntry(other, entry)))
  const quoted = unknown.length > 0 ? (await api('POST /cart/quote', { body: { lines: unknown } })).lines : []
  const lines = $cart.get()
  const wanted = mergeChanges(sent, entriesOf(lines), cart.lines)
  agree(session, cart)
  if (isSameCart(entriesOf(lines), wanted)) return
  setLines(
    wanted.flatMap(entry => {
      const line = lines.find(own => isSameEntry(entriesOf([own])[0], entry))
      if (line) return [{ ...line, quantity: { ...line.quantity, value: entry.quantity } }]
      // What is not sold any more has not even a name.
      return quoted.filter(found => isSameEntry(found, entry) && found.problem !== 'gone').map(lineOf)
    })
  )
}

function isSameEntry(one: Pick<CartEntry, 'product' | 'dealId'> | undefined, other: CartEntry): boolean {
  return one?.product === other.product && one.dealId === other.dealId
}

/** Of somebody who is logged in. */
function sessionNow(): string | undefined {
  return $token.get()?.slice(-12)
}

function agree(session: string, { lines, version }: ServerCart): void {
  keepAgreed({ session, version, lines, at: Date.now() })
}

function agreedIn(session: string): Agreed | undefined {
  const agreed = $agreed.get()
  return agreed?.session === session ? agreed : undefined
}

function isAgreed(): boolean {
  const session = sessionNow()
  if (session === undefined) return true
  const agreed = agreedIn(session)
  return agreed !== undefined && isSameCart(agreed.lines, entriesOf($cart.get()))
}

/** Whether there is nobody to ask for, or another page has asked just now. */
function isFresh(): boolean {
  const session = sessionNow()
  if (session === undefined) return true
  const age = Date.now() - (agreedIn(session)?.at ?? 0)
  return isAgreed() && age >= 0 && age < LIVE_CATALOG_AGE
}
