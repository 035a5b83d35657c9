import { ShopError } from '#lib/errors.ts'

/** Throws UNAVAILABLE if the work takes longer than `ms`. The work is not cancelled. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ShopError('UNAVAILABLE')), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
