import { systemClock } from './clock.ts'
import { environment, readConfig } from './config.ts'
import { connect } from './db/connect.ts'
import { seedDemo } from './db/seed/seed.ts'
import { createWrite } from './db/write.ts'
import { createImages } from './gateways/images.ts'
import { oneLine } from './progress.ts'

// Fills an empty, migrated database with the demo catalogue, and says how far it is. The start runs it.
try {
  const config = readConfig(environment())
  const database = connect(config)
  await seedDemo({
    database,
    write: createWrite(database),
    images: createImages(config.dataDir),
    clock: systemClock,
    progress: line => process.stdout.write(`${line}\n`)
  })
  await database.close()
} catch (error) {
  process.stderr.write(`The demo catalogue could not be made: ${oneLine(error)}\n`)
  process.exitCode = 1
}
