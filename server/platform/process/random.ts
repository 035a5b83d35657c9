import { randomInt } from 'node:crypto'

/** Returns a uniformly distributed integer from `min` to `limit - 1`. Tests inject their own function. */
export type RandomInt = (min: number, limit: number) => number

export const systemRandomInt: RandomInt = (min, limit) => randomInt(min, limit)
