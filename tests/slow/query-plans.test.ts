import { createQueryId, sql, type CompiledQuery, type RootOperationNode } from 'kysely'
import { expect, test } from 'vitest'
import { ORDER_FILTERS } from '#lib/contract/names.ts'
import { listChanges } from '#server/accounts/audit.ts'
import { deleteExpired } from '#server/jobs.ts'
import { readAdminOrders } from '#server/orders/desk/orders.ts'
import { readMyOrders } from '#server/orders/view.ts'
import { readKitchenDay } from '#server/orders/kitchen.ts'
import type { Db } from '#server/platform/db/tables.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { ENGINES, openTestDatabase, type Engine } from '../support/database.ts'

/** These tables grow with each order, forever. */
const LARGE_TABLES =
  /^(?:SCAN|.*Seq Scan on) (orders|order_lines|outbox|audit|payments|stock_movements)\b(?!.* USING )/

const DAY = '2026-11-24'

test.for(ENGINES)(
  'lists, searches and clean-up jobs use indexes of the large tables on %s',
  async engine => {
    const { database: opened } = await openTestDatabase(engine)
    const nodes: RootOperationNode[] = []
    const kysely = opened.kysely.withPlugin({
      transformQuery({ node }) {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result
    })
    const database = { ...opened, kysely }
    const deps = { database, write: createWrite(database), clock: Date.now }
    const queries = [
      {},
      { page: '3' },
      { q: 'priya 98765' },
      { user: 'a' },
      { from: DAY },
      { until: DAY },
      { from: DAY, until: DAY },
      ...ORDER_FILTERS.map(status => ({ status }))
    ]
    for (const query of queries) await readAdminOrders(deps, query, 30)
    await readMyOrders(deps, 'a')
    await readKitchenDay(deps, DAY)
    await listChanges(kysely, { kinds: ['order', 'stock'] })
    await deleteExpired(deps)
    const plans = await explainAll(opened.kysely, engine, nodes)
    expect(plans.length).toBeGreaterThan(100)
    expect(plans.filter(line => LARGE_TABLES.test(line))).toEqual([])
  }
)

function explainAll(kysely: Db, engine: Engine, nodes: readonly RootOperationNode[]) {
  return kysely.connection().execute(async db => {
    // Otherwise PostgreSQL reads small tables without an index.
    if (engine === 'postgres') await sql`set enable_seqscan = off`.execute(db)
    const lines: string[] = []
    for (const node of nodes) {
      const query: CompiledQuery = db.getExecutor().compileQuery(node, createQueryId())
      if (!/^(select|update|delete|with)/.test(query.sql)) continue
      const command = engine === 'sqlite' ? 'explain query plan' : 'explain'
      const { rows } = await db.executeQuery<Record<string, string>>({
        ...query,
        sql: `${command} ${query.sql}`
      })
      lines.push(...rows.map(row => row['detail'] ?? row['QUERY PLAN'] ?? ''))
    }
    return lines
  })
}
