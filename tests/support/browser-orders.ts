import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPaise } from '#lib/money.ts'
import { toFinancialYear } from '#lib/time.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/platform/db/connect.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import type { Shopper } from './browser-accounts.ts'

interface OrderOptions {
  name?: string
  deliveryDate?: string | null
}

const ADDRESS = {
  apartmentOrSuite: '3B',
  street: '4 Rockfort Road',
  city: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}

export async function addOrder(
  dataDir: string,
  { row, email }: Shopper,
  { name = 'Anita Kumar', deliveryDate = null }: OrderOptions = {}
): Promise<{ id: string; number: string }> {
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  const id = randomUUID()
  const now = new Date().toISOString()
  const number = `PG-${id.slice(0, 6).toUpperCase()}`
  const year = toFinancialYear(Date.now())
  const picture = JSON.stringify(
    await database.kysely
      .selectFrom('pictures')
      .innerJoin('product_pictures', 'picture_key', 'key')
      .select(['key', 'width', 'height', 'alt', 'color'])
      .where('product_id', '=', 'boondi-laddu')
      .where('position', '=', 0)
      .executeTakeFirst()
  )
  await createWrite(database)(async trx => {
    const invoice_no = await raiseCounter(trx, `invoices ${year}`)
    const order = {
      id,
      order_no: number,
      user_id: row.id,
      checkout_key: id,
      request_hash: id,
      currency: 'INR',
      total: toPaise(36_000),
      payment_state: 'paid',
      fulfilment_status: 'pending',
      paid_at: now,
      invoice_year: year,
      invoice_no,
      customer: JSON.stringify({ name, email, phone: '9876543210' }),
      address: JSON.stringify(ADDRESS),
      delivery_date: deliveryDate,
      reserved_until: now,
      created_at: now
    } as const
    await trx.insertInto('orders').values(order).execute()
    const product = { product_id: 'boondi-laddu', name: 'Boondi Laddu', category: 'sweets', picture } as const
    const pack = { pack_value: 250, pack_unit: 'g', pack_type: 'weight' }
    const price = { list_price: toPaise(18_000), price: toPaise(18_000), total: toPaise(36_000) }
    await trx
      .insertInto('order_lines')
      .values({ order_id: id, n: 1, ...product, ...pack, quantity: 2, ...price })
      .execute()
  })
  await database.close()
  return { id, number }
}

export function mailSubjects(dataDir: string, email: string): string[] {
  const outbox = join(dataDir, 'outbox')
  if (!existsSync(outbox)) return []
  return readdirSync(outbox)
    .filter(name => name.endsWith('.eml'))
    .map(name => readFileSync(join(outbox, name), 'utf8'))
    .filter(mail => mail.includes(`To: ${email}`))
    .map(mail => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '')
}
