import { afterAll } from 'vitest'

// Clears timers that are pending at the end of the test file. nanostores, for example, unmounts a store one second
// after the last unsubscribe, when the window no longer exists.
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

afterAll(async () => {
  // Replies that arrive after the last test start timers, too.
  await new Promise(resolve => schedule(resolve, 10))
  for (const timer of pending) clearTimeout(timer)
})
