import type { ShopError } from './shop-error.ts'

/** State of data that is read from the server. */
export type LoadState<Value> =
  { state: 'loading' } | { state: 'failed'; error: ShopError } | { state: 'ready'; value: Value }
