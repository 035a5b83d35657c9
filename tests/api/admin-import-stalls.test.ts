import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ImportReport } from '#lib/contract/catalog.ts'
import { withAdmin } from '../support/admin-products.ts'
import { openCheckoutShop } from '../support/checkout.ts'
import type { Reply } from '../support/shop.ts'

describe('POST /admin/products/import', () => {
  test('lets other requests through while 1,000 products change', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `product-${index}`)
    const products = Object.fromEntries(names.map(name => [name, { stock: 5 }]))
    const shop = await withAdmin(await openCheckoutShop('sqlite', { products }))
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
    // The work is done in batches.
    expect(await replies).toBeGreaterThan(50)
    expect(await shop.fetchProduct('product-999')).toMatchObject({ price: 101, version: 2 })
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
