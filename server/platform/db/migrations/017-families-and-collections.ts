import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const familiesAndCollections: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema.alterTable('products').addColumn('family_id', text).execute()
  await db.schema
    .alterTable('products')
    .addColumn('family_position', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('products_family').on('products').column('family_id').execute()

  await db.schema
    .createTable('collections')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('name', text, column => column.notNull())
    .addColumn('name_tamil', text, column => column.notNull())
    .addColumn('description', text, column => column.notNull())
    .addColumn('picture_key', text, column => column.references('pictures.key'))
    .addColumn('position', 'bigint', column => column.notNull())
    .addColumn('version', 'bigint', column => column.notNull().defaultTo(1))
    .addColumn('creation_key', text, column => column.unique())
    .addColumn('hidden_at', text)
    .execute()
  await db.schema.createIndex('collections_picture').on('collections').column('picture_key').execute()

  await db.schema
    .createTable('collection_products')
    .addColumn('collection_id', text, column => column.notNull().references('collections.id').onDelete('cascade'))
    .addColumn('product_id', text, column => column.notNull().references('products.id').onDelete('cascade'))
    .addColumn('position', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('collection_products_pkey', ['collection_id', 'product_id'])
    .execute()
  await db.schema.createIndex('collection_products_product').on('collection_products').column('product_id').execute()
}
