import { readConfig, readEnvironment } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { createWrite } from '../platform/db/write.ts'
import { serveTasks } from '../platform/process/worker-process.ts'
import { createImages } from '../platform/storage/images.ts'
import { openObjectStore } from '../platform/storage/open-store.ts'
import { insertSitePictures, seedDemo } from './seed.ts'

serveTasks<null, void, string>(async (_task, progress) => {
  const config = readConfig(readEnvironment())
  const database = connect(config)
  const write = createWrite(database)
  const objects = config.storage && openObjectStore(config.storage)
  const images = createImages(config.dataDir, objects && { objects, write })
  const deps = { database, write, images, clock: Date.now, progress }
  if (config.demoData) await seedDemo(deps)
  await insertSitePictures(deps)
  await database.close()
})
