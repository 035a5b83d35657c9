import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createPasswords } from '#server/accounts/passwords.ts'
import { createWorkQueue } from '#server/platform/process/work-queue.ts'

describe('Work queue', () => {
  test('limits the number of concurrent tasks and starts them in order', async () => {
    const queue = createWorkQueue({ concurrency: 4, maxWaiting: 100 })
    const started: number[] = []
    let running = 0
    let maxRunning = 0
    const work = async (n: number) => {
      started.push(n)
      maxRunning = Math.max(maxRunning, ++running)
      await sleep(n % 3)
      running--
    }
    const all = Array.from({ length: 40 }, (_, n) => n)
    await Promise.all(all.map(n => queue.run('a', () => work(n))))
    expect([maxRunning, running]).toEqual([4, 0])
    expect(started).toEqual(all)
  })

  test('rejects tasks when it is full and accepts tasks again later', async () => {
    const queue = createWorkQueue({ concurrency: 1, maxWaiting: 2 })
    const acceptedWork = [1, 2, 3].map(n => queue.run('a', () => sleep(1, n)))
    expect(() => queue.checkCapacity('a')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
    await expect(queue.run('a', () => sleep(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await Promise.all(acceptedWork)).toEqual([1, 2, 3])
    queue.checkCapacity('a')
    expect(await queue.run('a', () => sleep(1, 4))).toBe(4)
  })

  test('lets owners take turns and limits the waiting tasks of each owner', async () => {
    const queue = createWorkQueue({ concurrency: 1, maxWaiting: 100, maxWaitingPerOwner: 3 })
    const started: string[] = []
    const run = (owner: string) => queue.run(owner, async () => started.push(owner))
    const flood = [1, 2, 3].map(() => run('flood'))
    const refused = expect(run('flood')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await Promise.all([refused, ...flood, run('anita'), run('bala')])
    expect(started).toEqual(['flood', 'anita', 'bala', 'flood', 'flood'])
  })

  test('continues after a task has failed', async () => {
    const queue = createWorkQueue({ concurrency: 1, maxWaiting: 2 })
    const failing = queue.run('a', () => Promise.reject(new Error('no')))
    const next = queue.run('a', async () => 'done')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })
})

describe('Password hashing', () => {
  test('uses the OWASP parameters and a salt per password', async () => {
    const passwords = createPasswords()
    const [one, two] = [await passwords.hash('kesari-47'), await passwords.hash('kesari-47')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(two).not.toBe(one)
    expect(await passwords.matches(one, 'kesari-47')).toBe(true)
    expect(await passwords.matches(one, 'kesari-48')).toBe(false)
  })

  // Compares CPU time, because the elapsed time depends on what else runs on the machine.
  test('takes the same time for an unknown user as for a known user', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('kesari-47')
    for (const nobody of [undefined, null])
      expect(await passwords.matches(nobody, 'kesari-47')).toBe(false)
    const measure = async (known: string | undefined) => {
      const before = process.cpuUsage()
      await passwords.matches(known, 'halwa-12')
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let round = 0; round < 5; round++) {
      known.push(await measure(hash))
      unknown.push(await measure(undefined))
    }
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })
})
