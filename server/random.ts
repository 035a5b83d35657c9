import { randomInt } from 'node:crypto'

/** A uniform integer in [min, limit). Tests inject their own. */
export type RandomInt = (min: number, limit: number) => number

export const systemRandomInt: RandomInt = (min, limit) => randomInt(min, limit)
