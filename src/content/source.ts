import { api, configureApi } from '#lib/api.ts'
import type { Api } from '#lib/contract/index.ts'

/** What a schema of the contract offers here: it answers the value or throws. */
interface Schema<Value> {
  parse: (value: unknown) => Value
}

type Reads = {
  [Call in keyof Api]: Api[Call] extends { params: unknown } | { body: unknown } ? never : Call
}[keyof Api]

configureApi({ base: process.env['BUILD_API_BASE'] ?? `${process.env['DEV_API'] ?? 'http://localhost:4321'}/api` })

/** A read of the API that happens once in a build, however many pages ask, and is checked against the contract. */
export function reads<Value>(call: Reads, schema: Schema<Value>): () => Promise<Value> {
  return once(async () => schema.parse(await api(call)))
}

/** Remembers the first answer while the site is built; while developing, each page asks anew. */
export function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => {
    if (import.meta.env.DEV) return load()
    return (loaded ??= load())
  }
}
