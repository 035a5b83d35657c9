import { api, configureApi } from '#lib/api.ts'
import type { Api } from '#lib/contract/index.ts'

/** What a schema of the contract offers here: it answers the value or throws. */
interface Schema<Value> {
  parse: (value: unknown) => Value
}

type Reads = {
  [Call in keyof Api]: Api[Call] extends { params: unknown } | { body: unknown } ? never : Call
}[keyof Api]

// The shop beside us answers what its database says at this moment or nothing, and need not pack it for us.
const HEADERS = { 'cache-control': 'no-cache, stale-if-error=0', 'accept-encoding': 'identity' }

configureApi({
  base: process.env['BUILD_API_BASE'] ?? `${process.env['DEV_API'] ?? 'http://localhost:4321'}/api`,
  send: (url, init) => fetch(url, { ...init, headers: HEADERS })
})

let renewals = 0

/** Forgets everything that was read: what is asked for next is read anew. */
export function renew(): void {
  renewals++
}

/** A read of the API that happens once in a build, however many pages ask, and is checked against the contract. */
export function reads<Value>(call: Reads, schema: Schema<Value>): () => Promise<Value> {
  return once(async () => schema.parse(await api(call)))
}

/** Remembers the answer until what was read is forgotten; while developing, each page asks anew. */
export function once<Value>(load: () => Value): () => Value {
  let known: { value: Value; renewals: number } | undefined
  return () => {
    if (import.meta.env?.DEV) return load()
    if (known?.renewals !== renewals) known = { value: load(), renewals }
    return known.value
  }
}
