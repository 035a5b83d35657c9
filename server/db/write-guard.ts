import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Trx } from './tables.ts'

/** A write must begin with a statement that writes. After its end, queries would run in the next writer's savepoint. */
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
