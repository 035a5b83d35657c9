import type { Kysely, Migration } from 'kysely'

export const orderedProducts: Migration = { up }

/** Makes it cheap to check whether a product was ever ordered. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('order_lines_product').on('order_lines').column('product_id').execute()
}
