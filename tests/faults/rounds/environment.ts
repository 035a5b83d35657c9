import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Failpoint } from '#server/platform/process/failpoints.ts'
import { startCommand, type Command } from '../../support/command.ts'
import { openEmptyDatabase, type Engine } from '../../support/database.ts'
import { prepareDatabase } from '../../support/prepare-database.ts'
import { freePort, removeFolder, temporaryFolder } from '../../support/server.ts'
import { seedShop } from './seed.ts'
import { fastClock, type FastClock } from './fast-clock.ts'
import { startProvider } from './provider.ts'

export type TestEnvironment = Awaited<ReturnType<typeof openEnvironment>>

interface EnvironmentOptions {
  engine: Engine
  shops: number
  /**
   * Each server has a data folder of its own and runs in real time. All share a folder as object
   * store.
   */
  ownMachines?: boolean
}

/** Speed of the clocks of all processes. */
const CLOCK_RATE = 60

export async function openEnvironment({ engine, shops, ownMachines }: EnvironmentOptions) {
  const folder = temporaryFolder()
  const clockOptions = ownMachines ? undefined : { since: Date.now(), rate: CLOCK_RATE }
  const clock = clockOptions ? fastClock(clockOptions) : Date.now
  const store = await openEmptyDatabase(engine, folder)
  await prepareDatabase(store.database)
  const { accounts, admin } = await store.write(trx => seedShop(trx, clock() - SECOND))
  const ports = await Promise.all(Array.from({ length: shops }, freePort))
  const webhookUrl = `http://127.0.0.1:${ports[0]}/api/payments/razorpay-webhook`
  const provider = await startProvider({ folder, webhookUrl, clock })
  // Each buyer sends an address of its own, because all buyers together would exceed the limits of
  // one network.
  const settings = {
    ...{ DATA_DIR: folder, SITE_URL: 'http://localhost:4321', TRUST_PROXY: '1' },
    ...(engine === 'postgres' && { DATABASE_URL: store.url }),
    ...provider.settings
  }
  mkdirSync(join(folder, 'store'))
  const servers = ports.map((port, index) => {
    const machine = ownMachines && {
      DATA_DIR: join(folder, `machine-${index}`),
      STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
      SHOP_SECRET: 'a secret that both machines of the rounds have',
      SHUTDOWN_DELAY: '1'
    }
    return shopServer(port, { ...settings, ...machine }, clockOptions)
  })
  const [webhookTarget] = servers
  if (!webhookTarget) throw new Error('At least one server is needed')
  return {
    clock,
    accounts,
    admin,
    store,
    provider,
    /** Servers that use the same database. They are not started yet. */
    servers,
    webhookTarget,
    /** Settings for a shop that runs in the test process, with the same database and provider. */
    settings,
    async close() {
      await Promise.all([...servers.map(server => server.kill()), provider.stop()])
      await store.close()
      removeFolder(folder)
    }
  }
}

/** A shop API at a fixed address. Each start runs a new process. */
function shopServer(port: number, settings: Record<string, string>, clock?: FastClock) {
  const url = `http://127.0.0.1:${port}`
  const logLines: string[] = []
  let process: Command | undefined

  function launch(extraSettings: Record<string, string> = {}) {
    const commonSettings = {
      ...{ PORT: String(port), LOG_LEVEL: 'error', DEMO_DATA: 'false' },
      ...(clock && { FAST_CLOCK: JSON.stringify(clock) })
    }
    return (process = startCommand(
      ['server/main.ts', '--api-only'],
      { ...commonSettings, ...settings, ...extraSettings },
      clock ? ['tests/faults/rounds/fast-clock.ts'] : []
    ))
  }

  async function stopProcess(signal: NodeJS.Signals) {
    const code = (await process?.stop(signal)) ?? null
    if (process) logLines.push(...findErrors(process))
    process = undefined
    return code
  }

  return {
    url,
    start: () => waitUntilReady(launch(), `${url}/api/health`),
    /**
     * With `point`, the process kills itself when it reaches the failpoint for the `pass`-th time.
     */
    launch: (point?: { name: Failpoint; pass: number }): void =>
      void launch(point && { FAILPOINT: `${point.name}:${point.pass}` }),
    kill: () => stopProcess('SIGKILL'),
    async waitForExit(timeoutMs: number) {
      const timeout = new Promise(resolve => setTimeout(resolve, timeoutMs).unref())
      await Promise.race([process?.waitForExit(), timeout])
      return process?.isRunning() !== true
    },
    stop: () => stopProcess('SIGTERM'),
    loggedErrors: () => logLines
  }
}

/** Throws the command's output if it exits or does not reply in time. */
async function waitUntilReady(command: Command, url: string) {
  for (const until = performance.now() + MINUTE; command.isRunning(); await wait(25)) {
    const isUp = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      async response => (await response.text(), response.ok),
      () => false
    )
    if (isUp) return
    if (performance.now() > until) break
  }
  throw new Error(`${url} does not reply: ${command.output()}`)
}

/** Plain text on stdout is not an error: a slow start prints its progress there. */
function findErrors({ linesOf }: Command) {
  return [...linesOf('stdout').filter(line => line.startsWith('{')), ...linesOf('stderr')]
}
