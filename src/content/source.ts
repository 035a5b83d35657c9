import { api, configureApi } from '#lib/api.ts'
import type { Api } from '#lib/contract/index.ts'

interface Schema<Value> {
  parse: (value: unknown) => Value
}

type CallWithoutInput = {
  [Call in keyof Api]: Api[Call] extends { params: unknown } | { body: unknown } ? never : Call
}[keyof Api]

// Bypass the API's response cache. Compression is off, because the API runs on the same machine.
const HEADERS = { 'cache-control': 'no-cache, stale-if-error=0', 'accept-encoding': 'identity' }

configureApi({
  base: process.env['BUILD_API_BASE'] ?? `${process.env['DEV_API'] ?? 'http://localhost:4321'}/api`,
  send: (url, init) => fetch(url, { ...init, headers: HEADERS })
})

let generation = 0

export function invalidateCaches(): void {
  generation++
}

export function createFetcher<Value>(call: CallWithoutInput, schema: Schema<Value>): () => Promise<Value> {
  return memoize(async () => schema.parse(await api(call)))
}

/** Caches the result until `invalidateCaches` is called. In development, nothing is cached. */
export function memoize<Value>(load: () => Value): () => Value {
  let cached: { value: Value; generation: number } | undefined
  return () => {
    if (import.meta.env?.DEV) return load()
    if (cached?.generation !== generation) cached = { value: load(), generation }
    return cached.value
  }
}
