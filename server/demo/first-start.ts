import { join } from 'node:path'
import { ROOT, type Config } from '../config.ts'
import { listProductIds } from '../catalog/read-products.ts'
import type { Db } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { oneLine, type Progress } from '../platform/process/command.ts'
import { createWorkerProcess } from '../platform/process/worker-process.ts'
import { readSection } from '../settings/settings.ts'
import { hasSitePictures } from './pictures.ts'
import { seedSettings } from './settings.ts'

interface FirstStart {
  progress: Progress
  /** Throws if the shop could not listen after the long work. */
  checkAddress(): Promise<void>
  onEnd(close: () => Promise<unknown>): void
}

/** Seeds an empty database, in a process of its own, because encoding pictures needs much memory. */
export async function seedShop(
  deps: DataDeps,
  config: Config,
  { progress, checkAddress, onEnd }: FirstStart
): Promise<void> {
  const { kysely } = deps.database
  await seedSettings(deps, config)
  const needsDemoData = config.demoData && (await listProductIds(kysely)).length === 0
  if (!needsDemoData && !(await needsSitePictures(kysely))) return
  await checkAddress()
  const file = join(ROOT, 'server', 'demo', 'seed-process.ts')
  const seeder = createWorkerProcess<null, void, string>(file, { idleTimeout: () => 0 })
  onEnd(async () => seeder.close())
  await seeder.run(null, { onProgress: progress }).catch((cause: unknown) => {
    throw new Error(`Seeding failed: ${oneLine(cause)}`, { cause })
  })
}

async function needsSitePictures(db: Db): Promise<boolean> {
  const { banners } = await readSection(db, 'home')
  return banners.length > 0 && !(await hasSitePictures(db))
}
