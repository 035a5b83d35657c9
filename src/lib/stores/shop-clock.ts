import { atom, readonlyType } from 'nanostores'
import { SECOND } from '../time.ts'

/** How far the shop's clock is before the browser's, in ms; undefined until the shop has told its time. */
let ahead: number | undefined
const $time = atom<number | undefined>()

/** The shop's time in ms since the epoch, each second while the clock runs, whatever the browser's clock says. */
export const $now = readonlyType($time)

/** Lets the time run; answers how to stop it. */
export function runClock(): () => void {
  const timer = setInterval(tick, SECOND)
  return () => clearInterval(timer)
}

/** Takes over what the shop says; it said so between two times of the browser's clock. */
export function setShopTime(iso: string, sent: number, received: number): void {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return
  ahead = time - (sent + received) / 2
  tick()
}

/** The browser's clock is what there is when the shop can't be reached. */
export function trustOwnClock(): void {
  ahead ??= 0
  tick()
}

/** The shop's time now, in ms since the epoch, as far as it is known. */
export function shopNow(): number {
  return Date.now() + (ahead ?? 0)
}

function tick(): void {
  if (ahead !== undefined) $time.set(shopNow())
}
