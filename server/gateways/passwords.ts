import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createWorkQueue } from './work-queue.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time if there is no hash. Throws ShopError UNAVAILABLE. */
  matches(hash: string | null | undefined, password: string): Promise<boolean>
  checkCapacity(): void
}

// Argon2id parameters of the OWASP Password Storage Cheat Sheet.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Leaves one core and one thread of libuv's pool of four to other requests. */
const CONCURRENCY = Math.min(3, Math.max(1, availableParallelism() - 1))
const MAX_WAITING = 100

export function createPasswords(cost: Partial<typeof COST> = {}): Passwords {
  const settings = { ...COST, ...cost }
  const queue = createWorkQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING })
  const library = (): Promise<typeof import('@node-rs/argon2')> => import('@node-rs/argon2')
  const hash = (password: string): Promise<string> => queue.run(async () => (await library()).hash(password, settings))
  let dummyHash: Promise<string> | undefined

  return {
    hash,
    checkCapacity: queue.checkCapacity,
    async matches(known, password) {
      // Created at the first call even if not needed, so that its duration reveals nothing.
      dummyHash ??= hash(randomBytes(16).toString('hex')).catch((error: unknown) => {
        dummyHash = undefined
        throw error
      })
      const compared = known ?? (await dummyHash)
      const same = await queue.run(async () => (await library()).verify(compared, password))
      return same && compared === known
    }
  }
}
