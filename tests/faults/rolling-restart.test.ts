import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Session } from '#lib/contract/accounts.ts'
import { MINUTE } from '#lib/time.ts'
import { seededInt } from '../support/random.ts'
import { balancedSite, hasCaddy, startCaddy } from '../support/proxies.ts'
import { freePort } from '../support/server.ts'
import { buyUntilClosed, call, newObservations, type Buyer } from './rounds/buyers.ts'
import { openEnvironment } from './rounds/environment.ts'

const BUYERS = 3
const READERS = 3
/** Longer than Caddy takes to see that a node answers again. */
const NOTICE_TIME_MS = 300

test.runIf(hasCaddy)(
  'no request or session is lost while two nodes behind Caddy are restarted in turn',
  { timeout: 2 * MINUTE },
  async () => {
    const env = await openEnvironment({ engine: 'postgres', shops: 2, ownMachines: true })
    onTestFinished(() => env.close())
    const closing = new AbortController()
    setMaxListeners(0, closing.signal)
    const port = await freePort()
    const hosts = env.servers.map(({ url }) => new URL(url).host)
    onTestFinished(await startCaddy(await balancedSite(port, hosts)))
    await Promise.all(env.servers.map(server => server.start()))
    await sleep(NOTICE_TIME_MS)

    const observed = newObservations()
    const behindCaddy = {
      ...env,
      servers: [{ ...env.webhookTarget, url: `http://127.0.0.1:${port}` }]
    }
    const load = Array.from({ length: BUYERS }, (_, buyer) =>
      buyUntilClosed(behindCaddy, buyer, observed, closing.signal)
    )
    const reader = { env: behindCaddy, random: seededInt(1), observed, closing: closing.signal }
    for (const account of env.accounts.slice(0, READERS))
      load.push(readUntilClosed({ ...reader, account }))
    for (const server of env.servers) {
      expect(await server.stop()).toBe(0)
      await server.start()
      await sleep(NOTICE_TIME_MS)
    }
    closing.abort()
    await Promise.all(load)

    const { replies } = observed
    expect(replies.filter(reply => !/^(200|201|202|409 .*|429 .*)$/.test(reply))).toEqual([])
    expect(observed.violations).toEqual([])
    expect(replies.length).toBeGreaterThan(100)
    expect(observed.confirmed.size).toBeGreaterThan(0)
  }
)

/** Registers on one node and reads from both. */
async function readUntilClosed(reader: Buyer) {
  const displayName = reader.account.name
  const draft = { email: `${displayName}@home.example`, password: 'kesari-47-bowls', displayName }
  const { body } = await call(reader, 'POST /auth/register', draft)
  const account = { ...reader.account, token: (body as Session).token }
  while (!reader.closing.aborted) {
    await call({ ...reader, account }, 'GET /auth/me')
    await sleep(5)
  }
}
