/** Files of all nodes by key, such as `assets/laddu-1a2b3c4d-480.avif`. */
export interface ObjectStore {
  /** In a folder, web servers find `/about` in `about.html`. In a bucket, the address is the key. */
  isFolder: boolean
  /** Returns undefined if there is no such object. Like all calls, throws StoreError. */
  get(key: string): Promise<Buffer | undefined>
  /** Replaces an existing object. Throws the reason of an aborted signal. */
  put(
    key: string,
    content: Uint8Array,
    headers?: ObjectHeaders,
    signal?: AbortSignal
  ): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  delete(key: string, signal?: AbortSignal): Promise<void>
}

export type ObjectHeaders = Readonly<Record<string, string>>

export interface StoredObject {
  key: string
  /** Unix time in ms, by the clock of the store. */
  changedAt: number
}

/** The message is one line for people and logs. It contains no secret. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** HTTP status of requests that fail because of it. */
  readonly statusCode = 503
}
