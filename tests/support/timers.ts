import { afterAll } from 'vitest'

// Clears timers that are pending at the end of the test file. nanostores, for example, unmounts a
// store one second after the last unsubscribe, when the window no longer exists. Until then, the
// store's interval runs.
const pending = new Set<NodeJS.Timeout>()
const { setTimeout: schedule, setInterval: repeat } = globalThis

globalThis.setTimeout = track(schedule)
globalThis.setInterval = track(repeat)

afterAll(async () => {
  // Replies that arrive after the last test start timers, too.
  await new Promise(resolve => schedule(resolve, 10))
  for (const timer of pending) clearTimeout(timer)
  // The next file of this process has its own list, and this one keeps everything alive that its
  // timers refer to.
  globalThis.setTimeout = schedule
  globalThis.setInterval = repeat
})

function track<Start extends typeof setTimeout | typeof setInterval>(start: Start) {
  return new Proxy(start, {
    apply(target, self, args) {
      const timer = Reflect.apply(target, self, args) as NodeJS.Timeout
      pending.add(timer)
      return timer
    }
  })
}
