/** Keeps what was used lately, up to a number of bytes. */
export interface Memory {
  get(key: string): Buffer | undefined
  keep(key: string, content: Buffer): void
  clear(): void
}

export function createMemory(limit: number): Memory {
  // A Map remembers the order of insertion: the first is the one unused for longest.
  const kept = new Map<string, Buffer>()
  let bytes = 0

  function forget(key: string): void {
    bytes -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }

  return {
    get(key) {
      const content = kept.get(key)
      if (content) {
        kept.delete(key)
        kept.set(key, content)
      }
      return content
    },
    keep(key, content) {
      forget(key)
      kept.set(key, content)
      bytes += content.length
      for (const oldest of kept.keys()) {
        if (bytes <= limit) return
        forget(oldest)
      }
    },
    clear() {
      kept.clear()
      bytes = 0
    }
  }
}
