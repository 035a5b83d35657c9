import Sqlite from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '#lib/contract/catalog.ts'
import type { Seller } from '#lib/contract/orders.ts'
import { fromRupees, toPaise } from '#lib/money.ts'
import { splitTax, toBasisPoints } from '#lib/tax/taxes.ts'
import { toFinancialYear } from '#lib/time.ts'
import { readConfig } from '#server/config.ts'
import { connect, type Database } from '#server/platform/db/connect.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { createWrite, type Write } from '#server/platform/db/write.ts'
import type { Shopper } from './browser-accounts.ts'
import { removeFolder, startShop, temporaryFolder, type RunningShop } from './server.ts'

export const ADDRESS = {
  apartmentOrSuite: '3B',
  street: '4 Rockfort Road',
  city: 'Tiruchirappalli',
  district: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}

export function shopUrl(): string {
  return process.env['SHOP_URL'] ?? ''
}

export function shopData(): string {
  return process.env['SHOP_DATA'] ?? ''
}

export async function fetchJson<T>(path: string, token: string | null = null): Promise<T> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  return (await (await fetch(`${shopUrl()}${path}`, { headers })).json()) as T
}

/** Copies database and pictures of the shared shop into a new folder, and returns the folder. */
export function copyShop(): string {
  const dataDir = temporaryFolder()
  cpSync(join(shopData(), 'assets'), join(dataDir, 'assets'), { recursive: true })
  const original = new Sqlite(join(shopData(), 'shop.db'), { readonly: true })
  original.prepare('VACUUM INTO ?').run(join(dataDir, 'shop.db'))
  original.close()
  return dataDir
}

/** Starts a second shop with a copy of the catalogue, for tests that change the catalogue. */
export async function startIsolatedShop(): Promise<RunningShop> {
  const dataDir = copyShop()
  cpSync(join(shopData(), 'code'), join(dataDir, 'code'), { recursive: true })
  const shop = await startShop({ dataDir })
  return {
    ...shop,
    async stop() {
      await shop.stop()
      removeFolder(dataDir)
    }
  }
}

export async function addProduct(dataDir: string, product: Product): Promise<void> {
  const {
    id,
    name,
    nameTamil,
    description,
    category,
    dietary,
    rating,
    stock,
    quantity,
    shelfLife
  } = product
  const values = {
    id,
    name,
    name_tamil: nameTamil,
    description,
    category,
    dietary,
    stock,
    shelf_life: shelfLife,
    price: fromRupees(product.price),
    rating: Math.round(rating * 10),
    ingredients: JSON.stringify(product.ingredients),
    pack_value: quantity.value,
    pack_unit: quantity.unit,
    pack_type: quantity.type,
    created_at: new Date().toISOString()
  }
  const pictures = product.pictures.map(({ key }, position) => ({
    product_id: id,
    position,
    picture_key: key
  }))
  await withDatabase(dataDir, (_database, write) =>
    write(async trx => {
      await trx.insertInto('products').values(values).execute()
      await trx.insertInto('product_pictures').values(pictures).execute()
      await raiseCounter(trx, 'catalog')
    })
  )
}

interface PlacedOrder {
  id: string
  number: string
  invoiceNumber: number
}

const SELLER: Seller = {
  ...{ name: 'Palagaram', legalName: 'Palagaram Home Foods', phone: '+91 90000 12345' },
  ...{ email: 'hello@palagaram.example', fssai: '00000000012345', gstin: '33ABCDE1234F1Z7' },
  address: {
    street: '12, Kolam Street',
    area: '',
    city: 'Tiruchirappalli',
    state: 'Tamil Nadu',
    pincode: '620018'
  }
}

/** Adds a paid order of two packs of laddu with a tax invoice. */
export async function addOrder(
  dataDir: string,
  { row, email, name }: Shopper,
  deliveryDate: string | null = null
): Promise<PlacedOrder> {
  const id = randomUUID()
  const now = new Date().toISOString()
  const number = `PG-${id.slice(0, 6).toUpperCase()}`
  const year = toFinancialYear(Date.now())
  const rate = toBasisPoints(5)
  return withDatabase(dataDir, async (database, write) => {
    const picture = JSON.stringify(
      await database.kysely
        .selectFrom('pictures')
        .innerJoin('product_pictures', 'picture_key', 'key')
        .select(['key', 'width', 'height', 'alt', 'color'])
        .where('product_id', '=', 'boondi-laddu')
        .where('position', '=', 0)
        .executeTakeFirst()
    )
    return write(async trx => {
      const invoiceNumber = await raiseCounter(trx, `invoices ${year}`)
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
        invoice_no: invoiceNumber,
        tax_status: 'regular',
        supply_state: '33',
        seller: JSON.stringify(SELLER),
        customer: JSON.stringify({ name, email, phone: '9876543210' }),
        address: JSON.stringify(ADDRESS),
        delivery_date: deliveryDate,
        reserved_until: now,
        created_at: now
      } as const
      await trx.insertInto('orders').values(order).execute()
      const product = {
        product_id: 'boondi-laddu',
        name: 'Boondi Laddu',
        category: 'sweets',
        picture
      } as const
      const pack = { pack_value: 250, pack_unit: 'g', pack_type: 'weight' }
      const price = {
        list_price: toPaise(18_000),
        price: toPaise(18_000),
        coupon_discount: toPaise(0),
        total: toPaise(36_000)
      }
      const tax = { hsn: '1704', tax_rate: rate, ...splitTax(price.total, rate, false) }
      const line = {
        order_id: id,
        n: 1,
        ...product,
        ...pack,
        quantity: 2,
        ...price,
        ...tax
      }
      await trx.insertInto('order_lines').values(line).execute()
      return { id, number, invoiceNumber }
    })
  })
}

/** Enters what the label of a pack must show. */
export async function addLabelFacts(dataDir: string, productId: string): Promise<void> {
  const facts = {
    allergens: 'Contains milk',
    nutrition: 'energy 480 kcal, protein 7 g',
    shelf_life_days: 15
  }
  await withDatabase(dataDir, (_database, write) =>
    write(trx => trx.updateTable('products').set(facts).where('id', '=', productId).execute())
  )
}

/** Returns the mails that were sent to this address, oldest first. */
export function readMails(dataDir: string, email: string): string[] {
  const outbox = join(dataDir, 'outbox')
  if (!existsSync(outbox)) return []
  return readdirSync(outbox)
    .filter(name => name.endsWith('.eml'))
    .map(name => ({
      at: statSync(join(outbox, name)).mtimeMs,
      mail: readFileSync(join(outbox, name), 'utf8')
    }))
    .filter(({ mail }) => mail.includes(`To: ${email}`))
    .toSorted((a, b) => a.at - b.at)
    .map(({ mail }) => mail)
}

async function withDatabase<T>(
  dataDir: string,
  use: (database: Database, write: Write) => Promise<T>
): Promise<T> {
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  try {
    return await use(database, createWrite(database))
  } finally {
    await database.close()
  }
}
