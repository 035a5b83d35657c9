import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Trx } from './tables.ts'

/**
 * Runs the action with a transaction of its own that ends with it: a query that it forgot to await would otherwise land
 * in the savepoint of the next writer. Refuses an action that reads before it writes, since on PostgreSQL what it read
 * may have changed by the time it writes.
 */
export async function guarded<T>(trx: Trx, action: (trx: Trx) => Promise<T>): Promise<T> {
  const guard = new WriteGuard()
  try {
    return await action(trx.withPlugin(guard) as Trx)
  } finally {
    guard.ended = true
  }
}

class WriteGuard implements KyselyPlugin {
  ended = false
  #begun = false

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (this.ended) throw new Error('This write has ended: await each of its queries')
    if (!this.#begun && node.kind === 'SelectQueryNode') throw new Error('A write begins with a statement that writes')
    this.#begun = true
    return node
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result
  }
}
