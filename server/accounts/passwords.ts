import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createWorkQueue } from '../platform/process/work-queue.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Takes the same time if `hash` is missing, so that the duration does not reveal whether an account exists. Throws
   * ShopError UNAVAILABLE.
   */
  matches(hash: string | null | undefined, password: string): Promise<boolean>
  checkCapacity(): void
}

// Argon2id parameters of the OWASP Password Storage Cheat Sheet.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Maximum number of hashes at the same time. Leaves one core, and one of libuv's four threads, to other requests. */
const CONCURRENCY = Math.min(3, Math.max(1, availableParallelism() - 1))
const MAX_WAITING = 100

export function createPasswords(cost: Partial<typeof COST> = {}): Passwords {
  const settings = { ...COST, ...cost }
  const queue = createWorkQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING })
  const loadLibrary = (): Promise<typeof import('@node-rs/argon2')> => import('@node-rs/argon2')
  const hash = (password: string): Promise<string> =>
    queue.run(async () => (await loadLibrary()).hash(password, settings))
  let dummyHash: Promise<string> | undefined

  return {
    hash,
    checkCapacity: queue.checkCapacity,
    async matches(storedHash, password) {
      // The first call always creates this hash, so that the duration does not depend on `storedHash`.
      dummyHash ??= hash(randomBytes(16).toString('hex')).catch((error: unknown) => {
        dummyHash = undefined
        throw error
      })
      const hashToCompare = storedHash ?? (await dummyHash)
      const isMatch = await queue.run(async () => (await loadLibrary()).verify(hashToCompare, password))
      return isMatch && hashToCompare === storedHash
    }
  }
}
