import { afterAll } from 'vitest'

// What a test leaves waiting ends with its file: a store, for one, lets go of the window a second after its last
// listener has gone, and finds no window then.
const pending = new Set<NodeJS.Timeout>()
const schedule = globalThis.setTimeout

globalThis.setTimeout = Object.assign(
  (...args: Parameters<typeof schedule>) => {
    const timer = schedule(...args)
    pending.add(timer)
    return timer
  },
  { __promisify__: schedule.__promisify__ }
) as typeof schedule

afterAll(() => {
  for (const timer of pending) clearTimeout(timer)
})
