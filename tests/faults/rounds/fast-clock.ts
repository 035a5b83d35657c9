import { MINUTE, type Clock } from '#lib/time.ts'

/** A clock that is faster than real time. With equal settings, processes show the same time. */
export interface FastClock {
  since: number
  rate: number
}

export function fastClock({ since, rate }: FastClock, realClock: Clock = Date.now): Clock {
  return () => Math.round(since + (realClock() - since) * rate)
}

/** Shorter timers keep real time. Longer ones are the intervals of the jobs. */
const MIN_SCALED_DELAY = MINUTE / 2

// Preloaded into the processes under test, so that timeouts of minutes take seconds.
const setting = process.env['FAST_CLOCK']
if (setting !== undefined) {
  const clock = JSON.parse(setting) as FastClock
  Date.now = fastClock(clock, Date.now.bind(Date))
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const accelerated = new Proxy(globalThis[name], {
      apply(start, self, [run, ms = 0, ...rest]: [() => void, number?, ...unknown[]]) {
        const delay = ms >= MIN_SCALED_DELAY ? ms / clock.rate : ms
        return Reflect.apply(start, self, [run, delay, ...rest]) as NodeJS.Timeout
      }
    })
    Object.assign(globalThis, { [name]: accelerated })
  }
}
