import { atom, computed, readonlyType } from 'nanostores'
import { parseJson } from '../browser.ts'
import type { CartLine } from '../cart/line.ts'
import { PINCODE } from '../constants.ts'
import { askDelivery, type PincodeLookup } from '../delivery/place.ts'
import { assertShopError } from '../errors.ts'
import { $cart } from './cart.ts'
import { createLatest } from './load-state.ts'
import { persistentAtom } from './storage.ts'

const $remembered = persistentAtom<string>('pincode', '', stored =>
  PINCODE.test(stored.slice(1, -1)) ? stored.slice(1, -1) : ''
)
const $wish = persistentAtom<boolean>('pickup', false, stored => parseJson(stored) === true)
const $state = atom<PincodeLookup>({ pincode: '' })

const startCall = createLatest()
let lastQuestion: string | undefined
let pending: Promise<void> | undefined

/** `elements/pincode-box.ts` stores it under the same key. */
export const $pincode = readonlyType($remembered)
export const $wantsPickup = readonlyType($wish)
export const $delivery = readonlyType($state)

export const $offer = computed([$state, $wish], ({ reply }, wantsPickup) => {
  return (wantsPickup ? reply?.pickup : undefined) ?? reply?.delivery ?? undefined
})

export function rememberPincode(pincode: string): void {
  if (pincode !== $remembered.get()) $remembered.set(pincode)
}

export function choosePickup(wantsPickup: boolean): void {
  $wish.set(wantsPickup)
}

export function loadDelivery(pincode: string, goods?: number): Promise<void> {
  lastQuestion = toQuestion(pincode)
  const answer = ask(pincode, goods).finally(() => {
    if (pending === answer) pending = undefined
  })
  pending = answer
  return answer
}

export function isAnswered(pincode: string): boolean {
  return pending === undefined && lastQuestion === toQuestion(pincode)
}

/** Asks again if pincode or cart change. */
export async function waitForDelivery(read: () => string): Promise<void> {
  for (let pincode = read(); PINCODE.test(pincode) && !isAnswered(pincode); pincode = read()) {
    await (lastQuestion === toQuestion(pincode) && pending ? pending : loadDelivery(pincode))
  }
}

async function ask(pincode: string, goods?: number) {
  const isLatest = startCall()
  if ($state.get().pincode !== pincode) $state.set({ pincode })
  try {
    const reply = await askDelivery(pincode, toItemList($cart.get()), goods)
    if (isLatest()) $state.set({ pincode, reply })
  } catch (cause) {
    const error = assertShopError(cause)
    if (isLatest()) $state.set({ ...$state.get(), error })
  }
}

export function forgetDelivery(): void {
  startCall()
  lastQuestion = undefined
  pending = undefined
  $state.set({ pincode: '' })
}

function toQuestion(pincode: string) {
  return `${pincode} ${toItemList($cart.get())}`
}

/** 'mysore-pak:2,murukku:1'. A product can be in two lines. */
export function toItemList(lines: readonly Pick<CartLine, '_id' | 'quantity'>[]): string {
  const counts = new Map<string, number>()
  for (const { _id, quantity } of lines) counts.set(_id, (counts.get(_id) ?? 0) + quantity.value)
  return Array.from(counts, ([id, count]) => `${id}:${count}`).join(',')
}
