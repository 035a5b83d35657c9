import { sql } from 'kysely'
import { fromRupees } from '#lib/money.ts'
import { addDays, DAY, MINUTE, toDayInIndia } from '#lib/time.ts'
import type { Database } from '#server/platform/db/connect.ts'
import type { Tables } from '#server/platform/db/tables.ts'
import { seededInt } from '../tests/support/random.ts'

const BATCH = 1000
const ORDERS_PER_CUSTOMER = 5
const YEARS = 2
const FIRST_NAMES = [
  'Priya',
  'Anita',
  'Karthik',
  'Meena',
  'Senthil',
  'Lakshmi',
  'Ravi',
  'Divya',
  'Arun',
  'Kavitha'
]
const LAST_NAMES = [
  'Raman',
  'Kumar',
  'Iyer',
  'Subramanian',
  'Nair',
  'Pillai',
  'Reddy',
  'Chandran',
  'Murugan',
  'Das'
]
const STREETS = [
  'Nandi Koil Street',
  'Rockfort Road',
  'Big Bazaar Street',
  'Salai Road',
  'Bharathi Nagar'
]
const SWEETS = [
  'Mysore Pak',
  'Mango Pickle',
  'Sambar Powder',
  'Kai Murukku',
  'Adhirasam',
  'Ribbon Pakoda',
  'Athirasam'
]

type Row = Record<string, string | number | null>

/**
 * Adds orders of the last two years. `from` is the number of orders that earlier calls have added.
 */
export async function addOrders(database: Database, from: number, until: number): Promise<void> {
  const now = Date.now()
  await database.kysely.transaction().execute(async kysely => {
    for (let start = from; start < until; start += BATCH) {
      const orders = Array.from({ length: BATCH }, (_, index) => draftOrder(start + index, now))
      const rows = orders.reduce<Partial<Record<keyof Tables, Row[]>>>((all, order) => {
        for (const [table, added] of Object.entries(order) as [keyof Tables, Row[]][])
          all[table] = [...(all[table] ?? []), ...added]
        return all
      }, {})
      for (const [table, added] of Object.entries(rows))
        await insertRows({ ...database, kysely }, table, added)
    }
  })
  if (database.dialect === 'sqlite') return void (await sql`analyze`.execute(database.kysely))
  // Each line of an order writes the order's searchable text again. Orders that come one after the
  // other use the freed space again, but one large transaction leaves a table of three times the
  // size.
  await sql`vacuum full order_texts`.execute(database.kysely)
  // PostgreSQL starts this by itself within a minute. Before it, the order list takes three times
  // as long.
  await sql`vacuum analyze`.execute(database.kysely)
}

/**
 * Passes the rows as one JSON text, because statements with a value for each field take much
 * longer.
 */
