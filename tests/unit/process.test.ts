import Fastify, { type FastifyInstance } from 'fastify'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { logOptions } from '#server/platform/process/logging.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { HOUR } from '#lib/time.ts'
import { startLoop } from '#server/platform/process/jobs.ts'

afterEach(() => vi.restoreAllMocks())

async function createPrettyApp(
  logLevel: 'info' | 'debug' = 'info'
): Promise<{ app: FastifyInstance; lines: string[] }> {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation(
    (line: string) => void lines.push(stripVTControlCharacters(line))
  )
  const app = Fastify(await logOptions({ logFormat: 'pretty', logLevel }))
  app.post('/cart', async () => ({}))
  return { app, lines }
}

test('The pretty log hides secrets and writes each message on one line', async () => {
  const { app, lines } = await createPrettyApp()
  app.log.warn({ password: 'hunter22', user: { token: 'hunter22' } }, 'Signed\u001b[2J\nin')
  app.log.error({ req: { headers: { authorization: 'Bearer hunter22' } } }, 'Failed')
  expect(lines.join('\n')).not.toContain('hunter22')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d WARN Signed.*in /)
})

const ignoreError = () => undefined

describe('Loop', () => {
  test('runs immediately and then at intervals, never concurrently', async () => {
    let runs = 0
    let running = 0
    let maxRunning = 0
    const loop = startLoop({
      interval: 1,
      gracePeriod: 100,
      onError: ignoreError,
      async run() {
        maxRunning = Math.max(maxRunning, ++running)
        await wait(5)
        running--
        runs++
      }
    })
    for (let calls = 0; calls < 20; calls++) loop.wake()
    await expect.poll(() => runs).toBeGreaterThan(2)
    await loop.stop()
    expect(maxRunning).toBe(1)
  })

  test('runs once more without delay if it was woken during a run', async () => {
    let runs = 0
    const run = () => wait(10).then(() => void runs++)
    const loop = startLoop({ interval: HOUR, gracePeriod: 100, onError: ignoreError, run })
    loop.wake()
    loop.wake()
    await expect.poll(() => runs).toBe(2)
    await wait(40)
    expect(runs).toBe(2)
    await loop.stop()
  })

  test('continues after a failed run, but reports no failure of a run that it has stopped', async () => {
    const failures: unknown[] = []
    const loop = startLoop({
      interval: 1,
      gracePeriod: 100,
      run: signal =>
        failures.length < 3
          ? Promise.reject(new Error('Once more'))
          : wait(HOUR, undefined, { signal }),
      onError: error => failures.push(error)
    })
    await expect.poll(() => failures.length, { interval: 1 }).toBe(3)
    await wait(5)
    await loop.stop()
    expect(failures).toHaveLength(3)
  })

  test('aborts its run when it is stopped, waits for the grace period, and does not run again', async () => {
    let runs = 0
    let aborted = false
    const loop = startLoop({
      interval: 1,
      gracePeriod: 20,
      onError: ignoreError,
      run(signal) {
        runs++
        signal.addEventListener('abort', () => (aborted = true))
        return new Promise(() => undefined)
      }
    })
    await loop.stop()
    loop.wake()
    await wait(20)
    expect([runs, aborted]).toEqual([1, true])
  })
})
