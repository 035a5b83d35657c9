import { SECOND } from '#lib/time.ts'
import { readConfig, readEnvironment, toLocalApiUrl, type Config } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { createWrite } from '../platform/db/write.ts'
import { oneLine, onFirstSignal, runCommand } from '../platform/process/command.ts'
import { openObjectStore } from '../platform/storage/open-store.ts'
import { openPublishing, publishSite } from '../publishing/publish.ts'

const HEALTH_TIMEOUT = 5 * SECOND

const stopped = new AbortController()
onFirstSignal(() => stopped.abort(new Error('interrupted')))

await runCommand('Publishing failed', publish)

async function publish() {
  const env = readEnvironment()
  const config = readConfig(env)
  await expectHealth(config)
  const objects = config.storage && openObjectStore(config.storage)
  const database = connect(config)
  const deps = openPublishing(env, {
    config,
    database,
    objects,
    clock: Date.now,
    write: createWrite(database)
  })
  try {
    const outcome = await publishSite(deps, {
      force: true,
      signal: stopped.signal,
      progress: line => console.log(line),
      warn: error => console.error(oneLine(error))
    })
    if (outcome.state !== 'published') return
    const { pages, seconds, id } = outcome
    console.log(`Published ${pages} pages in ${seconds.toFixed(1)} s as release ${id}`)
  } finally {
    deps.renderer.close()
    await database.close()
  }
}

async function expectHealth(config: Config) {
  const address = `${toLocalApiUrl(config)}/health`
  const hint = 'start the shop with "npm start" first, or set HOST and PORT to its values'
  const { status } = await fetch(address, { signal: AbortSignal.timeout(HEALTH_TIMEOUT) }).catch(
    (error: unknown) => {
      const cause = error instanceof Error && error.cause ? error.cause : error
      throw new Error(`nothing answers at ${address} (${oneLine(cause)}); ${hint}`)
    }
  )
  if (status !== 200) throw new Error(`${address} answers ${status}; ${hint}`)
}
