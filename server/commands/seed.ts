import { systemClock } from '../platform/process/clock.ts'
import { readEnvironment, readConfig } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { seedDemo } from '../demo/seed.ts'
import { insertSitePictures } from '../demo/site-pictures.ts'
import { createWrite } from '../platform/db/write.ts'
import { createImages } from '../platform/storage/images.ts'
import { oneLine } from '../platform/process/progress.ts'

try {
  const config = readConfig(readEnvironment())
  const database = connect(config)
  const deps = {
    database,
    write: createWrite(database),
    images: createImages(config.dataDir),
    clock: systemClock,
    progress: (line: string) => void process.stdout.write(`${line}\n`)
  }
  if (config.demoData) await seedDemo(deps)
  await insertSitePictures(deps)
  await database.close()
} catch (error) {
  process.stderr.write(`Seeding failed: ${oneLine(error)}\n`)
  process.exitCode = 1
}
