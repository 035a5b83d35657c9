import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../config.ts'
import { oneLine } from '../process/progress.ts'

export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    // Creates a folder to check write access, because permission bits are not reliable for root or read-only disks.
    await rmdir(await mkdtemp(join(dataDir, '.try-')))
  } catch (cause) {
    const example = 'for example DATA_DIR=./data'
    throw new ConfigError(`DATA_DIR ${dataDir} can't be written to (${oneLine(cause)}), ${example}`, { cause })
  }
}
