import { atom, readonlyType } from 'nanostores'
import { stockSetText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type { KitchenProduct } from '../../contract/catalog.ts'
import type { Settings, StoredSection } from '../../contract/settings.ts'
import { ShopError } from '../../errors.ts'
import { listBookedDays, toggleClosedDate, type BookedDay } from '../../kitchen/bookings.ts'
import { dayClosedText, dayOpenedText } from '../../kitchen/messages.ts'
import { formatDay } from '../../order.ts'
import { toDayInIndia } from '../../time.ts'
import { loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { notify } from '../toasts.ts'
import { offerUndo } from './undo.ts'

const $state = atom<LoadState<readonly KitchenProduct[]>>({ state: 'loading' })

/** Products as the kitchen sees them: without prices. */
export const $kitchenProducts = readonlyType($state)

export function loadKitchenProducts(): Promise<void> {
  return loadInto($state, () => api('GET /admin/kitchen/products'))
}

export async function setKitchenStock({ id, name, stock: from }: KitchenProduct, to: number): Promise<void> {
  await sendStock(id, from, to)
  offerUndo({ text: stockSetText(name, to), undo: () => sendStock(id, to, from) })
}

async function sendStock(id: string, from: number, to: number): Promise<void> {
  const call = api('POST /admin/kitchen/products/{id}/stock', { params: { id }, body: { from, to } })
  const saved = await call.catch(async (error: unknown) => {
    // Shows the current stock, because somebody has sold or changed packs in the meantime.
    if (error instanceof ShopError && error.code === 'EDIT_CONFLICT') await loadKitchenProducts()
    throw error
  })
  updateLoaded($state, products => products.map(product => (product.id === id ? saved : product)))
}

export interface MonthOfBookings {
  days: BookedDay[]
  limits: Pick<Settings['calendar'], 'ordersPerDay' | 'unitsPerDay'>
  calendar: StoredSection<'calendar'>
}

/** `month` is for example '2026-11'. */
export async function readBookings(month: string): Promise<MonthOfBookings> {
  const [booked, calendar, orders] = await Promise.all([
    api('GET /admin/kitchen/bookings', { query: { month } }),
    api('GET /admin/settings/calendar'),
    api('GET /admin/settings/orders')
  ])
  const rules = { calendar: calendar.value, closed: orders.value.closed }
  return { days: listBookedDays(month, booked, rules, toDayInIndia(Date.now())), limits: calendar.value, calendar }
}

/** Closes an open day for orders, or opens a closed one. Throws EDIT_CONFLICT if somebody else saved the calendar. */
export async function toggleDay({ value, version }: StoredSection<'calendar'>, day: string): Promise<void> {
  const closedDates = toggleClosedDate(value.closedDates, day, toDayInIndia(Date.now()))
  await api('PUT /admin/settings/calendar', { body: { value: { ...value, closedDates }, version } })
  const name = formatDay(day)
  notify({ title: closedDates.includes(day) ? dayClosedText(name) : dayOpenedText(name) })
}
