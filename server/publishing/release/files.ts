import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export async function listFiles(folder: string, subfolder = ''): Promise<string[]> {
  const entries = await readdir(join(folder, subfolder), { withFileTypes: true }).catch(ignoreMissing)
  const names = await Promise.all(
    entries.map(async entry => {
      const name = subfolder ? `${subfolder}/${entry.name}` : entry.name
      return entry.isDirectory() ? listFiles(folder, name) : [name]
    })
  )
  return names.flat().sort()
}

export async function mapLimit<Item, Result>(
  limit: number,
  items: readonly Item[],
  run: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
