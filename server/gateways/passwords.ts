import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createWorkQueue } from './work-queue.ts'

/** Keeps passwords as hashes that are dear to guess. */
export interface Passwords {
  /** Throws ShopError UNAVAILABLE when too many wait. */
  hash(password: string): Promise<string>
  /** Takes the same time without a hash, that of an account which has none or is not there. Throws like `hash`. */
  matches(hash: string | null | undefined, password: string): Promise<boolean>
  /** Throws ShopError UNAVAILABLE when too many wait. */
  expectRoom(): void
}

// OWASP's cheat sheet; argon2id is the library's own choice.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Each fills a thread of the pool that files are read by too, and a core: one of each is left to the other calls.
 */
const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1))
/** A few seconds' work. */
const MOST_WAITING = 100

/** `cost` is lowered only by tests. */
export function createPasswords(cost: Partial<typeof COST> = {}): Passwords {
  const settings = { ...COST, ...cost }
  const queue = createWorkQueue({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING })
  // Loaded when somebody first logs in.
  const library = (): Promise<typeof import('@node-rs/argon2')> => import('@node-rs/argon2')
  const hash = (password: string): Promise<string> => queue.run(async () => (await library()).hash(password, settings))
  let nobodys: Promise<string> | undefined

  return {
    hash,
    expectRoom: queue.expectRoom,
    async matches(known, password) {
      // Made at the first question, whatever it is about, so that its own time tells nothing.
      nobodys ??= hash(randomBytes(16).toString('hex')).catch((error: unknown) => {
        nobodys = undefined
        throw error
      })
      const compared = known ?? (await nobodys)
      const same = await queue.run(async () => (await library()).verify(compared, password))
      return same && compared === known
    }
  }
}