async function insertRows(
  { kysely, dialect }: Database,
  table: string,
  rows: readonly Row[]
): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const columns = sql.join(names.map(name => sql.ref(name)))
  const json = JSON.stringify(rows)
  const values =
    dialect === 'sqlite'
      ? sql`${sql.join(names.map(name => sql`json_extract(value, ${sql.lit(`$.${name}`)})`))} from json_each(${json})`
      : sql`${columns} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
  await sql`insert into ${sql.table(table)} (${columns}) select ${values}`.execute(kysely)
}

function draftOrder(n: number, now: number): Partial<Record<keyof Tables, Row[]>> {
  const random = seededInt(n + 1)
  const createdMs =
    now - Math.floor((((n * 7919) % 100_000) / 100_000) * YEARS * 365 * DAY) - MINUTE
  const [created_at, paid_at] = [createdMs, createdMs + MINUTE].map(ms =>
    new Date(ms).toISOString()
  )
  const customer = Math.floor(n / ORDERS_PER_CUSTOMER)
  const user_id = `customer-${customer}`
  const name = `${FIRST_NAMES[customer % 10]} ${LAST_NAMES[Math.floor(customer / 10) % 10]}`
  const email = `${name.replace(' ', '.').toLowerCase()}${customer}@example.com`
  const phone = String(9_000_000_000 + customer * 7)
  const street = `${1 + random(0, 200)} ${STREETS[random(0, STREETS.length)]}`
  const pincode = String(620_001 + random(0, 25))
  const address = {
    street,
    city: 'Tiruchirappalli',
    state: 'Tamil Nadu',
    pincode,
    country: 'India'
  }
  const age = now - createdMs
  const isPaid = random(0, 100) < 94
  const id = `order-${n}`
  const day = addDays(toDayInIndia(createdMs), 3)
  const lines = Array.from({ length: 1 + random(0, 4) }, (_, line) => draftLine(id, line, random))
  const total = lines.reduce((sum, line) => sum + Number(line['total']), 0)
  const status = age < 2 * DAY ? 'pending' : age < 4 * DAY ? 'packed' : 'delivered'
  const at = (days: number): string => new Date(createdMs + days * DAY).toISOString()
  const order: Row = {
    id,
    user_id,
    created_at: created_at ?? '',
    order_no: `PG-${n.toString(36).toUpperCase().padStart(6, '0')}`,
    checkout_key: id,
    request_hash: 'h'.repeat(32),
    payment_state: isPaid ? 'paid' : 'expired',
    fulfilment_status: isPaid ? status : null,
    currency: 'INR',
    total,
    customer: JSON.stringify({ name, email, phone }),
    address: JSON.stringify(address),
    delivery_date: n % 3 === 0 ? null : day,
    kitchen_day: isPaid ? day : null,
    holds_place: isPaid && status !== 'delivered' ? 1 : 0,
    provider_order_id: `order_${n}`,
    reserved_until: at(1),
    paid_payment_id: isPaid ? `pay_${n}` : null,
    paid_at: isPaid ? (paid_at ?? '') : null,
    packed_at: isPaid && status !== 'pending' ? at(2) : null,
    dispatched_at: isPaid && age > 3 * DAY ? at(3) : null,
    delivered_at: isPaid && status === 'delivered' ? at(4) : null,
    ended_at: isPaid ? null : at(1),
    invoice_year: isPaid ? 'bench' : null,
    invoice_no: isPaid ? n : null,
    delivery_method: 'own',
    payment_mode: 'test'
  }
  const mail = { to: email, subject: 'Your order', text: 'A line of the mail. '.repeat(80) }
  const payment = {
    id: `pay_${n}`,
    provider_order_id: `order_${n}`,
    amount: total,
    currency: 'INR',
    method: 'upi'
  }
  const times = { created_at: created_at ?? '', updated_at: created_at ?? '' }
  const audit = {
    at: at(2),
    actor_id: null,
    actor_name: 'Meena',
    kind: 'order',
    subject_id: id,
    action: 'changed'
  }
  return {
    ...(n % ORDERS_PER_CUSTOMER === 0 && {
      users: [
        {
          id: user_id,
          email,
          name,
          phone,
          address: JSON.stringify(address),
          created_at: created_at ?? ''
        }
      ]
    }),
    orders: [order],
    order_lines: lines,
    stock_movements: lines.map(({ product_id = '' }, seq) => {
      return {
        order_id: id,
        product_id,
        seq,
        delta: -1,
        reason: 'reserved',
        moved_at: created_at ?? ''
      }
    }),
    payments: [
      { ...payment, ...times, status: isPaid ? 'captured' : 'failed', rank: isPaid ? 3 : 1 }
    ],
    outbox: ['shopper', 'shop'].map(to => ({
      id: `order-placed-${to}-${id}`,
      payload: age < 90 * DAY ? JSON.stringify(mail) : '{}',
      state: 'sent',
      attempts: 1,
      next_at: times.created_at,
      created_at: times.created_at
    })),
    audit: [0, 1].map(index => ({
      ...audit,
      id: `${id}-${index}`,
      before: '{}',
      after: '{"status":"packed"}'
    })),
    ...(age < 30 * DAY && {
      webhook_events: [
        {
          id: `evt_${n}`,
          type: 'payment.captured',
          payment_id: `pay_${n}`,
          attempts: 1,
          received_at: times.created_at
        }
      ]
    })
  }
}

function draftLine(
  order_id: string,
  n: number,
  random: (from: number, until: number) => number
): Row {
  const product = random(0, SWEETS.length)
  const [quantity, price] = [1 + random(0, 3), fromRupees(80 + product * 30)]
  return {
    order_id,
    n,
    product_id: `sweet-${product}`,
    name: SWEETS[product] ?? '',
    category: 'sweets',
    pack_value: 250,
    pack_unit: 'g',
    pack_type: 'weight',
    quantity,
    list_price: price,
    price,
    total: quantity * price
  }
}

export async function addProducts(database: Database, count: number): Promise<void> {
  const { kysely } = database
  const [sample] = await kysely.selectFrom('products').selectAll().limit(1).execute()
  const rows = Array.from({ length: count }, (_, n) => ({
    ...sample,
    id: `product-${n}`,
    name: `Sweet ${n}`
  }))
  await insertRows(database, 'products', rows)
  await sql`update counters set value = value + 1 where name = 'catalog'`.execute(kysely)
}
