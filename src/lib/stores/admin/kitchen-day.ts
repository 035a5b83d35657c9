import { atom, computed } from 'nanostores'
import { api } from '../../api.ts'
import { hasTypes, parseJson, repeatWhileVisible } from '../../browser.ts'
import type {
  Bookings,
  KitchenDay,
  KitchenDayOrder,
  PricedKitchenDay
} from '../../contract/kitchen.ts'
import type { StoredSection } from '../../contract/settings.ts'
import { t } from '../../contract/texts.ts'
import { assertShopError } from '../../errors.ts'
import { type BookedDay, changeClosedDates, listBookedDays } from '../../kitchen/day.ts'
import { formatDay } from '../../order.ts'
import { addDays, SECOND, toDayInIndia } from '../../time.ts'
import { createTurns, loadInto, type LoadState, updateLoaded } from '../load-state.ts'
import { notify } from '../toasts.ts'
import { $may } from './access.ts'
import { $orderById } from './orders.ts'
import { persistentAtom } from '../storage.ts'

interface Tick {
  order: string
  n: number
  quantity: number
  isPacked: boolean
}

/** Only owners and managers get the amounts of the orders. */
export type DayOrder = KitchenDayOrder &
  Partial<Pick<PricedKitchenDay['orders'][number], 'totalAmount'>>
export type Day = Omit<KitchenDay, 'orders'> & { orders: readonly DayOrder[] }

const RELOAD_INTERVAL = 20 * SECOND
const RETRY_DELAYS: readonly number[] = [2 * SECOND, 5 * SECOND, 10 * SECOND]
/** Replies after which the same call would fail again. */
const FINAL_STATUSES: readonly (number | undefined)[] = [400, 403, 404, 409]

const $loaded = atom<LoadState<Day>>({ state: 'loading' })
// Stored, because a phone may end the page before the network is back.
const $unsaved = persistentAtom<readonly Tick[]>('kitchen-ticks', [], decodeTicks)
const $isRetrying = atom(false)
let isSending = false
let failures = 0
let retryTimer: ReturnType<typeof setTimeout> | undefined

export const $kitchenDay = computed([$loaded, $unsaved], (loaded, unsaved): LoadState<Day> => {
  if (loaded.state !== 'ready' || unsaved.length === 0) return loaded
  const orders = loaded.value.orders.map(order => ({
    ...order,
    lines: order.lines.map(line => {
      const tick = unsaved.find(each => each.order === order._id && each.n === line.n)
      return tick ? { ...line, isPacked: tick.isPacked } : line
    })
  }))
  return { state: 'ready', value: { ...loaded.value, orders } }
})

export const $failedTicks = computed([$unsaved, $isRetrying], (unsaved, isRetrying) =>
  isRetrying ? unsaved : []
)

/** Without `date`, today. Keeps the last reply if a later call fails. */
export function loadKitchenDay(date: string | undefined): Promise<void> {
  const path = $may.get()('GET /admin/orders/day') ? 'orders' : 'kitchen'
  const query = date === undefined ? {} : { date }
  const read = (): Promise<Day> => api(`GET /admin/${path}/day`, { query })
  return loadInto($loaded, read, true)
}

export function watchKitchenDay(date: string | undefined): () => void {
  const loaded = $loaded.get()
  if (loaded.state === 'ready' && loaded.value.day !== date) $loaded.set({ state: 'loading' })
  const refresh = () => {
    void sendTicks()
    if (document.visibilityState === 'visible') void loadKitchenDay(date)
  }
  const stopRepeating = repeatWhileVisible(RELOAD_INTERVAL, refresh)
  const stopListening = $orderById.listen(refresh)
  refresh()
  return () => {
    stopRepeating()
    stopListening()
  }
}

export function setPacked({ _id }: DayOrder, lines: DayOrder['lines'], isPacked: boolean): void {
  const ticks = lines.map(({ n, quantity }) => ({ order: _id, n, quantity, isPacked }))
  $unsaved.set([
    ...$unsaved.get().filter(tick => !ticks.some(each => isSameLine(each, tick))),
    ...ticks
  ])
  void sendTicks()
}

