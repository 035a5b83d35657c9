import { atom, computed, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { Discount } from '../contract/deals.ts'
import type { DealView } from '../deal-view.ts'
import { dealDrawn, MESSAGES } from '../messages.ts'
import { loginPath } from '../return-path.ts'
import { ShopError, errorText } from '../shop-error.ts'
import { LOGIN_REDIRECT_DELAY } from '../time.ts'
import { addDiscounted } from './cart-discount.ts'
import { writeRecords, readRecords, type DiscountRecord } from './discount-records.ts'
import { animateDraw } from './draw-animation.ts'
import { $token, $user } from './stored-session.ts'
import { notify } from './toasts.ts'

export type DrawState =
  | { state: 'generating' }
  | { state: 'failed' }
  | { state: 'animating'; record: DiscountRecord; shown: number }
  | { state: 'settled'; record: DiscountRecord }

const $state = atom<ReadonlyMap<string, DrawState>>(new Map())
export const $discounts = readonlyType($state)
export const $shopperId = computed([$token, $user], (token, user) => (token === undefined ? undefined : user?._id))

const animations = new Map<string, () => void>()
let currentUserId: string | undefined
let loginRedirect: ReturnType<typeof setTimeout> | undefined

export async function restoreDiscounts(): Promise<void> {
  for (const stop of animations.values()) stop()
  animations.clear()
  currentUserId = $shopperId.get()
  $state.set(new Map(currentUserId === undefined ? [] : readRecords(currentUserId).map(settledEntry)))
  await loadMyDiscounts()
}

export async function loadMyDiscounts(): Promise<void> {
  const userId = currentUserId
  if (userId === undefined) return
  const before = $state.get()
  const replies = await api('GET /flash-deals/mine').catch(ignoreShopError)
  if (userId !== currentUserId || !Array.isArray(replies)) return
  // The reply may lack a discount drawn during the request.
  const newer = [...$state.get()].filter(([id, draw]) => draw.state !== 'settled' || before.get(id) !== draw)
  $state.set(new Map([...replies.map(recordOf).map(settledEntry), ...newer]))
  saveRecords()
}

export async function requestDiscount({ id, product }: DealView): Promise<void> {
  const shopper = $shopperId.get()
  if (!product) return notify({ title: MESSAGES.dealProductMissing, kind: 'destructive' })
  if (shopper === undefined) return redirectToLogin()
  const draw = $state.get().get(id)?.state
  if (draw === 'settled') notify({ title: MESSAGES.dealAlreadyDrawn, about: product._id })
  if (draw !== undefined && draw !== 'failed') return
  put(id, { state: 'generating' })
  try {
    const drawn = await api('POST /flash-deals/generate/{productId}', { params: { productId: product._id } })
    if (shopper === $shopperId.get()) revealDiscount(id, recordOf(drawn))
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    put(id, { state: 'failed' })
    if (error.status !== 401) notifyFailure(error, product._id)
  }
}

export function addDealToCart({ id, product }: DealView): void {
  if (!product) return notify({ title: MESSAGES.dealProductMissing, kind: 'destructive' })
  const draw = $state.get().get(id)
  if (draw?.state !== 'settled') return notify({ title: MESSAGES.dealClickFirst, about: product._id })
  if (draw.record.used) return notify({ title: MESSAGES.dealUsed, about: product._id })
  const { stock, left, ...plain } = product
  addDiscounted(plain, { dealId: id, discount: draw.record.discount })
}

function revealDiscount(requestedId: string, record: DiscountRecord): void {
  const { dealId, discount, productId } = record
  // The server may have replaced the deal shown on the page.
  if (dealId !== requestedId) remove(requestedId)
  if (record.used) return finishDraw(record)
  const stop = animateDraw(
    shown => put(dealId, { state: 'animating', record, shown }),
    () => {
      animations.delete(dealId)
      finishDraw(record)
      notify({ title: dealDrawn(discount), about: productId })
    }
  )
  if ($state.get().get(dealId)?.state === 'animating') {
    animations.set(dealId, stop)
    saveRecords()
  }
}

function finishDraw(record: DiscountRecord): void {
  put(record.dealId, { state: 'settled', record })
  saveRecords()
}

function notifyFailure(error: ShopError, about: string): void {
  notify({ title: MESSAGES.dealDrawFailed, text: errorText(error, ''), kind: 'destructive', about })
}

function redirectToLogin(): void {
  notify({ title: MESSAGES.dealLogin, about: MESSAGES.dealLogin })
  loginRedirect ??= setTimeout(() => {
    loginRedirect = undefined
    if ($token.get() !== undefined) return
    const { pathname, search, hash } = location
    location.assign(loginPath(`${pathname}${search}${hash}`))
  }, LOGIN_REDIRECT_DELAY)
}

function put(dealId: string, draw: DrawState): void {
  $state.set(new Map([...$state.get(), [dealId, draw]]))
}

function remove(dealId: string): void {
  $state.set(new Map([...$state.get()].filter(([id]) => id !== dealId)))
}

function saveRecords(): void {
  if (currentUserId === undefined) return
  const all = [...$state.get().values()]
  writeRecords(
    currentUserId,
    all.flatMap(draw => ('record' in draw ? [{ ...draw.record, isAnimating: draw.state === 'animating' }] : []))
  )
}

function settledEntry(record: DiscountRecord): [string, DrawState] {
  return [record.dealId, { state: 'settled', record }]
}

function recordOf({ dealId, productId, discount, used, serverTime }: Discount): DiscountRecord {
  return { dealId, productId, discount, isAnimating: false, timestamp: Date.parse(serverTime), used }
}

function ignoreShopError(error: unknown): undefined {
  if (error instanceof ShopError) return undefined
  throw error
}
