import { setTimeout as wait } from 'node:timers/promises'
import type { RandomInt } from '#server/random.ts'
import type { Account } from './goods.ts'
import type { Witness } from './witness.ts'
import type { World } from './world.ts'

/** An answer of the shop, or none. */
export interface Reply {
  status: number
  body: unknown
}

export interface Buyer {
  world: World
  account: Account
  random: RandomInt
  witness: Witness
  /** When the shops close for good. */
  closing: AbortSignal
}

const PATIENCE = 15_000
const PAUSE = 200
const MOST_TRIES = 60

/** One call of a buyer's browser, to any of the shops. */
export async function ask({ world, account, random, witness }: Buyer, line: string, body?: object): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ')
  const { url } = pick(world.seats, random)
  const headers = { authorization: `Bearer ${account.token}`, ...(body && { 'content-type': 'application/json' }) }
  const sent = { method, headers, signal: AbortSignal.timeout(PATIENCE), ...(body && { body: JSON.stringify(body) }) }
  const reply = await fetch(`${url}/api${path}`, sent)
    .then(
      async (response): Promise<Reply> => ({ status: response.status, body: JSON.parse(await response.text()) }),
      () => NOBODY
    )
    .catch(() => NOBODY)
  count(witness, reply)
  if (!EXPECTED.has(reply.status)) {
    witness.wrong.push(`${line} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  }
  return reply
}

/** All that may be answered to people who make no mistake, when goods run out and the provider is away. */
const EXPECTED = new Set([0, 200, 201, 202, 409, 429, 503])

const NOBODY: Reply = { status: 0, body: undefined }

/** Asks again while nobody answers or the shop says that it can't now, as a page does and a patient shopper. */
export async function insist(buyer: Buyer, line: string, body?: object): Promise<Reply> {
  let reply = NOBODY
  for (let attempt = 0; attempt < MOST_TRIES && !buyer.closing.aborted; attempt++) {
    reply = await ask(buyer, line, body)
    if (reply.status !== 0 && reply.status !== 503 && reply.status !== 429) break
    await wait(PAUSE, undefined, { signal: buyer.closing }).catch(() => undefined)
  }
  return reply
}

export function pick<Item>(items: readonly Item[], random: RandomInt): Item {
  const item = items[random(0, items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from')
  return item
}

function count({ replies }: Witness, { status, body }: Reply): void {
  const { code } = (body ?? {}) as { code?: string }
  const key = status === 0 ? 'nobody' : status < 400 ? String(status) : `${status} ${code}`
  replies.set(key, (replies.get(key) ?? 0) + 1)
}
