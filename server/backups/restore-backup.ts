import { mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import { createWrite } from '../platform/db/write.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import { mapLimit, flush } from '../publishing/release/files.ts'
import { loadArchive } from './load.ts'
import { PICTURES_FOLDER, type Manifest } from './manifest.ts'
import { openArchive } from './open-archive.ts'
import { inspectTarget, type Target } from './target.ts'

export interface RestoreTask {
  database: Database
  dataDir: string
  file: string
  force: boolean
}

export interface RestoreResult {
  manifest: Manifest
  unsent: number
}

const CONCURRENCY = 8

/** Can run again after a crash. Pictures are only added, and the database changes in one transaction. */
export async function restoreBackup(
  { database, dataDir, file, force }: RestoreTask,
  clock: Clock
): Promise<RestoreResult> {
  await mkdir(dataDir, { recursive: true })
  const { folder, manifest, close } = await openArchive(file, dataDir)
  try {
    const target = await inspectTarget(database, dataDir, manifest)
    if (!force) requireEmpty(target, database, dataDir)
    await movePictures(folder, join(dataDir, 'assets'), manifest)
    reachFailpoint('restore-pictures')
    const unsent = await createWrite(database)(async trx => {
      const count = await loadArchive(trx, folder, manifest, target, new Date(clock()).toISOString())
      reachFailpoint('restore-precommit')
      return count
    })
    return { manifest, unsent }
  } finally {
    await close()
  }
}

function requireEmpty(
  { contents, picturesNotInArchive: otherPictures }: Target,
  { location }: Database,
  dataDir: string
): void {
  if (contents.length > 0) {
    throw new Error(
      `The database ${location} is not empty (${contents.join(', ')}); use --force to replace all data with the archive`
    )
  }
  if (otherPictures > 0) {
    const assets = join(dataDir, 'assets')
    throw new Error(
      `${assets} contains pictures that are not in the archive (${otherPictures}); use --force to restore anyway and keep them`
    )
  }
}

async function movePictures(folder: string, assets: string, { files }: Manifest): Promise<void> {
  const pictures = files.map(({ name }) => name).filter(name => name.startsWith(`${PICTURES_FOLDER}/`))
  await mkdir(assets, { recursive: true })
  await mapLimit(CONCURRENCY, pictures, async name => {
    await flush(join(folder, name))
    await rename(join(folder, name), join(assets, basename(name)))
  })
  await flush(assets)
}
