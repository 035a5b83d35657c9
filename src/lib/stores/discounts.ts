import { atom, computed, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { Discount } from '../contract/deals.ts'
import type { DealView } from '../deal-view.ts'
import { dealDrawn, MESSAGES } from '../messages.ts'
import { loginPath } from '../return-path.ts'
import { ShopError, wordsOf } from '../shop-error.ts'
import { LOGIN_REDIRECT } from '../time.ts'
import { addDiscounted } from './cart-discount.ts'
import { keepRecords, readRecords, type DiscountRecord } from './discount-records.ts'
import { spin } from './spin.ts'
import { $token, $user } from './stored-session.ts'
import { notify } from './toasts.ts'

/** What a shopper has of a deal. */
export type Personal =
  | { state: 'generating' }
  | { state: 'failed' }
  /** `shown` is one of the numbers that run past, not the discount. */
  | { state: 'animating'; record: DiscountRecord; shown: number }
  | { state: 'settled'; record: DiscountRecord }

const $state = atom<ReadonlyMap<string, Personal>>(new Map())
/** By the deal's id, of who is logged in. */
export const $discounts = readonlyType($state)
/** The id of who is logged in, as far as the browser knows. */
export const $shopper = computed([$token, $user], (token, user) => (token === undefined ? undefined : user?._id))

const spins = new Map<string, () => void>()
let owner: string | undefined
let leaving: ReturnType<typeof setTimeout> | undefined

/** Shows what the browser has kept for who is logged in, then what the shop knows. */
export async function openDiscounts(): Promise<void> {
  for (const stop of spins.values()) stop()
  spins.clear()
  owner = $shopper.get()
  $state.set(new Map(owner === undefined ? [] : readRecords(owner).map(settled)))
  await loadMyDiscounts()
}

/** Takes over what the shop knows; when it can't be reached, what the browser has kept stays. */
export async function loadMyDiscounts(): Promise<void> {
  const asker = owner
  if (asker === undefined) return
  const before = $state.get()
  const mine = await api('GET /flash-deals/mine').catch(unreachable)
  if (asker !== owner || !Array.isArray(mine)) return
  // What was drawn while the shop answered may not be in its answer.
  const newer = [...$state.get()].filter(([id, own]) => own.state !== 'settled' || before.get(id) !== own)
  $state.set(new Map([...mine.map(recordOf).map(settled), ...newer]))
  keep()
}

/** What a press on a deal asks for: the shopper's discount, drawn once. */
export async function requestDiscount({ id, product }: DealView): Promise<void> {
  const shopper = $shopper.get()
  if (!product) return notify({ title: MESSAGES.dealProductMissing, kind: 'destructive' })
  if (shopper === undefined) return askToLogIn()
  const own = $state.get().get(id)?.state
  if (own === 'settled') notify({ title: MESSAGES.dealHad, about: product._id })
  if (own !== undefined && own !== 'failed') return
  put(id, { state: 'generating' })
  try {
    const drawn = await api('POST /flash-deals/generate/{productId}', { params: { productId: product._id } })
    if (shopper === $shopper.get()) unveil(id, recordOf(drawn))
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    put(id, { state: 'failed' })
    // That the session has ended is said already.
    if (error.status !== 401) explain(error, product._id)
  }
}

/** Puts the one pack at the reduced price in the cart. */
export function addDealToCart({ id, product }: DealView): void {
  if (!product) return notify({ title: MESSAGES.dealProductMissing, kind: 'destructive' })
  const own = $state.get().get(id)
  if (own?.state !== 'settled') return notify({ title: MESSAGES.dealClickFirst, about: product._id })
  if (own.record.used) return notify({ title: MESSAGES.dealUsed, about: product._id })
  const { stock, left, ...plain } = product
  addDiscounted(plain, { dealId: id, discount: own.record.discount })
}

function unveil(asked: string, record: DiscountRecord): void {
  const { dealId, discount, productId } = record
  // The deal that was on the page may have made way for the next one of its product.
  if (dealId !== asked) remove(asked)
  if (record.used) return settle(record)
  const stop = spin(
    shown => put(dealId, { state: 'animating', record, shown }),
    () => {
      spins.delete(dealId)
      settle(record)
      notify({ title: dealDrawn(discount), about: productId })
    }
  )
  if ($state.get().get(dealId)?.state === 'animating') {
    spins.set(dealId, stop)
    keep()
  }
}

function settle(record: DiscountRecord): void {
  put(record.dealId, { state: 'settled', record })
  keep()
}

function explain(error: ShopError, about: string): void {
  notify({ title: MESSAGES.dealDrawFailed, text: wordsOf(error, ''), kind: 'destructive', about })
}

function askToLogIn(): void {
  notify({ title: MESSAGES.dealLogin, about: MESSAGES.dealLogin })
  leaving ??= setTimeout(() => {
    leaving = undefined
    // Another tab may have logged in meanwhile.
    if ($token.get() !== undefined) return
    const { pathname, search, hash } = location
    location.assign(loginPath(`${pathname}${search}${hash}`))
  }, LOGIN_REDIRECT)
}

function put(dealId: string, own: Personal): void {
  $state.set(new Map([...$state.get(), [dealId, own]]))
}

function remove(dealId: string): void {
  $state.set(new Map([...$state.get()].filter(([id]) => id !== dealId)))
}

function keep(): void {
  if (owner === undefined) return
  const all = [...$state.get().values()]
  keepRecords(
    owner,
    all.flatMap(own => ('record' in own ? [{ ...own.record, isAnimating: own.state === 'animating' }] : []))
  )
}

function settled(record: DiscountRecord): [string, Personal] {
  return [record.dealId, { state: 'settled', record }]
}

function recordOf({ dealId, productId, discount, used, serverTime }: Discount): DiscountRecord {
  return { dealId, productId, discount, isAnimating: false, timestamp: Date.parse(serverTime), used }
}

function unreachable(error: unknown): undefined {
  if (error instanceof ShopError) return undefined
  throw error
}
