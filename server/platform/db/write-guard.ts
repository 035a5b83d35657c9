import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Trx } from './tables.ts'

/**
 * Ensures that a write begins with a statement that writes, and that it sends no query after its end. Such a query
 * would run in the savepoint of the next writer.
 */
export async function runGuarded<T>(trx: Trx, action: (trx: Trx) => Promise<T>): Promise<T> {
  const guard = new WriteGuard()
  try {
    return await action(trx.withPlugin(guard) as Trx)
  } finally {
    guard.hasEnded = true
  }
}

class WriteGuard implements KyselyPlugin {
  hasEnded = false
  #hasBegun = false

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (this.hasEnded) throw new Error('The write has ended; await all of its queries')
    if (!this.#hasBegun && node.kind === 'SelectQueryNode')
      throw new Error('A write must begin with a statement that writes')
    this.#hasBegun = true
    return node
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result
  }
}
