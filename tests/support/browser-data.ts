import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { toPaise } from '#lib/money.ts'
import { splitTax, toBasisPoints } from '#lib/tax/taxes.ts'
import { toFinancialYear } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import type { Accounts, Shopper } from './browser-accounts.ts'
import { SELLER } from './orders.ts'
import { temporaryFolder } from './server.ts'

/** Copies parts of the shop that the global set-up has published and stopped, by default all. */
export function copyShop(part = '', dataDir = temporaryFolder()): string {
  const from = join(process.env['PUBLISHED_SHOP'] ?? '', part)
  cpSync(from, join(dataDir, part), { recursive: true, verbatimSymlinks: true })
  return dataDir
}

export const ADDRESS = {
  apartmentOrSuite: '3B',
  street: '4 Rockfort Road',
  city: 'Tiruchirappalli',
  district: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}

interface PlacedOrder {
  id: string
  number: string
  invoiceNumber: number
}

/** Adds a paid order of two packs of laddu with a tax invoice. */
export function addOrder(
  { write }: Accounts,
  { row, email, name }: Shopper,
  deliveryDate: string | null = null
): Promise<PlacedOrder> {
  const id = randomUUID()
  const now = new Date().toISOString()
  const number = `PG-${id.slice(0, 6).toUpperCase()}`
  const year = toFinancialYear(Date.now())
  const total = toPaise(36_000)
  const rate = toBasisPoints(5)
  return write(async trx => {
    const invoiceNumber = await raiseCounter(trx, `invoices ${year}`)
    const order = {
      id,
      order_no: number,
      user_id: row.id,
      checkout_key: id,
      request_hash: id,
      currency: 'INR',
      total,
      payment_state: 'paid',
      fulfilment_status: 'pending',
      paid_at: now,
      invoice_year: year,
      invoice_no: invoiceNumber,
      tax_status: 'regular',
      supply_state: '33',
      seller: JSON.stringify({ ...SELLER, gstin: '33ABCDE1234F1Z7' }),
      customer: JSON.stringify({ name, email, phone: '9876543210' }),
      address: JSON.stringify(ADDRESS),
      delivery_date: deliveryDate,
      reserved_until: now,
      created_at: now
    } as const
    await trx.insertInto('orders').values(order).execute()
    const line = {
      order_id: id,
      n: 1,
      product_id: 'boondi-laddu',
      name: 'Boondi Laddu',
      local_name: '',
      category: 'sweets',
      quantity: 2,
      ...{ pack_value: 250, pack_unit: 'g', pack_type: 'weight' },
      ...{ list_price: toPaise(18_000), price: toPaise(18_000), coupon_discount: toPaise(0) },
      ...{ total, hsn: '1704', tax_rate: rate, ...splitTax(total, rate, false) }
    }
    await trx.insertInto('order_lines').values(line).execute()
    return { id, number, invoiceNumber }
  })
}

/** Waits for the mail with a code to this address, of which there is one. */
export async function waitForCode(dataDir: string, email: string): Promise<string> {
  await expect.poll(() => findCode(dataDir, email)).toMatch(/^\d{6}$/)
  return findCode(dataDir, email)
}

/** Returns the path and fragment of the first order link in mails to this address. */
export async function waitForOrderLink(dataDir: string, email: string): Promise<string> {
  const find = () => {
    const parts = listMails(dataDir, email).flatMap(mail => mail.split(/\r?\n\r?\n/))
    // Tamil texts are in Base64.
    const texts = parts.map(
      part => part.replace(/=\r?\n/g, '') + Buffer.from(part, 'base64').toString()
    )
    return /(?:\/ta)?\/orders\/link#[\w-]{43}/.exec(texts.join('\n'))?.[0] ?? ''
  }
  await expect.poll(find).not.toBe('')
  return find()
}

function listMails(dataDir: string, email: string) {
  const outbox = join(dataDir, 'outbox')
  const mails = existsSync(outbox) ? readdirSync(outbox) : []
  return mails
    .map(name => readFileSync(join(outbox, name), 'utf8'))
    .filter(mail => mail.includes(`To: ${email}`))
}

function findCode(dataDir: string, email: string) {
  return listMails(dataDir, email)
    .map(mail => /^Subject: (\d{6})/m.exec(mail)?.[1] ?? '')
    .join('')
}
