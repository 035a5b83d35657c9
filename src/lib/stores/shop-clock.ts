import { atom, readonlyType } from 'nanostores'
import { SECOND } from '../time.ts'

/** Server time minus browser time, in ms. */
let offset: number | undefined
const $time = atom<number | undefined>()

/** Server time in ms, updated every second while the clock runs. */
export const $now = readonlyType($time)

export function runClock(): () => void {
  const timer = setInterval(tick, SECOND)
  return () => clearInterval(timer)
}

/** `sent` and `received` are browser times in ms; the server's time is assumed to be in the middle. */
export function setShopTime(iso: string, sent: number, received: number): void {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return
  offset = time - (sent + received) / 2
  tick()
}

export function useBrowserClock(): void {
  offset ??= 0
  tick()
}

export function shopNow(): number {
  return Date.now() + (offset ?? 0)
}

function tick(): void {
  if (offset !== undefined) $time.set(shopNow())
}
