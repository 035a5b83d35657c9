import { api } from '../api.ts'
import { hasTypes, logFailure, onVisible, parseJson } from '../browser.ts'
import { areEntries, isSameCart, mergeChanges, toCartEntries, toCartLine } from '../cart/entries.ts'
import { CART_LIMITS } from '../constants.ts'
import type { CartEntry, ServerCart } from '../contract/checkout.ts'
import { assertShopError, ShopError } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { CART_SYNC_DEBOUNCE, LIVE_CATALOG_MAX_AGE } from '../time.ts'
import { $cart, clearCart, setLines } from './cart.ts'
import { setCoupon } from './coupon.ts'
import { $token, checkSession, clearSession, notifySession } from './session.ts'
import { clearPersonalData, isKept, persistentAtom, readStored, writeStored } from './storage.ts'

interface SyncedCart {
  /** Last characters of the token: another session can't use it. */
  session: string
  version: number
  lines: CartEntry[]
  at: number
}

const MAX_MERGE_ATTEMPTS = 4

/**
 * The server's cart after the last sync. It is stored only if the cart is, too: otherwise the next
 * page would find an empty cart, and remove these lines from the account.
 */
const $synced = persistentAtom<SyncedCart | undefined>(
  'cart-agreed',
  undefined,
  decodeSyncedCart,
  synced => (isKept('cart') ? JSON.stringify(synced) : undefined)
)

let runningSync: Promise<void> | undefined
let syncAgain = false

export async function startCartSync(): Promise<() => void> {
  await checkSession()
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribers = [
    $token.subscribe(() => isSynced(LIVE_CATALOG_MAX_AGE) || void syncCart()),
    $cart.listen(() => {
      clearTimeout(timer)
      timer = setTimeout(() => isSynced() || void syncCart(), CART_SYNC_DEBOUNCE)
    }),
    onVisible(syncCart)
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of unsubscribers) stop()
  }
}

export function syncCart(): Promise<void> {
  if (runningSync) {
    syncAgain = true
    return runningSync
  }
  runningSync = mergeWithServer()
    .catch((error: unknown) => void assertShopError(error))
    .finally(() => {
      runningSync = undefined
      if (!syncAgain) return
      syncAgain = false
      void syncCart()
    })
  return runningSync
}

/** Also if the call fails, as the specification demands. */
export async function clearCartEverywhere(): Promise<void> {
  const session = getSessionKey()
  const request = session === undefined ? undefined : api('DELETE /cart')
  clearCart()
  try {
    const cart = await request
    if (cart && session !== undefined) saveSync(session, cart)
  } catch (error) {
    logFailure('Failed to clear cart on backend', error)
  }
}

export async function logOut(): Promise<void> {
  const request = api('POST /auth/logout').catch(() => undefined)
  clearBrowserData()
  notifySession({ title: MESSAGES.loggedOut, text: MESSAGES.loggedOutText })
  await request
}

export function clearBrowserData(): void {
  clearSession()
  setLines([])
  $synced.set(undefined)
  setCoupon(undefined)
  clearPersonalData()
  if (readStored('bell') !== undefined) void silenceBell()
}

/** The server silences a device whose session has ended. */
async function silenceBell() {
  writeStored('bell', undefined)
  const worker = await navigator.serviceWorker.getRegistration()
  await (await worker?.pushManager.getSubscription())?.unsubscribe()
}

async function mergeWithServer() {
  const session = getSessionKey()
  if (session === undefined) return
  for (let attempt = 0; attempt < MAX_MERGE_ATTEMPTS; attempt++) {
    // Before the request: another tab may sync meanwhile, and the reply be older than its result.
    const base = findSyncedCart(session)?.lines ?? []
    const serverCart = await api('GET /cart')
    if (getSessionKey() !== session) return
    const local = toCartEntries($cart.get())
    const merged = mergeChanges(base, local, serverCart.lines)
    const saved = await pushCart(merged.slice(0, CART_LIMITS.lines), serverCart)
    if (!saved) continue
    return applyServerCart(session, local, saved)
  }
}

async function pushCart(
  lines: CartEntry[],
  { lines: theirs, version }: ServerCart
): Promise<ServerCart | undefined> {
  if (isSameCart(lines, theirs)) return { lines, version }
  try {
    return await api('PUT /cart', { body: { lines, version } }, { isRepeatable: true })
  } catch (error) {
    if (error instanceof ShopError && error.code === 'CART_CHANGED') return undefined
    throw error
  }
}

/** Keeps what the shopper has changed since `sent` went out. */
async function applyServerCart(session: string, sent: readonly CartEntry[], cart: ServerCart) {
  const localEntries = toCartEntries($cart.get())
  const newEntries = cart.lines.filter(
    entry => !localEntries.some(other => isSameEntry(other, entry))
  )
  const quoted =
    newEntries.length > 0
      ? (await api('POST /cart/quote', { body: { lines: newEntries } }, { isRepeatable: true }))
          .lines
      : []
  if (getSessionKey() !== session) return
  const lines = $cart.get()
  const mergedEntries = mergeChanges(sent, toCartEntries(lines), cart.lines)
  saveSync(session, cart)
  if (isSameCart(toCartEntries(lines), mergedEntries)) return
  setLines(
    mergedEntries.flatMap(entry => {
      const line = lines.find(candidate => isSameEntry(toCartEntries([candidate])[0], entry))
      if (line) return [{ ...line, quantity: { ...line.quantity, value: entry.quantity } }]
      return quoted
        .filter(candidate => isSameEntry(candidate, entry) && candidate.problem !== 'gone')
        .map(toCartLine)
    })
  )
}

function isSameEntry(a: Pick<CartEntry, 'product' | 'dealId'> | undefined, b: CartEntry) {
  return a?.product === b.product && a.dealId === b.dealId
}

function getSessionKey() {
  return $token.get()?.slice(-12)
}

function saveSync(session: string, { lines, version }: ServerCart) {
  $synced.set({ session, version, lines, at: Date.now() })
}

function findSyncedCart(session: string): SyncedCart | undefined {
  const synced = $synced.get()
  return synced?.session === session ? synced : undefined
}

/** True for guests, whose cart stays in the browser. */
function isSynced(maxAge = Infinity) {
  const session = getSessionKey()
  if (session === undefined) return true
  const synced = findSyncedCart(session)
  const isSame = synced !== undefined && isSameCart(synced.lines, toCartEntries($cart.get()))
  // The clock may have been changed.
  return isSame && Math.abs(Date.now() - synced.at) < maxAge
}

function decodeSyncedCart(stored: string): SyncedCart | undefined {
  const cart = parseJson(stored) as Partial<SyncedCart> | null | undefined
  const isValid =
    hasTypes(cart, { session: 'string', version: 'number' }) && areEntries(cart?.lines)
  return isValid ? (cart as SyncedCart) : undefined
}
