import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { HOUR } from '#lib/time.ts'
import { startLoop } from '#server/jobs/loop.ts'

const ignore = (): void => undefined

describe('a loop', () => {
  test('runs at once and again after each pause, never twice at a time', async () => {
    let runs = 0
    let atOnce = 0
    let most = 0
    const loop = startLoop({
      every: 1,
      grace: 100,
      failed: ignore,
      async run() {
        most = Math.max(most, ++atOnce)
        await wait(5)
        atOnce--
        runs++
      }
    })
    for (let calls = 0; calls < 20; calls++) loop.wake()
    await expect.poll(() => runs).toBeGreaterThan(2)
    await loop.stop()
    expect(most).toBe(1)
  })

  test('woken while it runs, runs once more instead of waiting', async () => {
    let runs = 0
    const run = (): Promise<void> => wait(10).then(() => void runs++)
    const loop = startLoop({ every: HOUR, grace: 100, failed: ignore, run })
    loop.wake()
    loop.wake()
    await expect.poll(() => runs).toBe(2)
    await wait(40)
    expect(runs).toBe(2)
    await loop.stop()
  })

  test('goes on after a run that failed', async () => {
    const failures: unknown[] = []
    const run = (): Promise<void> => Promise.reject(new Error('Once more'))
    const loop = startLoop({ every: 1, grace: 100, run, failed: error => failures.push(error) })
    await expect.poll(() => failures.length).toBeGreaterThan(2)
    await loop.stop()
  })

  test('that is stopped tells its run, waits a moment for it, and runs no more', async () => {
    let runs = 0
    let told = false
    const loop = startLoop({
      every: 1,
      grace: 20,
      failed: ignore,
      run(signal) {
        runs++
        signal.addEventListener('abort', () => (told = true))
        return new Promise(() => undefined)
      }
    })
    await loop.stop()
    loop.wake()
    await wait(20)
    expect([runs, told]).toEqual([1, true])
  })
})
