export interface LruCache {
  get(key: string): Buffer | undefined
  set(key: string, content: Buffer): void
  clear(): void
}

/** `limit` is in bytes. */
export function createLruCache(limit: number): LruCache {
  // A Map keeps insertion order, so its first entry is the least recently used.
  const entries = new Map<string, Buffer>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.length ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const content = entries.get(key)
      if (content) {
        entries.delete(key)
        entries.set(key, content)
      }
      return content
    },
    set(key, content) {
      remove(key)
      entries.set(key, content)
      bytes += content.length
      for (const oldest of entries.keys()) {
        if (bytes <= limit) return
        remove(oldest)
      }
    },
    clear() {
      entries.clear()
      bytes = 0
    }
  }
}
