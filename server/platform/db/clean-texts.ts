import { sql, type Kysely } from 'kysely'
import { cleanText } from '#lib/contract/formats.ts'

/** Searches and imports compare these with typed texts, which are cleaned. */
const TYPED_COLUMNS = {
  order_texts: ['text'],
  users: ['name'],
  contact_messages: ['name', 'message'],
  products: ['name', 'name_tamil', 'description', 'shelf_life', 'allergens', 'nutrition']
}

/** For migration 036. */
export async function cleanTexts(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(TYPED_COLUMNS)) {
    const [table, id] = [sql.table(name), sql.ref(name === 'order_texts' ? 'order_id' : 'id')]
    for (const column of columns.map(each => sql.ref(each))) {
      const all = sql<{
        id: string
        text: string
      }>`select ${id} as id, ${column} as text from ${table}`
      for (const row of (await all.execute(db)).rows) {
        const text = cleanText(row.text)
        if (text !== row.text)
          await sql`update ${table} set ${column} = ${text} where ${id} = ${row.id}`.execute(db)
      }
    }
  }
}
