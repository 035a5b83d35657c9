import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isCommonPassword, parsePasswordList } from '#lib/account/passwords.ts'
import { widestNetworkOf } from '../platform/http/limits.ts'
import { createWorkQueue } from '../platform/process/work-queue.ts'

/** Networks take turns, so that none delays all logins. Throws UNAVAILABLE if too many wait. */
export interface Passwords {
  hash(password: string, ip?: string): Promise<string>
  /** Takes as long without `hash`, which hides whether an account exists. */
  matches(hash: string | null | undefined, password: string, ip?: string): Promise<boolean>
  checkCapacity(ip: string): void
}

// Argon2id parameters of the OWASP Password Storage Cheat Sheet.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Leaves one core, and one of libuv's four threads, to other requests. */
const CONCURRENCY = Math.min(3, Math.max(1, availableParallelism() - 1))
const MAX_WAITING = 500
const MAX_WAITING_PER_NETWORK = 50
const SHOP_ITSELF = '127.0.0.1'

const COMMON_PASSWORDS = parsePasswordList(
  readFileSync(new URL('../../src/lib/account/common-passwords.txt', import.meta.url), 'utf8')
)

export function isTooCommonForAdmin(password: string): boolean {
  return isCommonPassword(password, COMMON_PASSWORDS)
}

export function createPasswords(cost: Partial<typeof COST> = {}): Passwords {
  const settings = { ...COST, ...cost }
  const queue = createWorkQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING_PER_NETWORK
  })
  const loadLibrary = (): Promise<typeof import('@node-rs/argon2')> => import('@node-rs/argon2')
  const hash = (password: string, ip = SHOP_ITSELF) =>
    queue.run(widestNetworkOf(ip), async () => (await loadLibrary()).hash(password, settings))
  let dummyHash: Promise<string> | undefined

  return {
    hash,
    checkCapacity: ip => queue.checkCapacity(widestNetworkOf(ip)),
    async matches(storedHash, password, ip = SHOP_ITSELF) {
      // Always created by the first call, so that the duration does not depend on `storedHash`.
      dummyHash ??= hash(randomBytes(16).toString('hex')).catch((error: unknown) => {
        dummyHash = undefined
        throw error
      })
      const hashToCompare = storedHash ?? (await dummyHash)
      const isMatch = await queue.run(widestNetworkOf(ip), async () =>
        (await loadLibrary()).verify(hashToCompare, password)
      )
      return isMatch && hashToCompare === storedHash
    }
  }
}
