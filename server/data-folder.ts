import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { oneLine } from './progress.ts'

/** Makes DATA_DIR and sees that the shop can write there. Throws ConfigError. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    // Permissions say little on a read-only disk, in a container or as root: only writing tells.
    await rmdir(await mkdtemp(join(dataDir, '.try-')))
  } catch (cause) {
    const example = 'for example DATA_DIR=./data'
    throw new ConfigError(`DATA_DIR ${dataDir} can't be written to (${oneLine(cause)}), ${example}`, { cause })
  }
}
