export interface LruCache {
  get(key: string): Buffer | undefined
  set(key: string, content: Buffer): void
  clear(): void
}

export function createLruCache(maxBytes: number): LruCache {
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
        if (bytes <= maxBytes) return
        remove(oldest)
      }
    },
    clear() {
      entries.clear()
      bytes = 0
    }
  }
}
