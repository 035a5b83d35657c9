import { setTimeout as wait } from 'node:timers/promises'
import { seededInt } from '../../support/random.ts'
import { insist, pick, type Buyer } from './calls.ts'
import { look, open, place, wish, type Opened } from './checkout.ts'
import { ProviderRefusal } from './provider.ts'
import type { Witness } from './witness.ts'
import type { World } from './world.ts'

/** What somebody does once their payment is open. */
type Habit = (buyer: Buyer, opened: Opened) => Promise<unknown>

const pay = ({ world }: Buyer, { id }: Opened): ReturnType<World['provider']['pay']> => world.provider.pay(id)

/** Pays, and tells the shop. */
const faithful: Habit = async (buyer, opened) => place(buyer, await pay(buyer, opened))

/** Pays, and closes the page. */
const silent: Habit = pay

const failsFirst: Habit = async (buyer, opened) => {
  await buyer.world.provider.attempt(opened.id, 'failed')
  await faithful(buyer, opened)
}

const paysTwice: Habit = async (buyer, opened) => {
  const { provider } = buyer.world
  const proofs = [await provider.pay(opened.id), await provider.payAgain(opened.id)]
  await Promise.all(proofs.map(proof => place(buyer, proof)))
}

/** Tells the shop three times at once. */
const nervous: Habit = async (buyer, opened) => {
  const proof = await pay(buyer, opened)
  const orders = await Promise.all([place(buyer, proof), place(buyer, proof), place(buyer, proof)])
  if (new Set(orders.flatMap(order => order?._id ?? [])).size > 1)
    buyer.witness.wrong.push(`Two orders for ${opened.id}`)
}

const waitsForBank: Habit = async ({ world, witness }, { id }) => {
  witness.pending.push(await world.provider.attempt(id, 'pending'))
}

/** The bank allows it, and the provider does not collect it. */
const held: Habit = async (buyer, opened) => {
  const proof = await buyer.world.provider.pay(opened.id, 'held')
  if (buyer.random(0, 2) === 0) await place(buyer, proof)
}

/** Pays when the goods are given up. */
const late: Habit = async ({ witness }, { id }) => witness.late.push(id)

const absent: Habit = async () => undefined

/** Checks out something else meanwhile, and pays both. */
const fickle: Habit = async (buyer, opened) => {
  const other = await open(buyer, wish(buyer))
  if (other) await faithful(buyer, other)
  await silent(buyer, opened)
}

const regrets: Habit = async (buyer, opened) => {
  const order = await place(buyer, await pay(buyer, opened))
  if (order?.canCancel) await insist(buyer, `POST /orders/${order._id}/cancel`)
}

/** Of a hundred: half of those who pay never tell. */
const HABITS: readonly (readonly [Habit, number])[] = [
  [silent, 36],
  [faithful, 18],
  [nervous, 5],
  [failsFirst, 5],
  [paysTwice, 4],
  [waitsForBank, 4],
  [held, 4],
  [late, 5],
  [absent, 4],
  [fickle, 7],
  [regrets, 8]
]

/** Somebody after another, one at a time, until the shops close. */
export async function buyOnAndOn(world: World, seed: number, witness: Witness, closing: AbortSignal): Promise<void> {
  const random = seededInt(seed)
  while (!closing.aborted) {
    const buyer: Buyer = { world, account: pick(world.accounts, random), random, witness, closing }
    await buy(buyer)
    await wait(random(0, 40))
  }
}

async function buy(buyer: Buyer): Promise<void> {
  const { random } = buyer
  const habit = habitFor(random(0, 100))
  const draw = random(0, 10) < 3
  // Two windows of one shopper, who wants to use the same discount in both.
  const windows = draw && random(0, 3) === 0 ? 2 : 1
  const opened = await Promise.all(Array.from({ length: windows }, () => open(buyer, wish(buyer, draw))))
  for (const each of opened) {
    if (!each) continue
    try {
      await habit(buyer, each)
    } catch (error) {
      // As when the order is paid already.
      if (!(error instanceof ProviderRefusal)) throw error
    }
  }
  if (random(0, 4) === 0) await look(buyer)
}

function habitFor(number: number): Habit {
  let left = number
  for (const [habit, share] of HABITS) {
    if (left < share) return habit
    left -= share
  }
  return silent
}
