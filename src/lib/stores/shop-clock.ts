import { atom, readonlyType } from 'nanostores'
import { SECOND } from '../time.ts'

/** Server minus browser, in ms. */
let offsetMs: number | undefined
const $time = atom<number | undefined>()

export const $now = readonlyType($time)

export function runClock(): () => void {
  const timer = setInterval(tick, SECOND)
  return () => clearInterval(timer)
}

/** The server read its clock halfway between `sentAt` and `receivedAt`. */
export function setShopTime(iso: string, sentAt: number, receivedAt: number): void {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return
  offsetMs = time - (sentAt + receivedAt) / 2
  tick()
}

export function fallBackToBrowserClock(): void {
  offsetMs ??= 0
  tick()
}

export function getShopTime(): number {
  return Date.now() + (offsetMs ?? 0)
}

function tick() {
  if (offsetMs !== undefined) $time.set(getShopTime())
}
