import type { Db } from '../platform/db/tables.ts'

export async function listProductIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('products').select('id').where('hidden_at', 'is', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}
