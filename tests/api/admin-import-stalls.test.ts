import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ImportReport } from '#lib/contract/catalog.ts'
import { withAdmin } from '../support/admin-products.ts'
import type { Trx } from '#server/platform/db/tables.ts'
import { addShopper, openCheckoutShop, openPayment, placeOrder } from '../support/checkout.ts'
import type { Reply } from '../support/shop.ts'

const PRODUCTS = 2000
const ORDER_LINES = 110_000
/** The work is done in some 300 batches. */
const MIN_REPLIES = 100

describe('POST /admin/products/import', () => {
  test('lets other requests through while 2,000 products change that are in 110,000 order lines', async () => {
    const names = Array.from({ length: PRODUCTS }, (_, index) => `product-${index}`)
    const products = Object.fromEntries(names.map(name => [name, { stock: 5 }]))
    const shop = await withAdmin(await openCheckoutShop('sqlite', { products }))
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, {
      items: [{ product: 'product-0', quantity: 1 }]
    })
    await placeOrder(shop, anita, await shop.sandbox.pay(id))
    await shop.writeFromOtherProcess(trx => copyOrderLine(trx))

    const csv = ['Id,Price', ...names.map(name => `${name},101`)].join('\n')
    let isDone = false
    const countReplies = async (): Promise<number> => {
      let count = 0
      for (; !isDone; count++) {
        await nextTurn()
        await shop.get('/health')
      }
      return count
    }
    const replies = countReplies()
    const { basis } = (await shop.callAsAdmin('POST /admin/products/import', { csv }))
      .body as ImportReport
    const reply = await shop.callAsAdmin('POST /admin/products/import', { csv, basis })
    isDone = true
    expect(reply.body).toMatchObject({ isDone: true })
    expect(await replies).toBeGreaterThan(MIN_REPLIES)
    expect(await shop.fetchProduct('product-1999')).toMatchObject({
      price: 101,
      version: 2,
      isReferred: true
    })
  })

  test('creates each product once if the same file is imported twice at the same time', async () => {
    const shop = await withAdmin(await openCheckoutShop('sqlite'))
    const header =
      'Name,Category,Price,Stock,Pack size,Pack unit,Dietary,Ingredients,Shelf life,Description'
    const rows = Array.from(
      { length: 30 },
      (_, index) => `New ${index},sweets,10,1,250,g,vegan,Rice,5 days,Fresh.`
    )
    const csv = [header, ...rows].join('\n')
    const { basis } = (await shop.callAsAdmin('POST /admin/products/import', { csv }))
      .body as ImportReport
    const runImport = (): Promise<Reply> =>
      shop.callAsAdmin('POST /admin/products/import', { csv, basis })
    const replies = await Promise.all([runImport(), runImport()])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const products = (await shop.callAsAdmin('GET /admin/products')).body as { name: string }[]
    expect(
      products.filter(({ name }) => name.startsWith('New ')).map(({ name }) => name)
    ).toHaveLength(30)
  })
})

/** Copies the only order line, so that each product has been ordered many times. */
async function copyOrderLine(trx: Trx): Promise<void> {
  await sql`insert into order_lines (order_id, n, product_id, name, category, picture, pack_value, pack_unit,
      pack_type, quantity, list_price, percent, deal_id, price, total)
    with recursive copies(n) as (select 2 union all select n + 1 from copies where n < ${ORDER_LINES})
    select order_id, copies.n, 'product-' || (copies.n % ${sql.lit(PRODUCTS)}), name, category, picture, pack_value, pack_unit,
      pack_type, quantity, list_price, percent, deal_id, price, total
    from order_lines cross join copies`.execute(trx)
}
