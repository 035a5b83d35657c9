import type { Settings } from '#lib/contract/settings.ts'
import type { DeliveryDay } from '#lib/delivery/calendar.ts'
import type { DayLoad } from '#lib/delivery/terms.ts'
import type { ShopError } from '#lib/errors.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { hasWritten } from '../platform/db/write.ts'
import { readSection } from '../settings/settings.ts'

type Capacity = Pick<Settings['calendar'], 'ordersPerDay' | 'unitsPerDay'>
type DayOfOrder = Pick<DeliveryDay, 'date' | 'kitchenDay'>

const NO_LIMIT = 1_000_000_000

/** Days without an order are missing. */
export async function readDayLoads(
  db: Db,
  from: string,
  until: string
): Promise<Map<string, DayLoad>> {
  const days = await db
    .selectFrom('delivery_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', until)
    .execute()
  return new Map(days.map(({ day, ...load }) => [day, load]))
}

/** Without `order`, the caller must roll back. Without `refusal` too, all days are full. */
export type Placing =
  | { order: OrderRow; refusal?: undefined }
  | { order?: undefined; refusal: ShopError | undefined }

interface PlaceRules {
  /** The delivery date stays null if the shopper has not chosen one. */
  keepsDate: boolean
  capacity: Capacity
  /** Called with each kitchen day, while its row is locked. */
  findRefusal?: ((day: string) => Promise<ShopError | undefined>) | undefined
}

/** On the first of the days that has a place. The order must have none. */
export async function reservePlace(
  trx: Trx,
  { id, delivery_date, moved_from, kitchen_units: units }: OrderRow,
  days: readonly DayOfOrder[],
  { keepsDate, capacity, findRefusal }: PlaceRules
): Promise<Placing> {
  let refusal: ShopError | undefined
  for (const { date, kitchenDay } of days) {
    const isMoved = delivery_date !== null && delivery_date !== date
    const changes = {
      holds_place: 1,
      kitchen_day: kitchenDay,
      delivery_date: keepsDate && delivery_date === null ? null : date,
      moved_from: isMoved ? (moved_from ?? delivery_date) : moved_from
    }
    if (!(await takePlace(trx, kitchenDay, units, capacity))) continue
    const update = trx.updateTable('orders').set(changes).where('id', '=', id)
    const order = await update.returningAll().executeTakeFirst()
    if (!order) continue
    const found = await findRefusal?.(kitchenDay)
    if (!found) return { order }
    refusal = found
    // Another day helps only if the day is the problem.
    if (!found.fields) break
    await freePlace(trx, kitchenDay, units)
  }
  return { refusal }
}

export async function releasePlace(trx: Trx, orderId: string): Promise<void> {
  const order = trx
    .updateTable('orders')
    .set({ holds_place: 0 })
    .where('id', '=', orderId)
    .where('holds_place', '=', 1)
  const released = await order.returning(['kitchen_day', 'kitchen_units']).executeTakeFirst()
  if (released?.kitchen_day) await freePlace(trx, released.kitchen_day, released.kitchen_units)
}

/** The caller must roll back if the result is undefined: no place, moved since, or a full day. */
export async function movePlace(
  trx: Trx,
  {
    id,
    kitchen_day: from,
    kitchen_units: unitsBefore
  }: Pick<OrderRow, 'id' | 'kitchen_day' | 'kitchen_units'>,
  { date, kitchenDay }: DayOfOrder,
  { units, isForced }: { units: number; isForced: boolean }
): Promise<OrderRow | undefined> {
  const changes = { kitchen_day: kitchenDay, delivery_date: date, kitchen_units: units }
  const changed = trx.updateTable('orders').set(changes).where('id', '=', id)
  const unmoved = changed.where('holds_place', '=', 1).where('kitchen_day', '=', from)
  const order = await unmoved.returningAll().executeTakeFirst()
  if (!order || from === null) return order
  if (from === kitchenDay) {
    if (units !== unitsBefore) await freePlace(trx, from, unitsBefore - units, 0)
    return order
  }
  const capacity = await readCapacity(trx, isForced)
  const free = () => freePlace(trx, from, unitsBefore)
  const take = () => takePlace(trx, kitchenDay, units, capacity)
  // Locked in the order of the days, so that concurrent moves can't deadlock.
  const [first, second] = from < kitchenDay ? [free, take] : [take, free]
  return (await first()) && (await second()) ? order : undefined
}

/** Does not check the capacity. */
export async function updateUnits(trx: Trx, order: OrderRow, units: number): Promise<void> {
  await trx.updateTable('orders').set({ kitchen_units: units }).where('id', '=', order.id).execute()
  if (order.holds_place === 1 && order.kitchen_day !== null)
    await freePlace(trx, order.kitchen_day, order.kitchen_units - units, 0)
}

export async function readCapacity(trx: Trx, isForced = false): Promise<Capacity> {
  return isForced ? { ordersPerDay: 0, unitsPerDay: 0 } : readSection(trx, 'calendar')
}

/** Returns false if the day is full. 0 means no limit. */
async function takePlace(
  trx: Trx,
  day: string,
  units: number,
  { ordersPerDay, unitsPerDay }: Capacity
) {
  const maxUnits = unitsPerDay || NO_LIMIT
  // The conditions of the statement apply only to days that already have a row.
  if (units > maxUnits) return false
  const place = trx
    .insertInto('delivery_days')
    .values({ day, orders: 1, units })
    .onConflict(conflict =>
      conflict
        .column('day')
        .doUpdateSet(row => ({
          orders: row('delivery_days.orders', '+', 1),
          units: row('delivery_days.units', '+', units)
        }))
        .where('delivery_days.orders', '<', ordersPerDay || NO_LIMIT)
        .where('delivery_days.units', '<=', maxUnits - units)
    )
  return hasWritten(place)
}

function freePlace(trx: Trx, day: string, units: number, orders = 1) {
  const place = trx.updateTable('delivery_days').where('day', '=', day)
  return hasWritten(
    place.set(row => ({ orders: row('orders', '-', orders), units: row('units', '-', units) }))
  )
}
