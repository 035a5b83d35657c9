import { ShopError } from '#lib/errors.ts'

/** What is awaited, or UNAVAILABLE after so many ms; the work itself goes on. */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ShopError('UNAVAILABLE')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
