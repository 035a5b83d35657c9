import { systemClock } from './clock.ts'
import { readEnvironment, readConfig } from './config.ts'
import { connect } from './db/connect.ts'
import { seedDemo } from './db/seed/seed.ts'
import { insertSitePictures } from './db/seed/site-pictures.ts'
import { createWrite } from './db/write.ts'
import { createImages } from './gateways/images.ts'
import { oneLine } from './progress.ts'

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
