import Database from 'better-sqlite3'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '#lib/contract/catalog.ts'
import { fromRupees } from '#lib/money.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/platform/db/connect.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { removeFolder, startShop, temporaryFolder, type RunningShop } from './server.ts'

/** Starts a second shop with a copy of the catalogue, for tests that change the catalogue. */
export async function startIsolatedShop(): Promise<RunningShop> {
  const originalDataDir = process.env['SHOP_DATA'] ?? ''
  const dataDir = temporaryFolder()
  for (const folder of ['assets', 'code'])
    cpSync(join(originalDataDir, folder), join(dataDir, folder), { recursive: true })
  const original = new Database(join(originalDataDir, 'shop.db'), { readonly: true })
  original.prepare('VACUUM INTO ?').run(join(dataDir, 'shop.db'))
  original.close()
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
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  await createWrite(database)(async trx => {
    const { id, name, nameTamil, description, category, dietary, rating, stock, quantity, shelfLife } = product
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
    await trx.insertInto('products').values(values).execute()
    const pictures = product.pictures.map(({ key }, position) => ({ product_id: id, position, picture_key: key }))
    await trx.insertInto('product_pictures').values(pictures).execute()
    await raiseCounter(trx, 'catalog')
  })
  await database.close()
}
