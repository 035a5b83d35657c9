import { atom, computed, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import { hasTypes, prefersReducedMotion, repeatWhileVisible } from '../browser.ts'
import { toCartProduct } from '../cart/line.ts'
import { DEAL_PERCENT, DRAW_ANIMATION } from '../constants.ts'
import type { Discount, FlashDeal } from '../contract/promotions.ts'
import { t } from '../contract/texts.ts'
import { type DealView, isRunning, toFlashDealView } from '../catalog/deal-view.ts'
import { assertShopError, ShopError, toErrorText } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { DRAW_ANIMATION_STEP, FLASH_DEALS_INTERVAL, LOGIN_REDIRECT_DELAY } from '../time.ts'
import { addDiscountedProduct } from './cart.ts'
import { $token, $user, checkSession, loginPathFromHere } from './session.ts'
import { readStored, writeStored } from './storage.ts'
import { notify } from './toasts.ts'
import { startLiveRequest, updateLiveProducts } from './catalog.ts'
import { createLatest } from './load-state.ts'
import { $now, fallBackToBrowserClock, runClock, setShopTime } from './shop-clock.ts'

interface DiscountRecord {
  dealId: string
  productId: string
  discount: number
  isAnimating: boolean
  timestamp: number
  used: boolean
}

export type DrawState =
  | { state: 'generating' }
  | { state: 'failed' }
  | { state: 'animating'; record: DiscountRecord; shown: number }
  | { state: 'settled'; record: DiscountRecord }

const $deals = atom<{ deals?: readonly DealView[]; failure?: string }>({})
const $draws = atom<ReadonlyMap<string, DrawState>>(new Map())
export const $flashDeals = readonlyType($deals)
export const $discounts = readonlyType($draws)
export const $shopperId = computed($user, user => user?._id)

const animations = new Set<ReturnType<typeof setInterval>>()
const startRequest = createLatest()
let currentUserId: string | undefined
let loginRedirect: ReturnType<typeof setTimeout> | undefined

export async function loadDeals(): Promise<void> {
  const isLatest = startRequest()
  const liveRequest = startLiveRequest()
  const sentAt = Date.now()
  try {
    const reply: unknown = await api('GET /flash-deals')
    if (!Array.isArray(reply)) throw new ShopError('INTERNAL')
    if (isLatest()) showDeals(reply, sentAt, liveRequest)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (!isLatest()) return
    fallBackToBrowserClock()
    $deals.set({ ...$deals.get(), failure: error.message })
  }
}

export function watchDeals(): () => void {
  void loadDeals()
  const stops = [
    runClock(),
    repeatWhileVisible(FLASH_DEALS_INTERVAL, () => {
      void loadDeals()
      void loadMyDiscounts()
    }),
    $now.listen((now, previous) => {
      if (now !== undefined && previous !== undefined) notifyEndedDeals(now, previous)
    })
  ]
  return () => stops.forEach(stop => stop())
}

function showDeals(reply: readonly Partial<FlashDeal>[], sentAt: number, liveRequest: number) {
  const [first] = reply
  if (first?.serverTime !== undefined) setShopTime(first.serverTime, sentAt, Date.now())
  const deals = reply.flatMap(deal => toFlashDealView(deal) ?? [])
  updateLiveProducts(
    deals.flatMap(({ product }) => {
      if (!product) return []
      const { _id: id, price, stock, left } = product
      return [{ id, price, stock, ...(left !== undefined && { left }) }]
    }),
    liveRequest
  )
  $deals.set({ deals })
}

function notifyEndedDeals(now: number, previous: number) {
  for (const deal of $deals.get().deals ?? []) {
    if (deal.product && isRunning(deal, previous) && !isRunning(deal, now)) {
      const { name, _id } = deal.product
      notify({ title: t('The deal on {name} has ended.', { name }), topic: _id })
    }
  }
}

export async function restoreDiscounts(): Promise<void> {
  for (const timer of animations) clearInterval(timer)
  animations.clear()
  currentUserId = $shopperId.get()
  $draws.set(new Map(readRecords(currentUserId).map(toSettledEntry)))
  await loadMyDiscounts()
}

async function loadMyDiscounts() {
  await checkSession()
  const userId = currentUserId
  if (userId === undefined || userId !== $shopperId.get()) return
  const previousDraws = $draws.get()
  const replies = await api('GET /flash-deals/mine').catch(assertShopError)
  if (userId !== currentUserId || !Array.isArray(replies)) return
  // The reply lacks discounts drawn during the request.
  const newerDraws = [...$draws.get()].filter(
    ([id, draw]) => draw.state !== 'settled' || previousDraws.get(id) !== draw
  )
  $draws.set(new Map([...replies.map(toRecord).map(toSettledEntry), ...newerDraws]))
  saveRecords()
}

export async function requestDiscount({ id, product }: DealView): Promise<void> {
  const shopper = $shopperId.get()
  if (!product) return notify({ title: MESSAGES.dealProductMissing, kind: 'destructive' })
  if (shopper === undefined) return redirectToLogin()
  const draw = $draws.get().get(id)?.state
  if (draw === 'settled')
    notify({ title: t('You already have a discount for this product'), topic: product._id })
  if (draw !== undefined && draw !== 'failed') return
  setDraw(id, { state: 'generating' })
  try {
    const request = { params: { productId: product._id } }
    const options = { isRepeatable: true }
    const drawn = await api('POST /flash-deals/generate/{productId}', request, options)
    if (shopper === $shopperId.get()) revealDiscount(id, toRecord(drawn))
  } catch (error) {
    const failure = assertShopError(error)
    if (shopper !== $shopperId.get()) return
    const text = toErrorText(failure, '')
    const isClosed = failure.code === 'SHOP_CLOSED'
    if (isClosed) removeDraw(id)
    else setDraw(id, { state: 'failed' })
    const words = isClosed ? { title: text } : { title: MESSAGES.dealDrawFailed, text }
    notify({ ...words, kind: 'destructive', topic: product._id })
  }
}

export function addDealToCart({ id, product }: DealView): void {
  if (!product) return notify({ title: MESSAGES.dealProductMissing, kind: 'destructive' })
  const draw = $draws.get().get(id)
  if (draw?.state !== 'settled')
    return notify({
      title: t('Please click on the product to get your discount first'),
      topic: product._id
    })
  if (draw.record.used) return notify({ title: MESSAGES.dealUsed, topic: product._id })
  const drawn = { dealId: id, discount: draw.record.discount }
  addDiscountedProduct(toCartProduct(product), drawn)
}

function revealDiscount(requestedId: string, record: DiscountRecord) {
  const { dealId, discount, productId, used } = record
  // For an outdated deal, the server uses the product's current one.
  if (dealId !== requestedId) removeDraw(requestedId)
  const finish = () => {
    setDraw(dealId, { state: 'settled', record })
    saveRecords()
    if (!used)
      notify({
        title: t('Congratulations! You got a {discount}% discount!', { discount }),
        topic: productId
      })
  }
  if (used || prefersReducedMotion()) return finish()
  animateDraw(shown => setDraw(dealId, { state: 'animating', record, shown }), finish)
  saveRecords()
}

function redirectToLogin() {
  notify({ title: MESSAGES.dealLogin, topic: MESSAGES.dealLogin })
  loginRedirect ??= setTimeout(() => {
    loginRedirect = undefined
    if ($token.get() !== undefined) return
    location.assign(loginPathFromHere())
  }, LOGIN_REDIRECT_DELAY)
}

function setDraw(dealId: string, draw: DrawState) {
  $draws.set(new Map([...$draws.get(), [dealId, draw]]))
}

function removeDraw(dealId: string) {
  $draws.set(new Map([...$draws.get()].filter(([id]) => id !== dealId)))
}

function saveRecords() {
  if (currentUserId === undefined) return
  const records = [...$draws.get().values()].flatMap(draw =>
    'record' in draw ? [{ ...draw.record, isAnimating: draw.state === 'animating' }] : []
  )
  writeStored(`discounts:${currentUserId}`, records.length > 0 ? records : undefined)
}

function toSettledEntry(record: DiscountRecord): [string, DrawState] {
  return [record.dealId, { state: 'settled', record }]
}

function toRecord({ dealId, productId, discount, used, serverTime }: Discount): DiscountRecord {
  const timestamp = Date.parse(serverTime)
  return { dealId, productId, discount, isAnimating: false, timestamp, used }
}

function readRecords(userId: string | undefined): DiscountRecord[] {
  const records = userId && readStored(`discounts:${userId}`)
  return Array.isArray(records) ? records.filter(isRecord) : []
}

const RECORD_TYPES = {
  dealId: 'string',
  productId: 'string',
  isAnimating: 'boolean',
  timestamp: 'number',
  used: 'boolean'
}

function isRecord(value: unknown): value is DiscountRecord {
  if (!hasTypes(value, RECORD_TYPES)) return false
  const { discount } = value as DiscountRecord
  return Number.isInteger(discount) && discount >= DEAL_PERCENT.min && discount <= DEAL_PERCENT.max
}

function animateDraw(show: (percent: number) => void, done: () => void) {
  const { steps, minPercent, maxPercent } = DRAW_ANIMATION
  let shown = 0
  const step = () => {
    if (shown++ < steps)
      return show(minPercent + Math.floor(Math.random() * (maxPercent - minPercent + 1)))
    clearInterval(timer)
    animations.delete(timer)
    done()
  }
  const timer = setInterval(step, DRAW_ANIMATION_STEP)
  animations.add(timer)
  step()
}
