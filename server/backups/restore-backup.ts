import { mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import { createWrite } from '../db/write.ts'
import { failpoint } from '../failpoints.ts'
import { eachAtMost, flush } from '../release/files.ts'
import { load } from './load.ts'
import { PICTURES_FOLDER, type Manifest } from './manifest.ts'
import { openArchive } from './open-archive.ts'
import { lookAtTarget, type Target } from './target.ts'

export interface RestoreOrder {
  database: Database
  dataDir: string
  file: string
  /** Also when something is there already. */
  force: boolean
}

export interface Restored {
  manifest: Manifest
  /** Mails that had been waiting when the backup was made. */
  unsent: number
}

const AT_ONCE = 8

/**
 * Puts back what an archive holds. Pictures come first, under names that say what is in them, so that they harm nothing;
 * the database follows in one transaction. One that is killed has left the shop as it was, and is run again. Throws an
 * error of one line.
 */
export async function restoreBackup({ database, dataDir, file, force }: RestoreOrder, clock: Clock): Promise<Restored> {
  await mkdir(dataDir, { recursive: true })
  const { folder, manifest, close } = await openArchive(file, dataDir)
  try {
    const target = await lookAtTarget(database, dataDir, manifest)
    if (!force) expectEmpty(target, database, dataDir)
    await placePictures(folder, join(dataDir, 'assets'), manifest)
    failpoint('restore-pictures')
    const unsent = await createWrite(database)(async trx => {
      const count = await load(trx, folder, manifest, target, new Date(clock()).toISOString())
      failpoint('restore-precommit')
      return count
    })
    return { manifest, unsent }
  } finally {
    await close()
  }
}

function expectEmpty({ holds, otherPictures }: Target, { place }: Database, dataDir: string): void {
  if (holds.length > 0) {
    throw new Error(
      `The database ${place} holds ${holds.join(', ')}: --force replaces all of it by what the archive holds`
    )
  }
  if (otherPictures > 0) {
    const assets = join(dataDir, 'assets')
    throw new Error(`${assets} holds ${otherPictures} pictures that are not in the archive: --force leaves them there`)
  }
}

async function placePictures(folder: string, assets: string, { files }: Manifest): Promise<void> {
  const pictures = files.map(({ name }) => name).filter(name => name.startsWith(`${PICTURES_FOLDER}/`))
  await mkdir(assets, { recursive: true })
  await eachAtMost(AT_ONCE, pictures, async name => {
    await flush(join(folder, name))
    await rename(join(folder, name), join(assets, basename(name)))
  })
  await flush(assets)
}
