import { MINUTE } from '#lib/time.ts'
import { fastClock, type FastClock } from './fast-clock.ts'

// Preloaded into the processes under test, so that timeouts of minutes take seconds.
const clock = JSON.parse(process.env['FAST_CLOCK'] ?? '') as FastClock
/** Shorter timers keep real time. Longer ones are the intervals of the jobs. */
const MIN_SCALED_DELAY = MINUTE / 2

Date.now = fastClock(clock, Date.now.bind(Date))
for (const name of ['setTimeout', 'setInterval'] as const) {
  const startTimer = globalThis[name] as (
    run: () => void,
    ms?: number,
    ...rest: unknown[]
  ) => NodeJS.Timeout
  const accelerated = (run: () => void, ms = 0, ...rest: unknown[]): NodeJS.Timeout =>
    startTimer(run, ms >= MIN_SCALED_DELAY ? ms / clock.rate : ms, ...rest)
  Object.defineProperties(accelerated, Object.getOwnPropertyDescriptors(startTimer))
  Object.assign(globalThis, { [name]: accelerated })
}
