import { atom, readonlyType } from 'nanostores'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { ShopError, wordsOf } from '../../shop-error.ts'
import { UNDO_TIME } from '../../time.ts'
import { notify } from '../toasts.ts'

export interface Offer {
  /** What was done: 'Mysore Pak: 30 in stock'. */
  text: string
  /** Makes it as it was. Throws ShopError. */
  undo: () => Promise<void>
}

const $state = atom<Offer | undefined>()
let timer: ReturnType<typeof setTimeout> | undefined

/** What can be taken back now: the last thing that was done, for ten seconds. */
export const $undo = readonlyType($state)

export function offerUndo(offer: Offer): void {
  $state.set(offer)
  countDown()
}

/** Who reads or has reached for the button has all the time there is. */
export function keepOffer(): void {
  clearTimeout(timer)
}

export function countDown(): void {
  clearTimeout(timer)
  timer = setTimeout(dropOffer, UNDO_TIME)
}

export function dropOffer(): void {
  clearTimeout(timer)
  $state.set(undefined)
}

export async function takeBack(): Promise<void> {
  const offer = $state.get()
  dropOffer()
  if (!offer) return
  try {
    await offer.undo()
    notify({ title: ADMIN_MESSAGES.undone })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    notify({ title: ADMIN_MESSAGES.undoFailed, text: wordsOf(error, ''), kind: 'destructive' })
  }
}
