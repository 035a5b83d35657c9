import type { FastifyInstance } from 'fastify'
import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPasswords } from '#server/accounts/passwords.ts'
import { buildApp, type Deps } from '#server/app.ts'
import { setCounter } from '#server/platform/db/counters.ts'
import { openPayments } from '#server/orders/payment/accounts.ts'

const SECRET = '0f'.repeat(32)

interface OpenApp {
  app: FastifyInstance
  close(): Promise<void>
}

type SharedApp = Awaited<ReturnType<typeof buildSharedApp>>

/** Apps that no test uses at the moment. */
const free = { withSandbox: [] as SharedApp[], withRazorpay: [] as SharedApp[] }

async function makeDataDir() {
  const dataDir = await mkdtemp(join(tmpdir(), 'palagaram-shop-'))
  // The shop would create them durably, which takes 5 ms.
  for (const name of ['bell', 'codes', 'sandbox', 'settings'])
    await writeFile(join(dataDir, `${name}.secret`), SECRET, { mode: 0o600 })
  return dataDir
}

/** Real Argon2 with cheap parameters. */
const cheapPasswords = () => createPasswords({ memoryCost: 64, timeCost: 1 })

/** Without a `dataDir`, the app gets one that is removed with it. */
export async function openOwnApp(deps: Deps): Promise<OpenApp> {
  const ownDataDir = deps.config.dataDir === '' ? await makeDataDir() : undefined
  const config = { ...deps.config, ...(ownDataDir && { dataDir: ownDataDir }) }
  const app = await buildApp({ passwords: cheapPasswords(), ...deps, config })
  return {
    app,
    async close() {
      await app.close()
      if (ownDataDir) await rm(ownDataDir, { recursive: true, force: true })
    }
  }
}

/**
 * Opens an app that works with these parts, and keeps it for later tests of this process: building
 * one takes longer than most tests.
 */
export async function openSharedApp(deps: Deps): Promise<OpenApp> {
  const list = deps.config.razorpay ? free.withRazorpay : free.withSandbox
  const shared = list.pop() ?? (await buildSharedApp(deps))
  await shared.use(deps)
  return {
    app: shared.app,
    async close() {
      await shared.app.whenIdle()
      if (shared.isReusable()) list.push(shared)
      else await shared.close()
    }
  }
}

let uses = 0

async function buildSharedApp(first: Deps) {
  let current = first
  let isClosed = false
  const { app, close } = await openOwnApp({
    config: first.config,
    database: {
      kysely: forwardTo(() => current.database.kysely),
      get dialect() {
        return current.database.dialect
      },
      get location() {
        return current.database.location
      },
      close: async () => undefined
    },
    write: (action, options) => current.write(action, options),
    clock: () => current.clock(),
    randomInt: (min, max) => (current.randomInt ?? randomInt)(min, max)
  })
  const { config, database, write } = app
  app.addHook('onClose', async () => void (isClosed = true))
  return {
    app,
    close,
    // A test may have closed it or let it listen.
    isReusable: () => !isClosed && !app.server.listening,
    async use(deps: Deps) {
      current = deps
      const { mail, push } = deps
      config.razorpay = deps.config.razorpay
      // Tests replace these.
      Object.assign(app, {
        database,
        write,
        mail,
        push,
        passwords: cheapPasswords(),
        isDraining: false
      })
      app.payments = await openPayments(app, deps.gateway)
      // Otherwise the cache could take the last test's public data for this test's.
      await deps.write(trx => setCounter(trx, 'catalog', ++uses * 1000))
      app.publicReplies.invalidate()
      for (const name of await readdir(config.dataDir)) {
        if (!/secret$|^sandbox.db/.test(name))
          await rm(join(config.dataDir, name), { recursive: true, force: true })
      }
    }
  }
}

/** Stands for an object that changes from test to test. */
function forwardTo<Target extends object>(getTarget: () => Target) {
  return new Proxy({} as Target, {
    get(_, name) {
      const target = getTarget()
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
}
