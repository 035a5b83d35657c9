import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Trx } from './tables.ts'

/** Rejects reads before the first write, and queries after the end, which would join the next writer's savepoint. */
export async function runGuarded<T>(trx: Trx, action: (trx: Trx) => Promise<T>): Promise<T> {
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
    if (this.ended) throw new Error('The write has ended; await all of its queries')
    if (!this.#begun && node.kind === 'SelectQueryNode')
      throw new Error('A write must begin with a statement that writes')
    this.#begun = true
    return node
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result
  }
}
