import { createQueryId, type CompiledQuery, type Compilable, type DialectAdapter, type QueryResult } from 'kysely'
import type { Db } from './tables.ts'

/** Runs a prepared query with these values. */
export type Prepared<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

/**
 * A query that is built once and then only run: building costs more than running it. `make` gets a stand-in for each value
 * by its name, and must use it as a value and nothing else, not to decide anything.
 */
export function prepared<Values extends object, Row>(
  make: (db: Db, value: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>
): Prepared<Values, Row> {
  // SQLite and PostgreSQL have each their own text of it.
  const built = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  return (db, values) => {
    const executor = db.getExecutor()
    const query = built.get(executor.adapter) ?? make(db, standIn).compile()
    built.set(executor.adapter, query)
    // Whoever watches over queries as they are built sees this one too.
    executor.transformQuery(query.query, createQueryId())
    const parameters = query.parameters.map(parameter =>
      parameter instanceof StandIn ? values[parameter.name as keyof Values] : parameter
    )
    return db.executeQuery({ ...query, parameters })
  }
}

class StandIn {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

function standIn<Value>(name: PropertyKey): Value {
  return new StandIn(name) as Value
}
