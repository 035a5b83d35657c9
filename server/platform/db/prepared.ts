import {
  createQueryId,
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type QueryResult
} from 'kysely'
import type { Db } from './tables.ts'

export type Prepared<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

/** Compiles once per database. `build` may use the values only as query parameters. */
export function prepared<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>
): Prepared<Values, Row> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  return (db, values) => {
    const executor = db.getExecutor()
    const query = compiled.get(executor.adapter) ?? build(db, toPlaceholders(values)).compile()
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
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

function toPlaceholders<Values extends object>(values: Values): Values {
  const placeholders = Object.keys(values).map(name => [name, new Placeholder(name)] as const)
  return (
    Array.isArray(values)
      ? placeholders.map(([, value]) => value)
      : Object.fromEntries(placeholders)
  ) as Values
}