export async function sendTicks(): Promise<void> {
  clearTimeout(retryTimer)
  if (isSending) return
  isSending = true
  try {
    for (let [first] = $unsaved.get(); first; [first] = $unsaved.get()) await sendOrder(first)
    $isRetrying.set(false)
  } catch (error) {
    assertShopError(error)
    $isRetrying.set(true)
    const delay = RETRY_DELAYS[failures++] ?? 30 * SECOND
    retryTimer = setTimeout(() => void sendTicks(), delay)
  } finally {
    isSending = false
  }
}

/** Throws a ShopError if the call can be tried again. */
async function sendOrder({ order: id, isPacked }: Tick) {
  const ticks = $unsaved.get().filter(tick => tick.order === id && tick.isPacked === isPacked)
  const lines = ticks.map(({ n, quantity }) => ({ n, quantity }))
  try {
    const { packed } = await api('POST /admin/kitchen/orders/{id}/ticks', {
      params: { id },
      body: { lines, isPacked }
    })
    failures = 0
    // The first load may have missed this tick, so it reads again.
    if ($loaded.get().state === 'loading') $loaded.set({ state: 'loading' })
    const update = (order: DayOrder): DayOrder => ({
      ...order,
      lines: order.lines.map(line => ({ ...line, isPacked: packed.includes(line.n) }))
    })
    updateLoaded($loaded, day => ({
      ...day,
      orders: day.orders.map(order => (order._id === id ? update(order) : order))
    }))
  } catch (error) {
    if (!FINAL_STATUSES.includes(assertShopError(error).replyStatus)) throw error
    const title = t('A tick could not be saved. The list is up to date again.')
    notify({ title, kind: 'destructive', topic: 'ticks' })
    const loaded = $loaded.get()
    if (loaded.state === 'ready') void loadKitchenDay(loaded.value.day)
  }
  const isSent = (tick: Tick) =>
    ticks.some(each => isSameLine(each, tick) && each.isPacked === tick.isPacked)
  $unsaved.set($unsaved.get().filter(tick => !isSent(tick)))
}

function isSameLine(a: Tick, b: Tick) {
  return a.order === b.order && a.n === b.n
}

function decodeTicks(text: string): Tick[] {
  const ticks = parseJson(text)
  const types = { order: 'string', n: 'number', quantity: 'number', isPacked: 'boolean' }
  return Array.isArray(ticks) ? ticks.filter((tick): tick is Tick => hasTypes(tick, types)) : []
}

export interface MonthOfBookings {
  days: BookedDay[]
  calendar: StoredSection<'calendar'>
}

export async function readBookings(month: string): Promise<MonthOfBookings> {
  const [booked, calendar, orders] = await Promise.all([
    api('GET /admin/kitchen/bookings', { query: { month } }),
    api('GET /admin/settings/calendar'),
    api('GET /admin/settings/orders')
  ])
  const rules = { calendar: calendar.value, closed: orders.value.closed }
  return { days: listBookedDays(month, booked, rules, Date.now()), calendar }
}

export async function readNextBookedDay(day: string): Promise<Bookings[number] | undefined> {
  const month = day.slice(0, 7)
  for (const each of [month, addDays(`${month}-28`, 4).slice(0, 7)]) {
    const booked = await api('GET /admin/kitchen/bookings', { query: { month: each } })
    const next = booked.find(row => row.day > day && row.orders > 0)
    if (next) return next
  }
  return undefined
}

const inTurn = createTurns()

export async function setDayClosed(
  calendar: StoredSection<'calendar'>,
  day: string,
  isClosed: boolean
): Promise<void> {
  await inTurn('calendar', calendar, ({ value, version }) => {
    const change = { day, isClosed }
    const closedDates = changeClosedDates(value.closedDates, change, toDayInIndia(Date.now()))
    const body = { value: { ...value, closedDates }, version }
    return api('PUT /admin/settings/calendar', { body })
  })
  notify({
    title: t(isClosed ? '{day} is closed for orders' : '{day} is open for orders', {
      day: formatDay(day)
    })
  })
}
