import { createQueryId, type Compilable, type CompiledQuery, type DialectAdapter, type QueryResult } from 'kysely'
import type { Db } from './tables.ts'

export type Prepared<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

/** Compiles a query once per database. `build` must use the placeholders only as query parameters. */
export function prepared<Values extends object, Row>(
  build: (db: Db, value: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>
): Prepared<Values, Row> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  return (db, values) => {
    const executor = db.getExecutor()
    const query = compiled.get(executor.adapter) ?? build(db, createPlaceholder).compile()
    compiled.set(executor.adapter, query)
    // Lets plugins such as the write guard check the query. The returned node is not needed.
    executor.transformQuery(query.query, createQueryId())
    const parameters = query.parameters.map(parameter =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter
    )
    return db.executeQuery({ ...query, parameters })
  }
}

class Placeholder {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

function createPlaceholder<Value>(name: PropertyKey): Value {
  return new Placeholder(name) as Value
}
