import { TableNode, type KyselyPlugin, type OperationNode } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/platform/db/connect.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { readSiteContent } from '#server/publishing/public-data.ts'
import { addToCatalog } from '../support/catalog.ts'
import { ENGINES, openEmptyDatabase } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

/**
 * Calls `afterRead` once, after the first query that selects from the table itself. Others only
 * look for the next sale.
 */
function afterFirstRead(table: string, afterRead: () => Promise<void>): KyselyPlugin {
  const reads = new WeakSet<object>()
  const isTable = (from: OperationNode): boolean =>
    TableNode.is(from) && from.table.identifier.name === table
  let isDone = false
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode' && node.from?.froms.some(isTable)) reads.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (!isDone && reads.has(queryId)) {
        isDone = true
        await afterRead()
      }
      return result
    }
  }
}

describe.each(ENGINES)('The content of all pages on %s', engine => {
  test('tells everything as it was at one moment, although another process writes between the reads', async () => {
    const opened = await openEmptyDatabase(engine)
    await migrate(opened.database)
    const other = connect({ databaseUrl: opened.url })
    onTestFinished(() => other.close())
    const changeOthers = afterFirstRead('products', () =>
      createWrite(other)(async trx => {
        await raiseCounter(trx, 'catalog')
        await addToCatalog(
          trx,
          { products: { murukku: {} }, deals: { now: { product: 'murukku' } } },
          shop.clock()
        )
        await addToCatalog(
          trx,
          { posts: { news: { content: '[New](/products/murukku)' } } },
          shop.clock()
        )
      })
    )
    const kysely = opened.database.kysely.withPlugin(changeOthers)
    const shop = await openShop(engine, {
      products: { laddu: {} },
      posts: { story: {} },
      database: { ...opened, database: { ...opened.database, kysely } }
    })
    const readIds = async (): Promise<string[][]> => {
      const { products, deals, posts } = await readSiteContent(kysely, shop.clock())
      return [products, deals, posts].map(list => list.map(({ id }) => id).sort())
    }
    expect(await readIds()).toEqual([['laddu'], [], ['story']])
    expect(await readIds()).toEqual([['laddu', 'murukku'], ['now'], ['news', 'story']])
  })
})
